import { streamReply, type Script } from './stand-in'

/** OpenAI's Responses format, as it stands on the wire. */

export const responseUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 150,
}
/** In the words of chat. */
export const toldUsage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 20 },
}

export const message = (text: string, rest: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [], ...rest }],
})

export const functionCall = (id: string, name: string, args: string) => ({
  id: `fc_${id}`,
  type: 'function_call',
  call_id: id,
  name,
  arguments: args,
  status: 'completed',
})

export const reasoningItem = (sealed: string, ...summary: readonly string[]) => ({
  id: 'rs_1',
  type: 'reasoning',
  summary: summary.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: sealed,
})

export const compactionItem = (sealed: string) => ({
  id: 'cmp_1',
  type: 'compaction',
  encrypted_content: sealed,
})

type Item =
  | ReturnType<typeof message>
  | ReturnType<typeof functionCall>
  | ReturnType<typeof reasoningItem>
  | ReturnType<typeof compactionItem>

export const response = (output: readonly Item[], rest: object = {}) => ({
  id: 'resp_vendor',
  object: 'response',
  created_at: 1_763_600_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-vendor-2026',
  output,
  usage: responseUsage,
  ...rest,
})

/** The events of a response, numbered; each text and each input comes in pieces of four letters. */
export function responseStream(output: readonly Item[], rest: object = {}): string[] {
  const events: string[] = []
  const tell = (type: string, fields: object) => {
    const value = { type, sequence_number: events.length, ...fields }
    events.push(`event: ${type}\ndata: ${JSON.stringify(value)}\n\n`)
  }
  const pieces = (text: string) => [...(text.match(/[\s\S]{1,4}/gu) ?? [])]
  const begun = response([], { status: 'in_progress', usage: null })
  tell('response.created', { response: begun })
  tell('response.in_progress', { response: begun })
  output.forEach((item, output_index) => {
    const at = { output_index, item_id: item.id }
    tell('response.output_item.added', { output_index, item: emptied(item) })
    if ('summary' in item)
      item.summary.forEach((part, summary_index) => {
        const where = { ...at, summary_index }
        tell('response.reasoning_summary_part.added', { ...where, part: { ...part, text: '' } })
        for (const delta of pieces(part.text))
          tell('response.reasoning_summary_text.delta', { ...where, delta })
        tell('response.reasoning_summary_text.done', { ...where, text: part.text })
        tell('response.reasoning_summary_part.done', { ...where, part })
      })
    if ('content' in item)
      for (const part of item.content) {
        const where = { ...at, content_index: 0 }
        tell('response.content_part.added', {
          ...where,
          part: { ...part, text: '', annotations: [] },
        })
        for (const delta of pieces(part.text))
          tell('response.output_text.delta', { ...where, delta, logprobs: [] })
        part.annotations.forEach((annotation, annotation_index) =>
          tell('response.output_text.annotation.added', { ...at, annotation_index, annotation }),
        )
        tell('response.output_text.done', { ...where, text: part.text, logprobs: [] })
        tell('response.content_part.done', { ...where, part })
      }
    if ('arguments' in item) {
      for (const delta of pieces(item.arguments))
        tell('response.function_call_arguments.delta', { ...at, delta })
      tell('response.function_call_arguments.done', { ...at, arguments: item.arguments })
    }
    tell('response.output_item.done', { output_index, item })
  })
  const last = response(output, rest)
  tell(`response.${last.status}`, { response: last })
  return events
}

function emptied(item: Item): object {
  if ('arguments' in item) return { ...item, arguments: '', status: 'in_progress' }
  if ('content' in item) return { ...item, content: [], status: 'in_progress' }
  return 'summary' in item ? { ...item, summary: [] } : { ...item, encrypted_content: '' }
}

/** Whole or streamed, as asked. */
export const responds =
  (output: readonly Item[], rest: object = {}): Script =>
  (seen) =>
    seen.body['stream'] === true
      ? streamReply(responseStream(output, rest))
      : Response.json(response(output, rest))
