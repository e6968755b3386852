import type { Usage } from '../domain/usage'
import { readLanguage } from '../http/language'
import { unixSeconds } from '../domain/clock'
import { GatewayError } from '../errors/gateway-error'
import { readChatReply } from '../formats/chat/reply'
import { openChatStream, type ChatStream } from '../formats/chat/stream'
import type { Fields, ReplyIdentity } from '../formats/chat/wire'
import { openFrames } from '../formats/frames'
import { estimateTokens } from '../metering/estimate-text'
import { emptySource } from '../outbound/open-source'
import type { ByteSource, Reply } from '../outbound/reply'
import type { ChatAbility, Target } from '../vendors/vendor'
import type { Answer, AskParts, StreamAnswer, WholeAnswer } from './endpoint'

/** What reading a vendor's chat answer needs. */
export interface TextAnswerParts {
  readonly ability: ChatAbility
  readonly target: Target
  readonly call: AskParts
  /** The model as the client named it. */
  readonly model: string
  readonly stream: boolean
  /** Calibrated prompt tokens, for vendors that tell none. */
  readonly promptTokens: number
}

/** @throws GatewayError the vendor's failure inside a success | Error when it is no chat answer */
export async function readTextAnswer(reply: Reply, parts: TextAnswerParts): Promise<Answer> {
  if (!parts.stream) return whole(await reply.text(), parts)
  const isStream = reply.headers.get('content-type')?.includes('event-stream') === true
  if (isStream) return await openStream(reply.source, parts)
  return streamOfWhole(await reply.text(), parts)
}

const identityOf = ({ call, model }: TextAnswerParts): ReplyIdentity => ({
  id: call.inbound.requestId,
  model,
  created: unixSeconds(call.inbound.received),
})

const refuseFailure =
  ({ target, call }: TextAnswerParts) =>
  (reply: Fields) => {
    if (reply['error'] === undefined && reply['choices'] !== undefined) return
    const failure = target.vendor.embeddedFailure(reply, call.offer.model.id)
    if (failure !== null) throw failure
  }

const estimated = (input: number, output: number): Usage => ({
  units: { input, output },
  reasoning: 0,
  estimated: true,
})

function readWhole(text: string, parts: TextAnswerParts) {
  return readChatReply(text, {
    identity: identityOf(parts),
    normalise: parts.ability.normalise,
    refuseFailure: refuseFailure(parts),
    estimate: (answer) => estimated(parts.promptTokens, estimateTokens(answer)),
  })
}

function whole(text: string, parts: TextAnswerParts): WholeAnswer {
  const { body, usage } = readWhole(text, parts)
  return { kind: 'whole', contentType: 'application/json', body, usage: () => usage }
}

const encoder = new TextEncoder()

const bytes = (text: string): Uint8Array<ArrayBuffer> | null =>
  text === '' ? null : encoder.encode(text)

function openStreamFor(parts: TextAnswerParts): ChatStream {
  return openChatStream({
    identity: identityOf(parts),
    normalise: parts.ability.normalise,
    refuseFailure: refuseFailure(parts),
    countTokens: estimateTokens,
  })
}

/** Waits for the first event that says something: a failure before it is an ordinary error. */
async function openStream(source: ByteSource, parts: TextAnswerParts): Promise<StreamAnswer> {
  const frames = openFrames()
  const stream = openStreamFor(parts)
  let broken: Error | null = null
  /** What stood before a broken event was said, and is passed. */
  const events = (data: readonly string[]): string => {
    let out = ''
    try {
      for (const each of data) out += stream.event(each)
    } catch (thrown) {
      broken = thrown instanceof Error ? thrown : new Error('an event that cannot be read')
    }
    return out
  }

  let head = ''
  while (head === '' && !stream.complete()) {
    const piece = await source.read()
    head += events(piece === null ? frames.end() : frames.push(piece))
    if (head !== '') break
    if (broken !== null) throw broken
    if (piece !== null) continue
    stream.ended()
    throw new Error('a stream without an answer')
  }
  return {
    ...streamAnswer(stream, parts),
    head: bytes(head),
    source,
    broken: () => broken,
    pass: (chunk) => bytes(events(frames.push(chunk))),
    ended() {
      stream.ended()
      return bytes(events(frames.end()))
    },
  }
}

function streamAnswer(stream: ChatStream, parts: TextAnswerParts) {
  const language = () => readLanguage(parts.call.inbound.headers)
  return {
    kind: 'stream',
    sent: stream.sent,
    complete: stream.complete,
    usage: () => stream.toldUsage() ?? estimated(parts.promptTokens, stream.countedTokens()),
    close: ({ error, usage, costUsd }) =>
      encoder.encode(
        stream.close({ error: error === null ? null : error.body(language()), usage, costUsd }),
      ),
  } satisfies Partial<StreamAnswer>
}

/** A vendor that answers a stream request whole: its answer is one event of ours. */
function streamOfWhole(text: string, parts: TextAnswerParts): StreamAnswer {
  const { choices, usage } = readWhole(text, parts)
  const stream = openStreamFor(parts)
  const head = stream.event(JSON.stringify({ choices }))
  stream.ended()
  if (head === '') throw new GatewayError('upstream_error', { model: parts.call.offer.model.id })
  return {
    ...streamAnswer(stream, parts),
    usage: () => usage,
    head: bytes(head),
    source: emptySource(),
    broken: () => null,
    pass: () => null,
    ended: () => null,
  }
}
