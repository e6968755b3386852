import { messageEvent, messageStart, ping, wholeMessage } from './anthropic-stand-in'
import { geminiEvent, geminiReply } from './google-stand-in'
import type { HubVendor } from './hub-vendor'
import { response, responseStream } from './responses-stand-in'
import { chunk, usageChunk } from './stand-in'

/** A vendor's format as far as nothing is said in it. */
export interface EmptyFormat {
  readonly vendor: Pick<HubVendor, 'kind' | 'dialect'>
  readonly traits: HubVendor['models'][string]
  /** Events that announce an answer, and say nothing of it. */
  readonly announced: readonly string[]
  /** Events that end an answer in order, behind those: without output, and with output that was counted. */
  readonly end: readonly string[]
  readonly countedEnd: readonly string[]
  /** The same as the first, whole. */
  whole(): Response
}

const noUsage = { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100 }
const counted = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 }
const done = 'data: [DONE]\n\n'

const messageDelta = (tokens: number): string[] => [
  messageEvent({ type: 'content_block_stop', index: 0 }),
  messageEvent({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: tokens },
  }),
  messageEvent({ type: 'message_stop' }),
]

const geminiUsage = (tokens: number) => ({
  usageMetadata: {
    promptTokenCount: 100,
    candidatesTokenCount: tokens,
    totalTokenCount: 100 + tokens,
  },
})

const responsesUsage = (tokens: number) => ({
  usage: { input_tokens: 100, output_tokens: tokens, total_tokens: 100 + tokens },
})
const announcedResponse = responseStream([]).slice(0, 2)
const responseEnd = (tokens: number): string[] =>
  responseStream([], responsesUsage(tokens)).slice(-1)

/** Each format that vendors speak. */
export const emptyFormats: Readonly<Record<string, EmptyFormat>> = {
  chat: {
    vendor: { kind: 'openai', dialect: 'generic' },
    traits: {},
    announced: [chunk({ role: 'assistant', content: '' }), chunk({}), chunk({ content: '' })],
    end: [chunk({}, 'stop'), usageChunk(noUsage), done],
    countedEnd: [chunk({}, 'stop'), usageChunk(counted), done],
    whole: () =>
      Response.json({
        choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
        usage: noUsage,
      }),
  },
  messages: {
    vendor: { kind: 'anthropic' },
    traits: {},
    announced: [
      messageStart(),
      ping,
      messageEvent({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
    ],
    end: messageDelta(0),
    countedEnd: messageDelta(7),
    whole: () => wholeMessage([], 'end_turn', { input_tokens: 100, output_tokens: 0 }),
  },
  gemini: {
    vendor: { kind: 'google' },
    traits: {},
    announced: [geminiEvent(geminiReply([], null, geminiUsage(0)))],
    end: [geminiEvent(geminiReply([], 'STOP', geminiUsage(0)))],
    countedEnd: [geminiEvent(geminiReply([], 'STOP', geminiUsage(7)))],
    whole: () => Response.json(geminiReply([], 'STOP', geminiUsage(0))),
  },
  responses: {
    vendor: { kind: 'openai', dialect: 'openai' },
    traits: { chat: 'responses' },
    announced: announcedResponse,
    end: responseEnd(0),
    countedEnd: responseEnd(7),
    whole: () => Response.json(response([], responsesUsage(0))),
  },
}
