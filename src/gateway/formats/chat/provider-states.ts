import type { ProviderState } from '../hub'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { textOf, type ThoughtMember } from './wire'

/**
 * What a turn in the chat format was thought with, which vendors want back with its calls: as text
 * (`reasoning_content`, `reasoning`), as signed parts (OpenRouter's `reasoning_details`), or as a signature on
 * each call (`extra_content` of Gemini behind this format).
 */
export interface TurnThought {
  readonly text: string
  /** Member that its vendor sent the text in. */
  readonly member: ThoughtMember
  readonly details: readonly Fields[]
  readonly signed: readonly SignedCall[]
}

interface SignedCall {
  readonly id: string
  readonly extra: Fields
}

interface ChatProviderStates {
  /**
   * @param delta of one choice, as the client gets it
   * @param thoughtIn member that the vendor thinks in
   */
  observe(choice: number, delta: Fields, thoughtIn: ThoughtMember): void
  providerStates(): readonly ProviderState[]
}

interface Choice {
  reasoning: string
  readonly details: Fields[]
  readonly callIds: string[]
  /** By the number of its call; it may come behind the id. */
  readonly extras: Map<number, Fields>
}

/** Collects what the turns of an answer were thought with. */
export function openChatProviderStates(): ChatProviderStates {
  const choices = new Map<number, Choice>()
  let member: ThoughtMember = 'reasoning_content'
  return {
    observe(index, delta, thoughtIn) {
      member = thoughtIn
      const reasoning = textOf(delta['reasoning_content']) ?? ''
      const details = listOf(delta['reasoning_details']).filter(isFields)
      const calls = listOf(delta['tool_calls']).filter(isFields)
      if (reasoning === '' && calls.length === 0 && details.length === 0) return
      let choice = choices.get(index)
      if (choice === undefined) {
        choice = { reasoning: '', details: [], callIds: [], extras: new Map() }
        choices.set(index, choice)
      }
      choice.reasoning += reasoning
      for (const call of calls) addCall(choice, call)
      for (const detail of details) addDetail(choice.details, detail)
    },
    providerStates: () =>
      [...choices].flatMap(([choice, each]) =>
        each.callIds.length === 0 ? [] : statesOf(choice, each, member),
      ),
  }
}

function addCall({ callIds, extras }: Choice, call: Fields): void {
  const { index, id, extra_content: extra } = call
  const place = isCount(index) ? index : 0
  if (typeof id === 'string' && id !== '') callIds[place] = id
  if (isFields(extra)) extras.set(place, extra)
}

/** The text stands in both states: without what is sealed it is still worth something. */
function statesOf(choice: number, from: Choice, member: ThoughtMember): readonly ProviderState[] {
  const { reasoning: text, details, extras } = from
  const signed = [...extras].flatMap(([place, extra]): SignedCall[] => {
    const id = from.callIds[place]
    return id === undefined ? [] : [{ id, extra }]
  })
  const callIds = from.callIds.filter((id) => id !== undefined)
  const stateOf = (value: Partial<TurnThought>, isSealed: boolean) =>
    ({ choice, callIds, value, isSealed }) satisfies ProviderState
  return [
    ...(text === '' ? [] : [stateOf({ text, member }, false)]),
    ...(details.length + signed.length === 0
      ? []
      : [stateOf({ text, member, details, signed }, true)]),
  ]
}

/** What is remembered of a turn; null where that is nothing of a vendor of this format. */
export function readTurnThought(value: unknown): TurnThought | null {
  if (!isFields(value)) return null
  const { text, member, details, signed } = value
  return {
    text: typeof text === 'string' ? text : '',
    member: member === 'reasoning' ? member : 'reasoning_content',
    details: listOf(details).filter(isFields),
    signed: listOf(signed).flatMap((each): SignedCall[] => {
      const { id, extra } = fieldsOf(each)
      return typeof id === 'string' && isFields(extra) ? [{ id, extra }] : []
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

/** What a whole answer was thought with. */
export function chatProviderStates(
  choices: readonly Fields[],
  thoughtIn: ThoughtMember,
): readonly ProviderState[] {
  const all = openChatProviderStates()
  choices.forEach((choice, index) => {
    const message = fieldsOf(choice['message'])
    all.observe(index, { ...message, tool_calls: inOrder(message['tool_calls']) }, thoughtIn)
  })
  return all.providerStates()
}

/** Calls of a whole answer: some vendors number each of them 0. */
const inOrder = (calls: unknown): readonly Fields[] =>
  listOf(calls)
    .filter(isFields)
    .map((call, index) => ({ ...call, index }))
