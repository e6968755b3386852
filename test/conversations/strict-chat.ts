import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { event, streamReply } from '../support/stand-in'
import {
  each,
  emptyRead,
  halves,
  onlyMembers,
  pictureIn,
  refuse,
  shown,
  words,
  type Answer,
  type Read,
  type Wire,
} from './wire'

/*
 * Chat as OpenAI, Moonshot and Mistral take it (their API references and, of the order of roles, errors as reported
 * against them, November 2026).
 */

interface House {
  /** Members of an assistant's message. */
  readonly assistant: string
  readonly callId: RegExp
  /** Makes an id of its own, of the number of an answer. */
  idOf(at: number): string
  /** A user may speak directly after a tool. */
  readonly userAfterTool: boolean
  /** A message with calls needs its `reasoning_content`. */
  readonly needsThought: boolean
  /** Thinks aloud as this. */
  readonly thinksIn: 'reasoning_content' | 'part' | null
  /** Pictures may stand in a tool's message. */
  readonly toolPictures: boolean
  thinks(body: Fields): boolean
}

const byEffort = ({ reasoning_effort: effort }: Fields): boolean =>
  typeof effort === 'string' && effort !== 'none'

const houses: Readonly<Record<'plain' | 'kimi' | 'mistral', House>> = {
  plain: {
    assistant: 'role content refusal tool_calls name audio annotations',
    callId: /^.{1,40}$/s,
    idOf: (at) => `call_plain${at}`,
    userAfterTool: true,
    needsThought: false,
    thinksIn: null,
    toolPictures: false,
    thinks: byEffort,
  },
  kimi: {
    assistant: 'role content tool_calls name reasoning_content refusal partial',
    callId: /^.{1,128}$/s,
    idOf: (at) => `functions.look:${at}`,
    userAfterTool: true,
    needsThought: true,
    thinksIn: 'reasoning_content',
    toolPictures: false,
    thinks: () => true,
  },
  mistral: {
    assistant: 'role content tool_calls prefix',
    callId: /^[a-zA-Z0-9]{9}$/,
    idOf: (at) => `mIs${at}`.padEnd(9, 'x'),
    userAfterTool: false,
    needsThought: false,
    thinksIn: 'part',
    toolPictures: true,
    thinks: byEffort,
  },
}

const houseOf = (model: string): House =>
  houses[model.split('-')[0] as keyof typeof houses] ?? houses.plain

function readContent(content: unknown, into: Read, pictures: boolean, where: string): string {
  if (typeof content === 'string') return content
  const texts = each(content).map((part) => {
    if (part['type'] === 'text') return String(part['text'])
    if (part['type'] !== 'image_url' || !pictures) return refuse(`${where}: ${shown(part['type'])}`)
    const { image_url: picture } = part
    const url = typeof picture === 'string' ? picture : fieldsOf(picture)['url']
    into.pictures.push(pictureIn(url, where))
    return ''
  })
  return texts.length === 0 ? refuse(`${where}: content is missing`) : texts.join('')
}

function checkThinking(content: unknown, where: string): void {
  for (const part of each(content))
    if (part['type'] === 'thinking') {
      onlyMembers(part, 'type thinking closed signature', where)
      if (!Array.isArray(part['thinking'])) refuse(`${where}.thinking: is no list`)
    } else if (part['type'] !== 'text') refuse(`${where}: unexpected ${shown(part['type'])}`)
}

/** @returns ids of the calls that tools must answer next */
function readAssistant(message: Fields, house: House, where: string): string[] {
  onlyMembers(message, house.assistant, where)
  const { content, tool_calls: calls, reasoning_content: thought } = message
  if (house.thinksIn === 'part') checkThinking(content, where)
  else if (content !== null && content !== undefined)
    readContent(content, emptyRead(), false, where)
  const made = each(calls)
  if (made.length === 0 && (content === null || content === undefined || content === ''))
    refuse(`${where}: content or tool_calls is required`)
  if (made.length > 0 && house.needsThought && typeof thought !== 'string')
    refuse(`thinking is enabled but reasoning_content is missing in ${where}`)
  return made.map((call) => {
    onlyMembers(call, 'id type function index', where)
    const { id, function: named } = call
    if (!house.callId.test(String(id))) refuse(`${where}.tool_calls.id: ${shown(id)}`)
    if (typeof fieldsOf(named)['arguments'] !== 'string') refuse(`${where}.arguments`)
    JSON.parse(String(fieldsOf(named)['arguments']))
    return String(id)
  })
}

