import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { wholeArguments } from '../chat/wire'
import type { Delta, DeltaStream, ProviderState } from '../hub'
import { annotationOf, finishOf, providerStatesOf, tokensOf } from './output-items'
import { searches, usageOfResponse } from './hosted-tools'

interface ResponsesStreamParts {
  /** @throws the vendor's failure that an event is */
  refuse(event: Fields): void
}

interface Call {
  readonly tool: number
  begun: boolean
}

const none: readonly Delta[] = []
const choice = 0

/**
 * A stream of the Responses format as deltas; `completed`, `incomplete` and `failed` all carry usage.
 * @see openai/openai-openapi `ResponseStreamEvent`, 2.3.0 of 2026-08-21
 */
export const openResponsesStream = (parts: ResponsesStreamParts): DeltaStream =>
  new ResponsesStream(parts)

class ResponsesStream implements DeltaStream {
  readonly #parts: ResponsesStreamParts
  /** By the place of their item: ids may be missing. */
  readonly #calls = new Map<unknown, Call>()
  readonly #callIds: string[] = []
  readonly #reasoning: Fields[] = []
  #thought = false
  #thinks = false
  #over = false

  constructor(parts: ResponsesStreamParts) {
    this.#parts = parts
  }

  event(data: string): readonly Delta[] {
    const event: unknown = data.startsWith('[DONE]') ? null : JSON.parse(data)
    if (!isFields(event) || this.#over) return none
    const index = event['output_index']
    switch (event['type']) {
      case 'response.output_text.delta':
        return said(event['delta'], tokensOf(event['logprobs']))
      case 'response.refusal.delta':
        return piece('refusal', event['delta'])
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#think(event['delta'])
      case 'response.reasoning_summary_part.added':
        return this.#thought ? this.#think('\n\n') : none
      case 'response.function_call_arguments.delta':
        return this.#input(index, event['delta'])
      case 'response.output_item.added':
        return this.#open(index, fieldsOf(event['item']))
      case 'response.output_item.done':
        return this.#close(index, fieldsOf(event['item']))
      case 'response.output_text.annotation.added':
        return annotated(event['annotation'])
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(fieldsOf(event['response']))
    }
    this.#refuseFailure(event)
    return none
  }

  ended(): readonly Delta[] {
    return none
  }

  thinks(): boolean {
    return this.#thinks
  }

  complete(): boolean {
    return this.#over
  }

  providerStates(): readonly ProviderState[] {
    return providerStatesOf(this.#reasoning, this.#callIds)
  }

  #think(text: unknown): readonly Delta[] {
    const deltas = piece('reasoning', text)
    if (deltas.length > 0) this.#thought = true
    return deltas
  }

  #open(index: unknown, item: Fields): readonly Delta[] {
    if (item['type'] === 'reasoning') this.#thinks = true
    if (item['type'] !== 'function_call') return none
    const tool = this.#callIds.length
    const id = String(item['call_id'] ?? item['id'])
    this.#callIds.push(id)
    this.#calls.set(index, { tool, begun: false })
    return [{ type: 'tool-start', choice, tool, id, name: String(item['name']) }]
  }

  #input(index: unknown, text: unknown): readonly Delta[] {
    const call = this.#calls.get(index)
    if (call === undefined || typeof text !== 'string' || text === '') return none
    call.begun = true
    return [{ type: 'tool-arguments', choice, tool: call.tool, text }]
  }

  #close(index: unknown, item: Fields): readonly Delta[] {
    if (item['type'] === 'reasoning') this.#reasoning.push(item)
    if (item['type'] !== 'function_call') return none
    const opened = this.#calls.has(index) ? none : this.#open(index, item)
    if (this.#calls.get(index)?.begun === true) return opened
    return [...opened, ...this.#input(index, wholeArguments(item['arguments']))]
  }

  #finish(response: Fields): readonly Delta[] {
    this.#over = true
    const usage = usageOfResponse(response, searches)
    const reason = finishOf(response, this.#callIds.length > 0)
    const last: Delta = { type: 'finish', choice, reason, stopSequence: null }
    return usage === null ? [last] : [{ type: 'usage', usage }, last]
  }

  /** @throws the vendor's failure, when the event is one */
  #refuseFailure(event: Fields): void {
    const { type, error, response } = event
    if (type === 'response.failed') {
      this.#parts.refuse(fieldsOf(response))
      throw new Error('response failed without a reason')
    }
    if (type === 'error') this.#parts.refuse(event)
    if (error !== undefined && error !== null) this.#parts.refuse(event)
  }
}

const piece = (type: 'text' | 'reasoning' | 'refusal', text: unknown): readonly Delta[] =>
  typeof text === 'string' && text !== '' ? [{ type, choice, text }] : none

const said = (text: unknown, logprobs: readonly Fields[]): readonly Delta[] =>
  typeof text === 'string' && text !== '' && logprobs.length > 0
    ? [{ type: 'text', choice, text, logprobs }]
    : piece('text', text)

function annotated(value: unknown): readonly Delta[] {
  const annotation = annotationOf(value)
  return annotation === null ? none : [{ type: 'annotation', choice, annotation }]
}
