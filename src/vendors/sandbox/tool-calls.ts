import { fieldsOf, listOf, type Fields } from '../../formats/chat/wire'
import { valueBySchema } from './json-by-schema'

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON that the tool's schema accepts. */
  readonly arguments: string
}

/**
 * Tools are called when the client insists, or when the user speaks of them: by name, or with the
 * word tool. Two at once when the text says both or parallel.
 */
export function callsFor(body: Fields, asked: string): readonly ToolCall[] {
  const choice = body['tool_choice']
  if (choice === 'none') return []
  const offered = listOf(body['tools'])
    .map((tool) => fieldsOf(fieldsOf(tool)['function']))
    .filter(({ name }) => typeof name === 'string' && name !== '')
  const tools = allowed(offered, choice)
  if (tools.length === 0) return []
  const named = fieldsOf(fieldsOf(choice)['function'])['name']
  const forced = tools.filter(({ name }) => name === named)
  if (forced.length > 0) return rendered(forced.slice(0, 1), asked)

  const mentioned = tools.filter(({ name }) => asked.includes(String(name)))
  const several = body['parallel_tool_calls'] !== false && /\b(?:both|parallel)\b/i.test(asked)
  const required =
    choice === 'required' || fieldsOf(fieldsOf(choice)['allowed_tools'])['mode'] === 'required'
  if (mentioned.length === 0 && !several && !required && !/\btools?\b/i.test(asked)) return []
  const first = mentioned.length > 0 ? mentioned : tools
  if (!several) return rendered(first.slice(0, 1), asked)
  // One tool alone is called twice.
  const pair = first.length > 1 ? first : [...first, ...tools.filter((tool) => tool !== first[0])]
  return rendered([...pair, ...pair].slice(0, 2), asked)
}

/** Some clients narrow the tools by the choice. */
function allowed(tools: readonly Fields[], choice: unknown): readonly Fields[] {
  const only = fieldsOf(fieldsOf(choice)['allowed_tools'])['tools']
  if (!Array.isArray(only)) return tools
  const names = new Set(only.map((tool) => fieldsOf(fieldsOf(tool)['function'])['name']))
  return tools.filter(({ name }) => names.has(name))
}

const rendered = (tools: readonly Fields[], asked: string): readonly ToolCall[] =>
  tools.map((tool, index) => ({
    id: `call_sandbox_${index}`,
    name: String(tool['name']),
    arguments: JSON.stringify(valueBySchema(tool['parameters'] ?? {}, asked)),
  }))
