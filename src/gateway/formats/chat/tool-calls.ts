import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { argumentsOf, wholeArguments } from './wire'

/**
 * Puts the tool-call deltas of one choice in order: index and type on each, ids that stay. openai-node 7.55
 * throws without the two, openai-node 6 loses the call; Mistral sends neither, Qwen later ids of `""`.
 * @see openai/openai-openapi `ChatCompletionMessageToolCallChunk`, 2.3.0 of 2026-08-21
 */
export interface ToolCallOrder {
  /** The deltas as clients expect them. @throws Error when there are too many calls */
  arrange(deltas: unknown): Fields[]
  /**
   * Gives `{}` to calls that came without arguments, since clients parse them. Asked once, at the end.
   * @param last the arranged deltas of the chunk that ends the choice
   */
  complete(last: readonly Fields[]): Fields[]
  readonly any: boolean
}

/**
 * Calls of one choice: a vendor that never stops opening them is cut. Each is remembered, and looked at again
 * when the choice ends.
 */
const maxCalls = 1024

/** Opens the order of one choice's calls. @param callId makes the id of a call whose vendor gave none */
export function openToolCallOrder(callId: (index: number) => string): ToolCallOrder {
  const byId = new Map<string, number>()
  const byVendorIndex = new Map<number, number>()
  /** Calls whose arguments are blank so far. */
  const blank = new Set<number>()
  let opened = 0

  const indexOf = (id: string, vendorIndex: number | null): number => {
    if (id !== '') {
      const known = byId.get(id)
      if (known !== undefined) return known
      // A second id under the same index is another call: servers numbered all calls 0 (ai-dynamo, PR 4723).
      const place = vendorIndex === null ? undefined : byVendorIndex.get(vendorIndex)
      const nameless = place !== undefined && ![...byId.values()].includes(place)
      const index = nameless ? place : opened
      byId.set(id, index)
      return index
    }
    if (vendorIndex !== null) return byVendorIndex.get(vendorIndex) ?? opened
    return Math.max(0, opened - 1)
  }

  return {
    get any() {
      return opened > 0
    },
    arrange: (deltas) =>
      listOf(deltas)
        .filter(isFields)
        .map((delta) => {
          const id = typeof delta['id'] === 'string' ? delta['id'] : ''
          const vendorIndex = isCount(delta['index']) ? delta['index'] : null
          const called = fieldsOf(delta['function'])
          const index = indexOf(id, vendorIndex)
          if (vendorIndex !== null) byVendorIndex.set(vendorIndex, index)
          const text = argumentsOf(called['arguments'])
          const isBlank = text.trim() === ''
          if (index < opened) {
            if (!isBlank) blank.delete(index)
            return { index, function: { arguments: text }, ...signedMembers(delta) }
          }
          if (index >= maxCalls) throw new Error('too many tool calls')
          opened = index + 1
          if (isBlank) blank.add(index)
          const kept = id === '' ? callId(index) : id
          byId.set(kept, index)
          return {
            index,
            id: kept,
            type: 'function',
            function: { name: nameOf(called), arguments: text },
            ...signedMembers(delta),
          }
        }),
    complete(last) {
      if (blank.size === 0) return [...last]
      // One delta for each call: clients join those of different chunks only.
      const completed = last.map((delta) =>
        blank.delete(Number(delta['index']))
          ? { ...delta, function: { ...fieldsOf(delta['function']), arguments: '{}' } }
          : delta,
      )
      const rest = [...blank].map((index) => ({ index, function: { arguments: '{}' } }))
      return [...completed, ...rest]
    },
  }
}

/** The calls of a whole message. */
export const wholeToolCalls = (calls: unknown, callId: (index: number) => string): Fields[] =>
  listOf(calls)
    .filter(isFields)
    .map((call, index) => {
      const called = fieldsOf(call['function'])
      const { id, type } = call
      if (typeof type === 'string' && type !== 'function' && type !== '') return call
      return {
        id: typeof id === 'string' && id !== '' ? id : callId(index),
        type: 'function',
        function: { name: nameOf(called), arguments: wholeArguments(called['arguments']) },
        ...signedMembers(call),
      }
    })

/**
 * Members of a call beside those of the reference: Gemini's thought signature, which must come back with it
 * (ai.google.dev, OpenAI compatibility, 2026-11). It may come on any delta of its call.
 */
const signedMembers = ({ extra_content: extra }: Fields): Fields =>
  isFields(extra) ? { extra_content: extra } : {}

/** Those members of a call as the middle format carries them. */
export const extraOf = (call: Fields): { readonly extra?: Fields } => {
  const extra = signedMembers(call)
  return Object.keys(extra).length === 0 ? {} : { extra }
}

/** Clients take it for a text, whatever a vendor puts there. */
const nameOf = ({ name }: Fields): string => (typeof name === 'string' ? name : '')
