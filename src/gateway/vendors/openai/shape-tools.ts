import { chatPath } from '../../formats/chat/members'
import { unsupported } from '../../formats/schema-fault'
import type { ToolChoiceForm } from './dialects'

type Fields = Readonly<Record<string, unknown>>

/**
 * Tools under their present name, and a choice of tool that the vendor takes: where calls cannot be forbidden no
 * tool is offered, and one tool that must be called is the same by its name and as the only one.
 * @param choices forms of `tool_choice` the vendor takes; null for all
 * @throws endpoint_not_supported where a call cannot be forced
 */
export function shapeTools(
  body: Fields,
  choices: readonly ToolChoiceForm[] | null,
  set: Record<string, unknown>,
  drop: string[],
): void {
  const { functions, function_call: oldChoice } = body
  const tools = Array.isArray(functions) && !body['tools'] ? functions.map(toolOf) : null
  const sent = body['tool_choice'] ?? choiceOf(oldChoice)
  if (tools !== null) set['tools'] = tools
  if (oldChoice !== undefined && !body['tool_choice'] && sent !== null) set['tool_choice'] = sent
  if (choices === null || sent === null || sent === undefined) return

  const offered: unknown = tools ?? body['tools']
  const { choice, among } = allowedIn(sent, Array.isArray(offered) ? offered : [])
  const form = formOf(choice)
  const isNone = form === 'none' || (choice !== sent && among.length === 0)
  if (choice !== sent) Object.assign(set, { tools: among, tool_choice: choice })
  if (choices.includes(form) && (form === 'none' || !isNone)) return
  if (isNone) return (leaveOut('tools', set, drop), leaveOut('tool_choice', set, drop))
  if (form === 'auto') return leaveOut('tool_choice', set, drop)
  const [only, ...more] = form === 'named' ? toolsNamed(among, nameOf(choice)) : among
  const same = form === 'named' ? 'required' : 'named'
  if (only === undefined || more.length > 0 || !choices.includes(same))
    throw unsupported(
      String(body['model']),
      chatPath,
      body['tool_choice'] ? 'tool_choice' : 'function_call',
    )
  const named = { type: 'function', function: { name: nameOf(only) } }
  Object.assign(set, { tools: [only], tool_choice: same === 'named' ? named : same })
}

/** A choice without its list of allowed tools, and the tools among which it is. */
function allowedIn(choice: unknown, tools: readonly unknown[]) {
  const allowed = isFields(choice) ? choice['allowed_tools'] : undefined
  if (!isFields(allowed) || !Array.isArray(allowed['tools'])) return { choice, among: tools }
  const names = new Set(allowed['tools'].map(nameOf))
  return {
    choice: allowed['mode'] ?? 'auto',
    among: tools.filter((tool) => names.has(nameOf(tool))),
  }
}

const toolsNamed = (tools: readonly unknown[], name: string | null): readonly unknown[] =>
  tools.filter((tool) => nameOf(tool) === name)

const toolOf = (called: unknown) => ({ type: 'function', function: called })

const choiceOf = (old: unknown): unknown =>
  old === undefined || old === null || typeof old === 'string' ? (old ?? null) : toolOf(old)

const formOf = (choice: unknown): ToolChoiceForm =>
  choice === 'none' || choice === 'auto' || choice === 'required' ? choice : 'named'

function nameOf(value: unknown): string | null {
  const called = isFields(value) ? value['function'] : null
  return isFields(called) && typeof called['name'] === 'string' ? called['name'] : null
}

function leaveOut(name: string, set: Record<string, unknown>, drop: string[]): void {
  delete set[name]
  drop.push(name)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
