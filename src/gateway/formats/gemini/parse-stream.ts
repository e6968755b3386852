import type { Traits } from '../../../domain/model'
import type { Usage } from '../../../domain/usage'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import type { Delta, DeltaStream, ProviderState } from '../hub'
import { openFunctionCalls, type CallEvent, type FunctionCalls } from './function-calls'
import { openGrounding, type Grounding } from './grounding'
import { finishOf, isBreakdown } from './finish-reasons'
import { readGeminiUsage } from './usage'

/** Dependencies of reading an answer of Google's format. */
export interface GeminiStreamParts {
  readonly traits: Traits
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
  readonly calls: FunctionCalls
  said: boolean
  /** All of it, where it may be cited. */
  text: string
  grounding: Grounding | null
  finish: string | null
}

const none: readonly Delta[] = []

/**
 * A stream of Google's format as deltas; one event may hold the whole answer. It has no last event:
 * it is over when the connection ends and each candidate has told why it stopped.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`GenerateContentResponse`, `Candidate`, `Part`)
 */
export const openGeminiStream = (parts: GeminiStreamParts): DeltaStream => new GeminiStream(parts)

class GeminiStream implements DeltaStream {
  readonly #parts: GeminiStreamParts
  readonly #candidates = new Map<number, Candidate>()
  readonly #providerStates: ProviderState[] = []
  #over = false

  constructor(parts: GeminiStreamParts) {
    this.#parts = parts
  }

  event(data: string): readonly Delta[] {
    const parsed: unknown = JSON.parse(data)
    const event: unknown = Array.isArray(parsed) ? parsed[0] : parsed
    if (!isFields(event)) return none
    if (event['error'] !== undefined) this.#parts.refuse(event)
    const raw = listOf(event['candidates'])
    const { blockReason } = fieldsOf(event['promptFeedback'])
    if (raw.length === 0 && this.#candidates.size === 0 && typeof blockReason === 'string')
      this.#parts.blocked(blockReason)
    const deltas: Delta[] = []
    for (const each of raw)
      for (const delta of this.#readCandidate(fieldsOf(each))) deltas.push(delta)
    const usage = readGeminiUsage(event['usageMetadata'])
    if (usage !== null) deltas.push({ type: 'usage', usage: this.#withSearches(usage) })
    return deltas
  }

  ended(): readonly Delta[] {
    if (this.#over || !this.finished()) return none
    this.#over = true
    return [...this.#candidates].flatMap(([choice, candidate]) => this.#finish(choice, candidate))
  }

  finished(): boolean {
    const all = [...this.#candidates.values()]
    return all.length > 0 && all.every(({ finish }) => finish !== null)
  }

  complete(): boolean {
    return this.#over
  }

  providerStates(): readonly ProviderState[] {
    return this.#providerStates
  }

  #readCandidate(raw: Fields): readonly Delta[] {
    const choice = isCount(raw['index']) ? raw['index'] : 0
    const candidate = this.#candidateAt(choice)
    const said: Delta[] = []
    for (const part of listOf(fieldsOf(raw['content'])['parts']))
      for (const delta of this.#readPart(choice, candidate, fieldsOf(part))) said.push(delta)
    if (said.length > 0) candidate.said = true
    const logprobs = logprobsOf(raw['logprobsResult'])
    const { finishReason: reason, groundingMetadata: grounding } = raw
    if (isFields(grounding))
      (candidate.grounding ??= openGrounding(this.#parts.traits)).add(grounding)
    if (typeof reason === 'string') {
      if (isBreakdown(reason) && !this.#saidAny()) this.#parts.brokenDown(reason)
      candidate.finish = reason
    }
    return logprobs.length === 0 ? said : withLogprobs(said, logprobs)
  }

  #candidateAt(index: number): Candidate {
    let candidate = this.#candidates.get(index)
    if (candidate === undefined) {
      const calls = openFunctionCalls()
      candidate = { calls, said: false, text: '', grounding: null, finish: null }
      this.#candidates.set(index, candidate)
    }
    return candidate
  }

  #saidAny(): boolean {
    return [...this.#candidates.values()].some(({ said }) => said)
  }

  #readPart(choice: number, candidate: Candidate, part: Fields): readonly Delta[] {
    const { functionCall: call, thoughtSignature: signature } = part
    if (isFields(call))
      return candidate.calls.read(call).map((event) => this.#called(choice, event, signature))
    const { text } = part
    if (typeof text !== 'string' || text === '') return none
    if (part['thought'] !== true) candidate.text += text
    return [{ type: part['thought'] === true ? 'reasoning' : 'text', choice, text }]
  }

  /** @param signature of the part that the call began in */
  #called(choice: number, event: CallEvent, signature: unknown): Delta {
    const { tool } = event
    if (event.type === 'arguments')
      return { type: 'tool-arguments', choice, tool, text: event.text }
    const { id: given, name } = event
    const id = typeof given === 'string' && given !== '' ? given : this.#parts.callId(choice, tool)
    const signed = typeof signature === 'string' && signature !== ''
    if (signed)
      this.#providerStates.push({ choice, callIds: [id], value: signature, isSealed: true })
    // The vendor's own extension, for clients that keep what they do not know (ai.google.dev, OpenAI
    // compatibility).
    const extra = signed ? { extra_content: { google: { thought_signature: signature } } } : null
    return { type: 'tool-start', choice, tool, id, name, ...(extra && { extra }) }
  }

  #finish(choice: number, { finish, calls, text, grounding }: Candidate): readonly Delta[] {
    const reason = finishOf(finish ?? '', calls.count > 0)
    const cited = grounding?.annotations(text) ?? []
    return [
      ...calls.end().map((event) => this.#called(choice, event, null)),
      ...cited.map((annotation) => ({ type: 'annotation', choice, annotation }) as const),
      { type: 'finish', choice, reason, stopSequence: null },
    ]
  }

  /** The vendor's usage does not count searches. */
  #withSearches(usage: Usage): Usage {
    let searches = 0
    for (const { grounding } of this.#candidates.values()) searches += grounding?.searches() ?? 0
    if (searches === 0) return usage
    return { ...usage, units: { ...usage.units, 'tool:web_search': searches } }
  }
}

/** They are told of all that one event says. */
function withLogprobs(said: readonly Delta[], logprobs: readonly Fields[]): readonly Delta[] {
  const first = said.findIndex(({ type }) => type === 'text')
  return said.map((delta, at) =>
    delta.type === 'text' && at === first ? { ...delta, logprobs } : delta,
  )
}

/** How likely the tokens of a candidate were (`LogprobsResult`), in the reference's shape. */
function logprobsOf(result: unknown): readonly Fields[] {
  const { topCandidates, chosenCandidates } = fieldsOf(result)
  const top = listOf(topCandidates)
  return listOf(chosenCandidates).map((chosen, at) => ({
    ...tokenOf(chosen),
    top_logprobs: listOf(fieldsOf(top[at])['candidates']).map(tokenOf),
  }))
}

function tokenOf(raw: unknown): Fields {
  const { token, logProbability } = fieldsOf(raw)
  const text = typeof token === 'string' ? token : ''
  return { token: text, logprob: logProbability ?? 0, bytes: [...new TextEncoder().encode(text)] }
}
