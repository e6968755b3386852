import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { StreamCollector } from '../stream-collector'

/**
 * Events after which a response says no more, the whole of it inside.
 * @see openai/openai-openapi `ResponseStreamEvent`, 2.3.0 of 2026-08-21
 */
const lastEvents: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
])

/** Events of a stream of Responses as one response: the last one holds all of it. */
export function collectResponse(): StreamCollector {
  let response: Fields = {}
  return {
    add(event) {
      if (lastEvents.has(event['type'])) response = fieldsOf(event['response'])
    },
    closing() {},
    whole: (stopped) => (stopped ? cutResponse(response) : response),
  }
}

/** A response whose vendor had not ended it, as one that ended at its ceiling. */
function cutResponse(response: Fields): Fields {
  const items = listOf(response['output']).filter(isFields)
  const last = items.length - 1
  return {
    ...response,
    status: 'incomplete',
    error: null,
    incomplete_details: { reason: 'max_output_tokens' },
    output: items.map((item, at) =>
      at === last && item['status'] !== undefined ? { ...item, status: 'incomplete' } : item,
    ),
  }
}