function readMessages(messages: readonly Fields[], house: House, into: Read): void {
  let open: readonly string[] = []
  messages.forEach((message, at) => {
    const where = `messages[${at}]`
    const { role, content, tool_call_id: id } = message
    if (role === 'tool') {
      onlyMembers(message, 'role content tool_call_id name', where)
      if (!open.includes(String(id)))
        refuse(`${where}: messages with role 'tool' must follow their 'tool_calls': ${shown(id)}`)
      open = open.filter((each) => each !== id)
      return void into.results.push(readContent(content, into, house.toolPictures, where))
    }
    if (open.length > 0)
      refuse(`${where}: tool_call_ids did not have response messages: ${open.join()}`)
    if (role === 'assistant') return void (open = readAssistant(message, house, where))
    onlyMembers(message, 'role content name', where)
    if (!house.userAfterTool && role === 'user' && messages[at - 1]?.['role'] === 'tool')
      refuse("Unexpected role 'user' after role 'tool'")
    const said = readContent(content, into, role === 'user', where)
    if (role === 'user') into.said.push(said)
    else if (role !== 'system' && role !== 'developer') refuse(`${where}.role: ${shown(role)}`)
  })
  if (open.length > 0) refuse(`tool_call_ids did not have response messages: ${open.join()}`)
}

const usageOf = ({ counted, model }: Answer) => ({
  prompt_tokens: counted.input,
  completion_tokens: counted.output,
  total_tokens: counted.input + counted.output,
  ...(model === 'mistral'
    ? {}
    : {
        prompt_tokens_details: { cached_tokens: counted.cached },
        completion_tokens_details: { reasoning_tokens: counted.thought },
      }),
})

export const chatWire: Wire = {
  read(body) {
    const house = houseOf(String(body['model']))
    const read = emptyRead()
    readMessages(each(body['messages']), house, read)
    for (const tool of each(body['tools'])) {
      if (tool['type'] !== 'function') refuse(`tools: ${shown(tool['type'])}`)
      read.tools.push(String(fieldsOf(tool['function'])['name']))
    }
    return { ...read, stream: body['stream'] === true, thinks: house.thinks(body) }
  },

  answer(answer, { stream, thinks }) {
    const { model, at, thought, text, call } = answer
    const house = houseOf(model)
    const thinksIn = thinks ? house.thinksIn : null
    const part = { type: 'thinking', thinking: [{ type: 'text', text: thought }] }
    const finish_reason = call === null ? 'stop' : 'tool_calls'
    const named = call && { id: house.idOf(at), type: 'function' }
    const args = JSON.stringify(call?.input ?? null)
    const envelope = { id: `chatcmpl-${at}`, created: 1_790_000_000, model: 'of-the-vendor' }
    if (!stream)
      return Response.json({
        ...envelope,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: thinksIn === 'part' ? [part, { type: 'text', text }] : text,
              ...(thinksIn === 'reasoning_content' ? { reasoning_content: thought } : {}),
              ...(call === null
                ? {}
                : { tool_calls: [{ ...named, function: { name: call.name, arguments: args } }] }),
            },
            finish_reason,
          },
        ],
        usage: usageOf(answer),
      })
    const chunk = (delta: object, finish: string | null = null, rest: object = {}) =>
      event({
        ...envelope,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...rest,
      })
    const [begin, end] = halves(args)
    const usage = usageOf(answer)
    const isPlain = house.userAfterTool
    return streamReply([
      chunk({ role: 'assistant', content: '' }),
      ...(thinksIn === 'reasoning_content'
        ? words(thought).map((reasoning_content) => chunk({ reasoning_content }))
        : []),
      ...(thinksIn === 'part' ? [chunk({ content: [part] })] : []),
      ...words(text).map((content) => chunk({ content })),
      ...(call === null
        ? []
        : [
            chunk({
              tool_calls: [{ index: 0, ...named, function: { name: call.name, arguments: begin } }],
            }),
            chunk({ tool_calls: [{ index: 0, function: { arguments: end } }] }),
          ]),
      chunk({}, finish_reason, isPlain ? {} : { usage }),
      ...(isPlain
        ? [event({ ...envelope, object: 'chat.completion.chunk', choices: [], usage })]
        : []),
      'data: [DONE]\n\n',
    ])
  },

  failure: (message) => ({
    object: 'error',
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
}
