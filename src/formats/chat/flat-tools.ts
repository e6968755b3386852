import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'

/*
 * Tools as the Responses format writes them, in a chat body: their members beside their type instead of in an object
 * (openai/openai-node 7.59.0, `FunctionTool` and `CustomTool`). Clients of both formats mix them up, Cursor among them.
 */

type Body = Readonly<Fields>

/** The function of a tool, wherever its members stand; undefined where there is none. */
export function functionIn(tool: object): unknown {
  const { function: called, name }: Body = { ...tool }
  return called === undefined && isText(name) ? tool : called
}

/**
 * Tools and a choice of one as a chat body has them.
 * @returns members to set; null where nothing must change
 */
export function nestedTools({ tools, tool_choice: choice }: Body): Fields | null {
  const flat = tools !== undefined && listOf(tools).some(isFlat)
  const chosen = choice !== undefined && isFlat(choice)
  if (!flat && !chosen) return null
  return {
    ...(flat ? { tools: listOf(tools).map((tool) => (isFlat(tool) ? nested(tool) : tool)) } : {}),
    ...(chosen ? { tool_choice: nested(choice) } : {}),
  }
}

type FlatTool = Fields & { readonly type: 'function' | 'custom' }

function isFlat(tool: unknown): tool is FlatTool {
  if (!isFields(tool)) return false
  const { type, name } = tool
  return (type === 'function' || type === 'custom') && tool[type] === undefined && isText(name)
}

function nested({ type, cache_control: mark, ...members }: FlatTool): Fields {
  const inner = type === 'custom' ? { ...members, ...grammarIn(members) } : members
  return { type, ...(mark === undefined ? {} : { cache_control: mark }), [type]: inner }
}

/** A grammar, which chat has in an object of its own (`ChatCompletionCustomTool`). */
function grammarIn({ format }: Fields): Fields {
  const { type, ...grammar } = fieldsOf(format)
  return type === 'grammar' && grammar['grammar'] === undefined ? { format: { type, grammar } } : {}
}
