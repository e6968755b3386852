import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { wholeArguments } from '../chat/wire'
import type { Delta, DeltaStream } from '../hub'
import { annotationOf, finishOf, keepsakesOf, tokensOf } from './output-items'
import { searches, usageOfResponse } from './hosted-tools'

export interface ResponsesStreamParts {
  /** @throws the vendor's failure that an event is */
  refuse(event: Fields): void
}

interface Call {
  readonly tool: number
  begun: boolean
}

const none: readonly Delta[] = []
const choice = 0

/** A stream of the Responses format as deltas. */
export function openResponsesStream({ refuse }: ResponsesStreamParts): DeltaStream {
  /** By the place of their item: ids may be missing. */
  const calls = new Map<unknown, Call>()
  const callIds: string[] = []
  const reasoning: Fields[] = []
  let thought = false
  let begun = false
  let over = false

  const text = (type: 'text' | 'reasoning' | 'refusal', piece: unknown): readonly Delta[] => {
    if (typeof piece !== 'string' || piece === '') return none
    if (type === 'reasoning') thought = true
    return [{ type, choice, text: piece }]
  }

  const said = (piece: unknown, logprobs: readonly Fields[]): readonly Delta[] =>
    typeof piece === 'string' && piece !== '' && logprobs.length > 0
      ? [{ type: 'text', choice, text: piece, logprobs }]
      : text('text', piece)

  const open = (index: unknown, item: Fields): readonly Delta[] => {
    begun = true
    if (item['type'] !== 'function_call') return none
    const tool = callIds.length
    const id = String(item['call_id'] ?? item['id'])
    callIds.push(id)
    calls.set(index, { tool, begun: false })
    return [{ type: 'tool-start', choice, tool, id, name: String(item['name']) }]
  }

  const input = (index: unknown, piece: unknown): readonly Delta[] => {
    const call = calls.get(index)
    if (call === undefined || typeof piece !== 'string' || piece === '') return none
    call.begun = true
    return [{ type: 'tool-arguments', choice, tool: call.tool, text: piece }]
  }

  const close = (index: unknown, item: Fields): readonly Delta[] => {
    if (item['type'] === 'reasoning') reasoning.push(item)
    if (item['type'] !== 'function_call') return none
    const opened = calls.has(index) ? none : open(index, item)
    if (calls.get(index)?.begun === true) return opened
    return [...opened, ...input(index, wholeArguments(item['arguments']))]
  }

  const finish = (response: Fields): readonly Delta[] => {
    over = true
    const usage = usageOfResponse(response, searches)
    const reason = finishOf(response, callIds.length > 0)
    const last: Delta = { type: 'finish', choice, reason, stopSequence: null }
    return usage === null ? [last] : [{ type: 'usage', usage }, last]
  }

  return {
    event(data) {
      const event: unknown = data.startsWith('[DONE]') ? null : JSON.parse(data)
      if (!isFields(event) || over) return none
      const index = event['output_index']
      switch (event['type']) {
        case 'response.output_text.delta':
          return said(event['delta'], tokensOf(event['logprobs']))
        case 'response.refusal.delta':
          return text('refusal', event['delta'])
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return text('reasoning', event['delta'])
        case 'response.reasoning_summary_part.added':
          return thought ? text('reasoning', '\n\n') : none
        case 'response.function_call_arguments.delta':
          return input(index, event['delta'])
        case 'response.output_item.added':
          return open(index, fieldsOf(event['item']))
        case 'response.output_item.done':
          return close(index, fieldsOf(event['item']))
        case 'response.output_text.annotation.added': {
          const annotation = annotationOf(event['annotation'])
          return annotation === null ? none : [{ type: 'annotation', choice, annotation }]
        }
        case 'response.completed':
        case 'response.incomplete':
          return finish(fieldsOf(event['response']))
        case 'response.failed':
          refuse(fieldsOf(event['response']))
          throw new Error('a response that failed without a reason')
        case 'error':
          refuse(event)
      }
      if (event['error'] !== undefined && event['error'] !== null) refuse(event)
      return none
    },
    ended: () => none,
    begun: () => begun,
    complete: () => over,
    keepsakes: () => keepsakesOf(reasoning, callIds),
  }
}
