import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'

/*
 * Members of a chat body as other formats write them, which clients mix up, put into the shape of this one: tools of
 * the Responses format, whose members stand beside their type (openai/openai-node 7.59.0, `FunctionTool` and
 * `CustomTool`; Cursor sends them), and Mistral's tools without a type and pictures as plain addresses
 * (mistralai/client-ts 2.7.0, `Tool` and `ImageURLChunk`), which Mistral takes in either shape.
 */

type Body = Readonly<Fields>

/** The function of a tool, wherever its members stand; undefined where there is none. */
export function functionIn(tool: object): unknown {
  const { function: called, name }: Body = { ...tool }
  return called === undefined && isText(name) ? tool : called
}

/** Members to set so that a checked body is as this format has it; null where nothing must change. */
export function reshapedMembers({ tools, tool_choice: choice, messages }: Body): Fields | null {
  let set: Fields | null = null
  if (tools !== undefined && listOf(tools).some(isOther))
    set = { tools: listOf(tools).map((tool) => (isOther(tool) ? reshapedTool(tool) : tool)) }
  if (choice !== undefined && isOther(choice)) set = { ...set, tool_choice: reshapedTool(choice) }
  for (const message of listOf(messages))
    if (hasPlainPicture(message)) return { ...set, messages: listOf(messages).map(withPictures) }
  return set
}

/** A tool whose members stand beside its type, or that has none. */
function isOther(tool: unknown): tool is Fields {
  if (!isFields(tool)) return false
  const { type, name } = tool
  if (type === undefined) return isFields(tool['function'])
  return (type === 'function' || type === 'custom') && tool[type] === undefined && isText(name)
}

function reshapedTool({ type, cache_control: mark, ...members }: Fields): Fields {
  const marked = mark === undefined ? {} : { cache_control: mark }
  if (type === undefined) return { type: 'function', ...marked, ...members }
  return type === 'custom'
    ? { type, ...marked, custom: { ...members, ...grammarIn(members) } }
    : { type, ...marked, function: members }
}

/** A grammar, which chat has in an object of its own (`ChatCompletionCustomTool`). */
function grammarIn({ format }: Fields): Fields {
  const { type, ...grammar } = fieldsOf(format)
  return type === 'grammar' && grammar['grammar'] === undefined ? { format: { type, grammar } } : {}
}

const isPlainPicture = (part: unknown): part is Fields =>
  isFields(part) && typeof part['image_url'] === 'string'

function hasPlainPicture(message: unknown): boolean {
  if (!isFields(message)) return false
  const { content } = message
  return typeof content !== 'string' && listOf(content).some(isPlainPicture)
}

const withPictures = (message: unknown): unknown =>
  hasPlainPicture(message)
    ? { ...fieldsOf(message), content: listOf(fieldsOf(message)['content']).map(withPicture) }
    : message

const withPicture = (part: unknown): unknown =>
  isPlainPicture(part) ? { ...part, image_url: { url: part['image_url'] } } : part
