import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { chunk, failure, usage, usageChunk } from '../support/stand-in'
import { pieces, type Said, type VendorReplies } from './scenarios'

/** JSON text in pieces of a few letters. */
const cut = (text: string): readonly string[] => text.match(/.{1,7}/gsu) ?? []

const delta = (index: number, rest: object) => chunk({ tool_calls: [{ index, ...rest }] })

/** Both calls begin before either has arguments, whose pieces then take turns. */
function callEvents(calls: Said['calls']): readonly string[] {
  const begun = calls.map(({ name }, index) =>
    delta(index, { id: `call_${index}`, type: 'function', function: { name, arguments: '' } }),
  )
  const texts = calls.map((call) => cut(JSON.stringify(call.arguments)))
  const longest = Math.max(0, ...texts.map(({ length }) => length))
  const said = Array.from({ length: longest }, (_, at) =>
    texts.flatMap((each, index) =>
      each[at] === undefined ? [] : [delta(index, { function: { arguments: each[at] } })],
    ),
  )
  return [...begun, ...said.flat()]
}

/** A vendor of the reference format. */
export const chatReplies: VendorReplies = {
  events: ({ says }) => [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...pieces(says.reasoning).map((reasoning_content) => chunk({ reasoning_content })),
    ...pieces(says.text).map((content) => chunk({ content })),
    ...callEvents(says.calls),
    chunk({}, says.finish),
    usageChunk(usage),
    'data: [DONE]\n\n',
  ],
  whole: ({ says }) => ({
    id: 'chatcmpl-vendor1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'vendor-model-2026',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: says.text,
          refusal: null,
          ...(says.reasoning === '' ? {} : { reasoning_content: says.reasoning }),
          ...(says.calls.length === 0
            ? {}
            : {
                tool_calls: says.calls.map((call, index) => ({
                  id: `call_${index}`,
                  type: 'function',
                  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
                })),
              }),
        },
        logprobs: null,
        finish_reason: says.finish,
      },
    ],
    usage,
  }),
  errorEvent: 'data: {"error":{"message":"sk-secret broke","type":"server_error","code":null}}\n\n',
  brokenBy: 'stream_interrupted',
  failing: failure(503, { message: 'full', type: 'server_error', code: 'overloaded' }),
  streams: ({ body }) => body['stream'] === true,
  told: { input: 100, cached: 0, written: 0, output: 50 },
  sees: (body) => ({
    image: JSON.stringify(body['messages']).includes('"image_url"'),
    tools: listOf(body['tools']).map((tool) =>
      String(fieldsOf(fieldsOf(tool)['function'])['name']),
    ),
    schema: fieldsOf(body['response_format'])['type'] === 'json_schema',
    ceiling: Number(body['max_tokens'] ?? body['max_completion_tokens'] ?? 0) || null,
  }),
}
