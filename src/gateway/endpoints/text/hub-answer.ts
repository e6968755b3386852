import type { AnswerFamily } from '../../../domain/answer-ceilings'
import { estimatedUsage, type Usage } from '../../../domain/usage'
import { answerText } from '../../formats/chat/render-reply'
import type { ChatBody } from '../../formats/chat/schema'
import { emptyAnswer, reportsOutput, wholeUsage } from '../../formats/plausible-usage'
import type { ReplyIdentity } from '../../formats/chat/wire'
import { AnsweredTurns, answeredTurn } from '../../formats/answered-turns'
import { offersTools } from '../../formats/chat/tool-options'
import {
  isSaid,
  type Delta,
  type DeltaRenderer,
  type DeltaStream,
  type HubReply,
} from '../../formats/hub'
import { openHubStream, type TextStream } from '../../formats/hub-stream'
import { mergeReplies, mergeStreams } from '../../formats/merge-answers'
import { replyDeltas } from '../../formats/collect-reply'
import type { Fields } from '../../json/fields'
import { estimateTokens } from '../../metering/estimate-text'
import type { Reply, ByteSource } from '../../outbound/http1/reply'
import type { ClientMark, HubAbility, HubQuestion, Target } from '../../vendors/vendor'
import { clientMark } from '../client-mark'
import type { Answer, Ask, RequestParts } from '../../call/endpoint'
import { inlinePictures, namesPictures } from './inline-pictures'
import { readTextStream, rememberingStream, wholeAsStream } from './text-stream'
import { openRecall, rememberTurns, type RememberTurn } from './turn-reasoning'
import { isEventStream, maxTextAnswerBytes, replyIdentity, replyText } from '../whole-reply'
import { Frames } from '../../formats/frames'
import { openSource } from '../../outbound/http1/open-source'

/** Rendering of translated answers in a client's format. */
export interface AnswerFormat {
  renderReply(reply: HubReply, identity: ReplyIdentity, usage: Usage): string
  /** @param promptTokens calibrated, for formats that tell them before the vendor does */
  openRenderer(identity: ReplyIdentity, promptTokens: number): DeltaRenderer
}

/** A call on its way through the middle. */
interface HubCall {
  readonly family: AnswerFamily
  /** The client's request, whatever its format was, as a chat body. */
  readonly body: ChatBody
  /** Length of the request. */
  readonly bytes: number
  /** The request as its client wrote it. */
  readonly raw: Fields
  /** As the client named it. */
  readonly model: string
  readonly stream: boolean
  /** Calibrated, for vendors that tell none. */
  readonly promptTokens: number
  /** How long the vendor may take. */
  readonly timeoutMs: number
  /** Of the client. */
  readonly format: AnswerFormat
  readonly conditions: Fields | null
}

/**
 * Request to a vendor through the middle format, and the reader of its answer.
 * @throws GatewayError 400 for options that this vendor lacks
 */
export async function requestHub(
  call: HubCall,
  hub: HubAbility,
  target: Target,
  asked: RequestParts,
): Promise<Ask> {
  // Of the conversation as its client sent it: pictures are fetched into it anew each time.
  const { body: sent, bytes, raw } = call
  const reasoning = { body: sent, bytes, raw, target, asked }
  const known = { recall: await openRecall(reasoning), remember: rememberTurns(reasoning) }
  if (hub.inlinesImages !== true || !namesPictures(call.body))
    return requestAtOnce(call, hub, target, asked, known)
  const body = await inlinePictures(call.body, asked.fetchPicture, asked.inbound.signal)
  return requestAtOnce({ ...call, body }, hub, target, asked, known)
}

/** Reasoning of earlier turns, and of the one that is answered. */
interface TurnReasoning {
  readonly recall: ClientMark['recall']
  readonly remember: RememberTurn
}

function requestAtOnce(
  call: HubCall,
  hub: HubAbility,
  target: Target,
  asked: RequestParts,
  { recall, remember }: TurnReasoning,
): Ask {
  const { offer, inbound } = asked
  const { stream } = call
  const times = target.traits.oneChoice === true ? (call.body.n ?? 1) : 1
  const body = times > 1 ? { ...call.body, n: 1 } : call.body
  const mark = clientMark(asked, { stream, recall, conditions: call.conditions })
  const headers = hub.headers?.(target, mark) ?? []
  const question: HubQuestion = {
    model: offer.model.id,
    requestId: inbound.requestId,
    body,
    traits: target.traits,
  }
  const reading = { call, hub, question, asked, target, remember }
  return {
    request: {
      method: 'POST',
      path: hub.path(target, mark),
      contentType: 'application/json',
      body: hub.render(body, target, mark),
      timeoutMs: call.timeoutMs,
      ...(headers.length > 0 ? { headers } : {}),
    },
    ...(times > 1 ? { times } : {}),
    answer: (answered, more) => readHubAnswer([answered, ...more], reading),
  }
}

