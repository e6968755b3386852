import { argumentsOf, fieldsOf, isCount, isFields, listOf, type Fields } from '../chat/wire'
import type { Delta, DeltaStream, Keepsake } from '../hub'
import { finishOf, isBreakdown } from './finish-reasons'
import { readGeminiUsage } from './usage'

export interface GeminiStreamParts {
  /** Makes the id of a call that has none. */
  callId(choice: number, tool: number): string
  /** @throws the vendor's failure that an event is */
  refuse(event: Fields): void
  /** @throws always: the prompt was refused */
  blocked(reason: string): never
  /** @throws always: the model broke down before it said anything */
  brokenDown(reason: string): never
}

interface Candidate {
  tools: number
  said: boolean
  finish: string | null
}

const none: readonly Delta[] = []

/**
 * A stream of Google's format as deltas; one event may hold the whole answer. It has no last event:
 * it is over when the connection ends and each candidate has told why it stopped.
 */
export function openGeminiStream(parts: GeminiStreamParts): DeltaStream {
  const candidates = new Map<number, Candidate>()
  const keepsakes: Keepsake[] = []
  let over = false

  const candidateAt = (index: number): Candidate => {
    let candidate = candidates.get(index)
    if (candidate === undefined)
      candidates.set(index, (candidate = { tools: 0, said: false, finish: null }))
    return candidate
  }

  const call = (choice: number, candidate: Candidate, part: Fields): readonly Delta[] => {
    const { id: given, name, args } = fieldsOf(part['functionCall'])
    const tool = candidate.tools++
    const id = typeof given === 'string' && given !== '' ? given : parts.callId(choice, tool)
    const { thoughtSignature: signature } = part
    const signed = typeof signature === 'string' && signature !== ''
    if (signed) keepsakes.push({ callIds: [id], value: signature })
    // The vendor's own extension, for clients that keep what they do not know.
    const extra = signed ? { extra_content: { google: { thought_signature: signature } } } : null
    return [
      { type: 'tool-start', choice, tool, id, name: String(name), ...(extra && { extra }) },
      { type: 'tool-arguments', choice, tool, text: argumentsOf(args) || '{}' },
    ]
  }

  const readPart = (choice: number, candidate: Candidate, part: Fields): readonly Delta[] => {
    if (isFields(part['functionCall'])) return call(choice, candidate, part)
    const { text } = part
    if (typeof text !== 'string' || text === '') return none
    return [{ type: part['thought'] === true ? 'reasoning' : 'text', choice, text }]
  }

  const readCandidate = (raw: Fields): readonly Delta[] => {
    const choice = isCount(raw['index']) ? raw['index'] : 0
    const candidate = candidateAt(choice)
    const said = listOf(fieldsOf(raw['content'])['parts']).flatMap((part) =>
      readPart(choice, candidate, fieldsOf(part)),
    )
    if (said.length > 0) candidate.said = true
    const { finishReason: reason } = raw
    if (typeof reason === 'string') {
      if (isBreakdown(reason) && ![...candidates.values()].some((each) => each.said))
        parts.brokenDown(reason)
      candidate.finish = reason
    }
    return said
  }

  const finishes = (): Delta[] =>
    [...candidates].map(([choice, { finish, tools }]) => {
      const reason = finishOf(finish ?? '', tools > 0)
      return { type: 'finish', choice, reason, stopSequence: null }
    })

  return {
    event(data) {
      const parsed: unknown = JSON.parse(data)
      const event: unknown = Array.isArray(parsed) ? parsed[0] : parsed
      if (!isFields(event)) return none
      if (event['error'] !== undefined) parts.refuse(event)
      const raw = listOf(event['candidates'])
      const { blockReason } = fieldsOf(event['promptFeedback'])
      if (raw.length === 0 && candidates.size === 0 && typeof blockReason === 'string')
        parts.blocked(blockReason)
      const deltas = raw.flatMap((each) => readCandidate(fieldsOf(each)))
      const usage = readGeminiUsage(event['usageMetadata'])
      if (usage !== null) deltas.push({ type: 'usage', usage })
      return deltas
    },
    ended() {
      const all = [...candidates.values()]
      if (over || all.length === 0 || all.some(({ finish }) => finish === null)) return none
      over = true
      return finishes()
    },
    complete: () => over,
    keepsakes: () => keepsakes,
  }
}
