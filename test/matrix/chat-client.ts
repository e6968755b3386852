import { fieldsOf, isFields, listOf, type Fields } from '../../src/gateway/json/fields'
import { textOf } from '../../src/gateway/formats/chat/wire'
import { chunksOf, eventsOf } from '../support/sse'
import type { Answered, MatrixClient, Streamed } from './run-matrix'
import type { Said, Told } from './scenarios'
import { vendorReplies } from './vendor-replies'

/** Usage in the words of chat. */
export const toldOf = (usage: unknown): Told => {
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = fieldsOf(usage)
  const cached = Number(fieldsOf(details)['cached_tokens'])
  // The format has no word for what was written to a cache: it is what vendors here tell of it.
  const wrote = Object.values(vendorReplies).find(
    ({ told }) => told.input === Number(prompt_tokens) && told.cached === cached,
  )
  const written = wrote?.told.written ?? 0
  return { input: Number(prompt_tokens), cached, written, output: Number(completion_tokens) }
}

const callOf = (call: Fields) => {
  const { name, arguments: text } = fieldsOf(call['function'])
  return { name: String(name), arguments: JSON.parse(String(text)) as unknown }
}

/** The reference format. */
export const chatClient: MatrixClient = {
  name: 'chat completions',
  path: '/chat/completions',
  ask: (model, { text, image, tools, effort, schema, maxTokens }, stream) => ({
    model,
    messages: [
      {
        role: 'user',
        content:
          image === undefined
            ? text
            : [
                { type: 'text', text },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
              ],
      },
    ],
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map((name) => ({
            type: 'function',
            function: { name, parameters: { type: 'object', properties: {} } },
          })),
        }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(schema === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'trip', schema } } }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stream ? { stream } : {}),
  }),
  readWhole(body) {
    const { choices, usage } = fieldsOf(body)
    const choice = fieldsOf(listOf(choices)[0])
    const { content, reasoning_content: reasoning, tool_calls: calls } = fieldsOf(choice['message'])
    return {
      text: textOf(content) ?? '',
      reasoning: textOf(reasoning) ?? '',
      calls: listOf(calls).filter(isFields).map(callOf),
      finish: choice['finish_reason'] as Said['finish'],
      told: toldOf(usage),
    } satisfies Answered
  },
  readStream(text) {
    if (eventsOf(text).at(-1) !== '[DONE]') throw new Error('no terminator')
    const out = { text: '', reasoning: '', finish: 'stop' as Said['finish'] }
    const calls: { name: string; text: string }[] = []
    let error: string | null = null
    let last: Fields = {}
    for (const chunk of chunksOf(text) as unknown as Fields[]) {
      last = chunk
      if (isFields(chunk['error'])) error = String(chunk['error']['code'])
      const choice = fieldsOf(listOf(chunk['choices'])[0])
      const delta = fieldsOf(choice['delta'])
      out.text += textOf(delta['content']) ?? ''
      out.reasoning += textOf(delta['reasoning_content']) ?? ''
      for (const call of listOf(delta['tool_calls']).filter(isFields)) {
        const { name, arguments: piece } = fieldsOf(call['function'])
        const known = (calls[Number(call['index'])] ??= { name: String(name), text: '' })
        known.text += textOf(piece) ?? ''
      }
      if (typeof choice['finish_reason'] === 'string')
        out.finish = choice['finish_reason'] as Said['finish']
    }
    const parsed = (each: { name: string; text: string }) => ({
      name: each.name,
      arguments: error === null ? (JSON.parse(each.text) as unknown) : each.text,
    })
    return {
      ...out,
      calls: calls.map(parsed),
      told: toldOf(last['usage']),
      error,
      costUsd: String(last['cost_usd']),
    } satisfies Streamed
  },
  codeOf: (body) => String(fieldsOf(fieldsOf(body)['error'])['code']),
}
