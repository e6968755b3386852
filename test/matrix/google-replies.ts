import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import {
  call,
  geminiError,
  geminiEvent,
  geminiReply,
  geminiStream,
  isStreaming,
} from '../support/google-stand-in'
import { pieces, type Said, type VendorReplies } from './scenarios'

const stops: Readonly<Record<Said['finish'], string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
}

const partsOf = ({ reasoning, text, calls }: Said): object[][] => [
  ...pieces(reasoning).map((each) => [{ text: each, thought: true }]),
  ...pieces(text).map((each) => [{ text: each }]),
  // Calls come whole, and all at once.
  ...(calls.length === 0 ? [] : [calls.map((each) => call(each.name, fieldsOf(each.arguments)))]),
]

/** Google's own format. */
export const googleReplies: VendorReplies = {
  events: ({ says }) => geminiStream(partsOf(says), stops[says.finish]),
  whole: ({ says }) => geminiReply(partsOf(says).flat(), stops[says.finish]),
  errorEvent: geminiEvent({
    error: { code: 503, status: 'UNAVAILABLE', message: 'sk-secret broke' },
  }),
  brokenBy: 'upstream_capacity_full',
  failing: geminiError(503, 'UNAVAILABLE', 'The model is overloaded.'),
  streams: isStreaming,
  told: { input: 1040, cached: 1000, written: 0, output: 25 },
  sees(body) {
    const generation = fieldsOf(body['generationConfig'])
    const declared = listOf(body['tools']).flatMap((tool) =>
      listOf(fieldsOf(tool)['functionDeclarations']),
    )
    return {
      image: JSON.stringify(body['contents']).includes('"inlineData"'),
      tools: declared.map((tool) => String(fieldsOf(tool)['name'])),
      schema: generation['responseJsonSchema'] !== undefined,
      ceiling: Number(generation['maxOutputTokens'] ?? 0) || null,
    }
  },
}
