import { unixSeconds } from '../../domain/clock'
import { GatewayError } from '../../errors/gateway-error'
import { chatKeepsakes, openChatKeepsakes } from '../../formats/chat/keepsakes'
import { readChatReply } from '../../formats/chat/reply'
import { openChatStream } from '../../formats/chat/stream'
import type { Fields } from '../../json/fields'
import type { ReplyIdentity } from '../../formats/chat/wire'
import type { Keepsake } from '../../formats/hub'
import type { TextStream } from '../../formats/hub-stream'
import { estimateTokens } from '../../metering/estimate-text'
import type { Reply } from '../../outbound/http1/reply'
import type { ChatAbility, Target } from '../../vendors/vendor'
import type { Answer, AskParts, StreamAnswer, WholeAnswer } from '../../call/endpoint'
import { memoryPlace } from '../../call/reasoning-memory'
import { estimatedUsage, readTextStream, rememberingStream, wholeAsStream } from './text-stream'
import {
  isAbridged,
  passedReply,
  readAbridged,
  replyText,
  wholeText,
  type PassedReply,
} from '../whole-reply'

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
export function readTextAnswer(reply: Reply, parts: TextAnswerParts): Answer | Promise<Answer> {
  if (parts.stream && isEventStream(reply))
    return readTextStream(reply.source, openStreamFor(parts), parts)
  // What is remembered must be known to the letter.
  if (parts.stream || wantsReasoning(parts)) {
    const text = replyText(reply)
    const read = parts.stream ? streamOfWhole : whole
    return typeof text === 'string' ? read(text, parts) : text.then((came) => read(came, parts))
  }
  const passed = passedReply(reply)
  return passed instanceof Promise
    ? passed.then((came) => passedWhole(came, parts))
    : passedWhole(passed, parts)
}

/** Whether a vendor streams; some answer whole although a stream was asked for. */
export const isEventStream = ({ headers }: Reply): boolean =>
  headers.get('content-type')?.includes('event-stream') === true

/** What our replies carry. @param model as the client named it */
export const replyIdentity = ({ inbound }: AskParts, model: string): ReplyIdentity => ({
  id: inbound.requestId,
  model,
  created: unixSeconds(inbound.received),
})

const refuseFailure =
  ({ target, call }: TextAnswerParts) =>
  (reply: Fields) => {
    if (reply['error'] === undefined && reply['choices'] !== undefined) return
    const failure = target.vendor.embeddedFailure(reply, call.offer.model.id)
    if (failure !== null) throw failure
  }

function readWhole(
  text: string,
  parts: TextAnswerParts,
  estimate = (answer: string) => estimatedUsage(parts.promptTokens, estimateTokens(answer)),
) {
  const reply = readChatReply(text, {
    identity: replyIdentity(parts.call, parts.model),
    normalise: parts.ability.normalise,
    refuseFailure: refuseFailure(parts),
    estimate,
  })
  if (wantsReasoning(parts)) chatKeepsakes(reply.choices).forEach(rememberer(parts))
  return reply
}

const wantsReasoning = ({ ability, target }: TextAnswerParts): boolean =>
  ability.wantsReasoning?.(target) === true

function rememberer({ target, call }: TextAnswerParts) {
  const place = memoryPlace(call.project, target)
  return (keepsake: Keepsake) => call.memory.remember(place, keepsake)
}

function whole(text: string, parts: TextAnswerParts): WholeAnswer {
  const { body, usage } = readWhole(text, parts)
  return { kind: 'whole', contentType: 'application/json', body, usage: () => usage }
}

/** Arguments of a tool call that are no text, as some vendors send them. */
const objectArguments = /"arguments"\s*:\s*[[{]/

function passedWhole(
  passed: PassedReply,
  parts: TextAnswerParts,
): WholeAnswer | Promise<WholeAnswer> {
  if (!isAbridged(passed)) return whole(passed.text, parts)
  // They become text inside a text, where a stand-in would be escaped once less than its string.
  if (objectArguments.test(passed.text)) return whole(wholeText(passed), parts)
  return readAbridged(passed, parts.promptTokens, (estimate) =>
    readWhole(passed.text, parts, estimate),
  ).then(({ body, usage }) => ({
    kind: 'whole',
    contentType: 'application/json',
    body,
    usage: () => usage,
  }))
}

function openStreamFor(parts: TextAnswerParts): TextStream {
  const stream = {
    identity: replyIdentity(parts.call, parts.model),
    normalise: parts.ability.normalise,
    refuseFailure: refuseFailure(parts),
    countTokens: estimateTokens,
  }
  if (!wantsReasoning(parts)) return openChatStream(stream)
  const { observe, keepsakes } = openChatKeepsakes()
  return rememberingStream(openChatStream({ ...stream, observe }), keepsakes, rememberer(parts))
}

/** A vendor that answers a stream request whole: its answer is one event of ours. */
function streamOfWhole(text: string, parts: TextAnswerParts): StreamAnswer {
  const { choices, usage } = readWhole(text, parts)
  const stream = openStreamFor(parts)
  const head = stream.event(JSON.stringify({ choices }))
  stream.ended()
  if (head === '') throw new GatewayError('upstream_error', { model: parts.call.offer.model.id })
  return { ...wholeAsStream(head, stream, parts), usage: () => usage }
}
