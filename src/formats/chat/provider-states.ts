import type { ProviderState } from '../hub'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf } from './wire'

/**
 * Reasoning of an answer in the chat format, which some vendors want back with its calls: DeepSeek and Kimi
 * as `reasoning_content` (api-docs.deepseek.com, `thinking_mode`), OpenRouter as `reasoning_details`.
 */
interface ChatProviderStates {
  /** @param delta of one choice, as the client gets it */
  observe(choice: number, delta: Fields): void
  providerStates(): readonly ProviderState[]
}

interface Choice {
  reasoning: string
  /** Signed parts, of a vendor of vendors. */
  readonly details: Fields[]
  readonly callIds: string[]
}

export function openChatProviderStates(): ChatProviderStates {
  const choices = new Map<number, Choice>()
  return {
    observe(index, delta) {
      const reasoning = textOf(delta['reasoning_content']) ?? ''
      const details = listOf(delta['reasoning_details']).filter(isFields)
      const ids = callIdsOf(delta)
      if (reasoning === '' && ids.length === 0 && details.length === 0) return
      let choice = choices.get(index)
      if (choice === undefined)
        choices.set(index, (choice = { reasoning: '', details: [], callIds: [] }))
      choice.reasoning += reasoning
      choice.callIds.push(...ids)
      for (const detail of details) addDetail(choice.details, detail)
    },
    providerStates: () =>
      [...choices].flatMap(([choice, { reasoning, details, callIds }]): ProviderState[] => {
        const isSealed = details.length > 0
        const value = isSealed ? details : reasoning
        return value === '' || callIds.length === 0 ? [] : [{ choice, callIds, value, isSealed }]
      }),
  }
}

/** Appends a piece to the last part when both have the same index and type. */
function addDetail(details: Fields[], piece: Fields): void {
  const last = details.at(-1)
  if (last === undefined || last['index'] !== piece['index'] || last['type'] !== piece['type']) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name]
    const grows = name === 'text' || name === 'summary' || name === 'data'
    if (grows && typeof before === 'string' && typeof value === 'string')
      last[name] = before + value
    else if (value !== null && value !== undefined) last[name] = value
  }
}

const callIdsOf = (delta: Fields): readonly string[] =>
  listOf(delta['tool_calls'])
    .filter(isFields)
    .flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []))

/** Reasoning of a whole answer, with the calls it led to. */
export function chatProviderStates(choices: readonly Fields[]): readonly ProviderState[] {
  const all = openChatProviderStates()
  choices.forEach((choice, index) => all.observe(index, fieldsOf(choice['message'])))
  return all.providerStates()
}
