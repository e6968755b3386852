import { streamReply, type Script, type StreamOptions } from './stand-in'

/** Google's own format, as it stands on the wire. */

const usageMetadata = {
  promptTokenCount: 1040,
  cachedContentTokenCount: 1000,
  candidatesTokenCount: 13,
  thoughtsTokenCount: 12,
  totalTokenCount: 1065,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1040 }],
}
/** In the reference's words. */
export const toldUsage = {
  prompt_tokens: 1040,
  completion_tokens: 25,
  total_tokens: 1065,
  prompt_tokens_details: { cached_tokens: 1000 },
  completion_tokens_details: { reasoning_tokens: 12 },
}

export const geminiReply = (
  parts: readonly object[],
  finish: string | null = null,
  rest: object = {},
): object => ({
  candidates: [
    {
      content: { role: 'model', parts },
      ...(finish === null ? {} : { finishReason: finish }),
      index: 0,
    },
  ],
  usageMetadata,
  modelVersion: 'gemini-vendor',
  responseId: 'abc',
  ...rest,
})

export const geminiEvent = (value: unknown): string => `data: ${JSON.stringify(value)}\r\n\r\n`

/** Each list of parts is an event; the last tells why it ends. There is no terminator. */
export const geminiStream = (
  events: readonly (readonly object[])[],
  finish: string | null = 'STOP',
): string[] =>
  events.map((parts, at) =>
    geminiEvent(geminiReply(parts, at === events.length - 1 ? finish : null)),
  )

export const call = (name: string, args: object, signature?: string, id?: string) => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args },
  ...(signature === undefined ? {} : { thoughtSignature: signature }),
})

/** Tells by the path whether a stream is wanted, as the vendor does. */
export const isStreaming = (seen: { readonly path: string }): boolean =>
  seen.path.endsWith(':streamGenerateContent')

export const answers =
  (
    events: readonly (readonly object[])[],
    finish: string | null = 'STOP',
    options: StreamOptions = {},
  ): Script =>
  (seen) =>
    isStreaming(seen)
      ? streamReply(geminiStream(events, finish), options)
      : Response.json(geminiReply(events.flat(), finish))

export const saysGemini = (text = 'Hello from Gemini', options: StreamOptions = {}): Script =>
  answers(
    (text.match(/\s*\S+/g) ?? []).map((each) => [{ text: each }]),
    'STOP',
    options,
  )

export const geminiError =
  (code: number, status: string, message: string, details: readonly object[] = []): Script =>
  (seen) => {
    const error = { error: { code, message, status, details } }
    return Response.json(isStreaming(seen) ? [error] : error, { status: code })
  }
