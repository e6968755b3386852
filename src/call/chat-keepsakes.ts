import { fieldsOf, isFields, listOf, textOf, type Fields } from '../formats/chat/wire'
import type { Keepsake } from '../formats/hub'

/** Reasoning of an answer in the chat format, which some vendors want back with its calls. */
export interface ChatKeepsakes {
  /** @param delta of one choice, as the client gets it */
  observe(choice: number, delta: Fields): void
  keepsakes(): readonly Keepsake[]
}

export function openChatKeepsakes(): ChatKeepsakes {
  const choices = new Map<number, { reasoning: string; readonly callIds: string[] }>()
  return {
    observe(index, delta) {
      const reasoning = textOf(delta['reasoning_content']) ?? ''
      const ids = callIdsOf(delta)
      if (reasoning === '' && ids.length === 0) return
      let choice = choices.get(index)
      if (choice === undefined) choices.set(index, (choice = { reasoning: '', callIds: [] }))
      choice.reasoning += reasoning
      choice.callIds.push(...ids)
    },
    keepsakes: () =>
      [...choices.values()]
        .filter(({ reasoning, callIds }) => reasoning !== '' && callIds.length > 0)
        .map(({ reasoning, callIds }) => ({ callIds, value: reasoning })),
  }
}

const callIdsOf = (delta: Fields): readonly string[] =>
  listOf(delta['tool_calls'])
    .filter(isFields)
    .flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []))

/** The same of a whole answer. */
export function chatKeepsakes(choices: readonly Fields[]): readonly Keepsake[] {
  const all = openChatKeepsakes()
  choices.forEach((choice, index) => all.observe(index, fieldsOf(choice['message'])))
  return all.keepsakes()
}
