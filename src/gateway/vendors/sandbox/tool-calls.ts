import { fieldsOf, listOf, type Fields } from '../../json/fields'
import { valueBySchema } from './json-by-schema'
import type { Steps } from './slices'

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON that the tool's schema accepts. */
  readonly arguments: string
}

/**
 * The reference takes no more, and no longer names (openai/openai-openapi `FunctionObject`); the rest is as
 * good as not there.
 */
const maxTools = 128
const maxNameChars = 64
/** Where names of tools are looked for. */
const maxSearchedChars = 65_536

/**
 * Tools are called when the client insists, or when the user speaks of them: by name, or with the
 * word tool. Two at once when the text says both or parallel.
 * @param maxChars of the arguments of each call
 */
export function* callsFor(
  body: Fields,
  asked: string,
  maxChars: number,
): Steps<readonly ToolCall[]> {
  const choice = body['tool_choice']
  if (choice === 'none') return []
  const offered = listOf(body['tools'])
    .slice(0, maxTools)
    .map((tool) => fieldsOf(fieldsOf(tool)['function']))
    .filter(({ name }) => typeof name === 'string' && name !== '')
  const tools = allowed(offered, choice)
  if (tools.length === 0) return []
  const named = fieldsOf(fieldsOf(choice)['function'])['name']
  const forced = tools.filter(({ name }) => name === named)
  if (forced.length > 0) return yield* rendered(forced.slice(0, 1), asked, maxChars)

  const searched = asked.slice(0, maxSearchedChars)
  const mentioned: Fields[] = []
  for (const tool of tools) {
    const name = String(tool['name'])
    if (name.length <= maxNameChars && searched.includes(name)) mentioned.push(tool)
    yield
  }
  const several = body['parallel_tool_calls'] !== false && /\b(?:both|parallel)\b/i.test(searched)
  const required =
    choice === 'required' || fieldsOf(fieldsOf(choice)['allowed_tools'])['mode'] === 'required'
  if (mentioned.length === 0 && !several && !required && !/\btools?\b/i.test(searched)) return []
  const first = mentioned.length > 0 ? mentioned : tools
  if (!several) return yield* rendered(first.slice(0, 1), asked, maxChars)
  // One tool alone is called twice.
  const pair = first.length > 1 ? first : [...first, ...tools.filter((tool) => tool !== first[0])]
  return yield* rendered([...pair, ...pair].slice(0, 2), asked, maxChars)
}

/** Some clients narrow the tools by the choice. */
function allowed(tools: readonly Fields[], choice: unknown): readonly Fields[] {
  const only = fieldsOf(fieldsOf(choice)['allowed_tools'])['tools']
  if (!Array.isArray(only)) return tools
  const names = new Set(only.map((tool) => fieldsOf(fieldsOf(tool)['function'])['name']))
  return tools.filter(({ name }) => names.has(name))
}

function* rendered(
  tools: readonly Fields[],
  asked: string,
  maxChars: number,
): Steps<readonly ToolCall[]> {
  const calls: ToolCall[] = []
  for (const tool of tools)
    calls.push({
      id: `call_sandbox_${calls.length}`,
      name: String(tool['name']),
      arguments: JSON.stringify(yield* valueBySchema(tool['parameters'] ?? {}, asked, maxChars)),
    })
  return calls
}
