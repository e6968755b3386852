import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf } from '../chat/wire'

/**
 * A whole response as the data of the events of a stream, for vendors that do not stream.
 * @see openai/openai-openapi `ResponseStreamEvent`, 2.3.0 of 2026-08-21
 */
export function responseAsEvents(response: Fields): readonly string[] {
  const items = listOf(response['output']).filter(isFields)
  const { status } = response
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const ended = status === 'incomplete' ? 'response.incomplete' : 'response.completed'
  const events: Fields[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap(eventsOfItem),
    { type: ended, response },
  ]
  return events.map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }))
}

function eventsOfItem(item: Fields, output_index: number): Fields[] {
  const at = { item_id: item['id'], output_index }
  return [
    { type: 'response.output_item.added', output_index, item: emptied(item) },
    ...saidIn(item).flatMap((said) => said.map((event) => ({ ...event, ...at }))),
    { type: 'response.output_item.done', output_index, item },
  ]
}

const emptied = (item: Fields): Fields => ({
  ...item,
  ...(item['status'] === undefined ? {} : { status: 'in_progress' }),
  ...(item['content'] === undefined ? {} : { content: [] }),
  ...(item['summary'] === undefined ? {} : { summary: [] }),
  ...(typeof item['arguments'] === 'string' ? { arguments: '' } : {}),
  ...(item['input'] === undefined ? {} : { input: '' }),
})

function saidIn(item: Fields): Fields[][] {
  const { type, name, arguments: args } = item
  switch (type) {
    case 'message':
      return listOf(item['content']).filter(isFields).map(partEvents)
    case 'function_call':
      return [
        [
          { type: 'response.function_call_arguments.delta', delta: args },
          { type: 'response.function_call_arguments.done', name, arguments: args },
        ],
      ]
    case 'custom_tool_call':
      return [
        [
          { type: 'response.custom_tool_call_input.delta', delta: item['input'] },
          { type: 'response.custom_tool_call_input.done', input: item['input'] },
        ],
      ]
    case 'reasoning':
      return listOf(item['summary']).map((raw, summary_index) => {
        const part = fieldsOf(raw)
        const text = textOf(part['text']) ?? ''
        return [
          {
            type: 'response.reasoning_summary_part.added',
            summary_index,
            part: { ...part, text: '' },
          },
          { type: 'response.reasoning_summary_text.delta', summary_index, delta: text },
          { type: 'response.reasoning_summary_text.done', summary_index, text },
          { type: 'response.reasoning_summary_part.done', summary_index, part },
        ]
      })
  }
  return []
}

function partEvents(part: Fields, content_index: number): Fields[] {
  const { type, text, refusal, logprobs = [] } = part
  const opened = { type: 'response.content_part.added', content_index }
  const closed = { type: 'response.content_part.done', content_index, part }
  if (type === 'refusal')
    return [
      { ...opened, part: { ...part, refusal: '' } },
      { type: 'response.refusal.delta', content_index, delta: refusal },
      { type: 'response.refusal.done', content_index, refusal },
      closed,
    ]
  return [
    { ...opened, part: { ...part, text: '', annotations: [], logprobs: [] } },
    { type: 'response.output_text.delta', content_index, delta: text, logprobs },
    ...listOf(part['annotations']).map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      content_index,
      annotation_index,
      annotation,
    })),
    { type: 'response.output_text.done', content_index, text, logprobs },
    closed,
  ]
}
