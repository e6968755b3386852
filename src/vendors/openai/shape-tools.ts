import type { ToolChoiceForm } from './dialects'

type Fields = Readonly<Record<string, unknown>>

/**
 * Tools under their present name, and a choice of tool that the vendor takes: where a call cannot
 * be forced only the named tool is offered, and where calls cannot be forbidden no tool is.
 * @param choices forms of `tool_choice` the vendor takes; null for all
 */
export function shapeTools(
  body: Fields,
  choices: readonly ToolChoiceForm[] | null,
  set: Record<string, unknown>,
  drop: string[],
): void {
  const { functions, function_call: oldChoice } = body
  const tools = Array.isArray(functions) && !body['tools'] ? functions.map(toolOf) : null
  const choice = body['tool_choice'] ?? choiceOf(oldChoice)
  if (tools !== null) set['tools'] = tools
  if (oldChoice !== undefined && !body['tool_choice'] && choice !== null)
    set['tool_choice'] = choice
  if (choices === null || choice === null || choice === undefined) return

  const form = formOf(choice)
  if (choices.includes(form)) return
  if (form === 'none') return (leaveOut('tools', set, drop), leaveOut('tool_choice', set, drop))
  const offered: unknown = tools ?? body['tools']
  const named = nameOf(choice)
  if (named !== null && Array.isArray(offered)) {
    const only = toolsNamed(offered, named)
    if (only.length > 0) set['tools'] = only
  }
  if (choices.includes('auto')) set['tool_choice'] = 'auto'
  else leaveOut('tool_choice', set, drop)
}

const toolsNamed = (tools: readonly unknown[], name: string): readonly unknown[] =>
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