interface Reading {
  readonly call: HubCall
  readonly hub: HubAbility
  readonly question: HubQuestion
  readonly asked: RequestParts
  readonly target: Target
  readonly remember: RememberTurn
}

async function readHubAnswer(answers: readonly Reply[], reading: Reading): Promise<Answer> {
  const { call, hub, question, asked, remember } = reading
  const { promptTokens, format } = call
  const identity = replyIdentity(asked, call.model)
  const parts = { call: asked, promptTokens: promptTokens * answers.length }
  if (call.stream && answers.every(isEventStream)) {
    const [vendor, ...more] = answers.map(() => hub.openStream(question))
    const [source, ...sources] = answers.map((answer) => answer.source)
    if (vendor === undefined || source === undefined) throw new Error('vendor reply missing')
    if (more.length === 0)
      return await readTextStream(source, openStream(vendor, reading, identity), parts)
    const merged = openStream(mergeStreams([vendor, ...more]), reading, identity)
    return await readTextStream(mergedSource([source, ...sources]), merged, parts)
  }

  const maxBytes = maxTextAnswerBytes(call.family, call.raw, reading.target)
  const texts = await Promise.all(answers.map((answered) => replyText(answered, maxBytes)))
  const reply = mergeReplies(texts.map((text) => hub.readReply(text, question)))
  if (!reportsOutput(reply.usage) && !saysSomething(reply)) throw emptyAnswer()
  for (const state of reply.providerStates ?? []) {
    const choice = reply.choices[state.choice]
    if (choice !== undefined) remember(state, answeredTurn(choice))
  }
  const usage = wholeUsage(reply.usage, () =>
    estimatedUsage(parts.promptTokens, estimateTokens(answerText(reply).trim())),
  )
  if (call.stream) {
    const stream = openStream(wholeReply(reply), reading, identity)
    const head = stream.event('whole')
    return { ...wholeAsStream(head, stream, parts), usage: () => usage }
  }
  const body = format.renderReply(reply, identity, usage)
  const wrote = () => hasText(reply)
  return { kind: 'whole', contentType: 'application/json', body, usage: () => usage, wrote }
}

/** Whether a whole answer says anything, be it that something ended it. */
const saysSomething = (reply: HubReply): boolean =>
  (reply.providerStates?.length ?? 0) > 0 || replyDeltas(reply).some(isSaid)

const hasText = ({ choices }: HubReply): boolean => choices.some(({ text }) => Boolean(text))

/** A stream of one event that says everything. */
const wholeReply = (reply: HubReply): DeltaStream => ({
  event: () => replyDeltas(reply),
  ended: () => [],
  complete: () => true,
})

function openStream(vendor: DeltaStream, reading: Reading, identity: ReplyIdentity): TextStream {
  const { call, remember } = reading
  const renderer = call.format.openRenderer(identity, call.promptTokens)
  // Without tools nothing is called, and no reasoning is wanted back.
  if (!offersTools(call.body))
    return openHubStream({ vendor, renderer, countTokens: estimateTokens })
  const turns = new AnsweredTurns()
  const observe = (delta: Delta): void => turns.add(delta)
  return rememberingStream(
    openHubStream({ vendor, renderer, countTokens: estimateTokens, observe }),
    () => vendor.providerStates?.() ?? [],
    (state) => remember(state, turns.turnOf(state.choice)),
  )
}

const encoder = new TextEncoder()

/**
 * Event streams as one, event by event as they arrive. Each event begins with the place of its
 * stream and a space; one without data says that its stream ended.
 */
function mergedSource(sources: readonly ByteSource[]): ByteSource {
  const all = openSource({
    pause: () => sources.forEach((source) => source.pause()),
    resume: () => sources.forEach((source) => source.resume()),
  })
  let running = sources.length
  sources.forEach((source, at) => {
    const frames = new Frames()
    const tell = (events: readonly string[]) => {
      const text = events.map((data) => `data: ${at} ${data.replaceAll('\n', '\ndata: ')}\n\n`)
      if (text.length > 0) all.sink.data(encoder.encode(text.join('')))
    }
    source.flow({
      data(bytes) {
        tell(frames.push(bytes))
        frames.passed()
      },
      end() {
        tell([...frames.end(), ''])
        running--
        if (running === 0) all.sink.end()
      },
      fail(cause) {
        frames.release()
        all.sink.fail(cause)
      },
    })
  })
  return all.source
}
