import type { Answer, RequestParts, StreamAnswer, WholeAnswer } from '../../call/endpoint'
import { sealVendorFor } from '../../call/sealed-compaction'
import { estimatedUsage, type Usage } from '../../../domain/usage'
import type { ReplyIdentity } from '../../formats/chat/wire'
import { offersTools } from '../../formats/chat/tool-options'
import type { Sells } from '../../formats/hosted-tools'
import type { AbridgedJson } from '../../json/abridge'
import { fieldsOf, type Fields } from '../../json/fields'
import { estimateTokens } from '../../metering/estimate-text'
import type { Reply } from '../../outbound/http1/reply'
import type { NativeAbility, Target } from '../../vendors/vendor'
import {
  isAbridged,
  isEventStream,
  passedReply,
  readAbridged,
  replyIdentity,
  maxTextAnswerBytes,
  replyText,
  withStrings,
} from '../whole-reply'
import type {
  NativeFormat,
  NativeParts,
  NativeReply,
  NativeStream,
  TextCall,
} from './client-format'
import { promptTokensOf } from './text-estimate'
import { readTextStream, wholeAsStream } from './text-stream'
import { rememberTurns } from './turn-reasoning'

/** Context for reading a vendor's answer in the client's own format. */
interface NativeAnswerParts<Raw extends Fields> {
  readonly native: NativeFormat<Raw>
  readonly ability: NativeAbility
  readonly call: TextCall<Raw>
  readonly target: Target
  readonly asked: RequestParts
}

/**
 * Reads a whole answer that passes in the vendor's own format.
 * @throws GatewayError the vendor's failure inside a success | Error when it is no answer
 */
export async function readNativeAnswer<Raw extends Fields>(
  reply: Reply,
  parts: NativeAnswerParts<Raw>,
): Promise<Answer> {
  const { native, call, asked } = parts
  const promptTokens = promptTokensOf(call, asked)
  const reading = new NativeReading(parts, promptTokens)
  const mayKeep = asked.settings.vendorStore
  const maxBytes = maxTextAnswerBytes(native.ability, call.raw, parts.target)
  if (call.stream) {
    const stream = native.openStream(reading)
    const answering = { call: asked, promptTokens }
    const kept = mayKeep && stream.vendorAnswer !== undefined ? stream.vendorAnswer : null
    if (isEventStream(reply))
      return named(await readTextStream(reply.source, stream, answering), kept)
    const read = native.readReply(await replyText(reply, maxBytes), reading)
    const head = asEvents(read, native, stream)
    return named({ ...wholeAsStream(head, stream, answering), usage: () => read.usage }, kept)
  }
  // Reasoning that is remembered must be known to the letter.
  const isKnown = reading.remember !== null
  const came = await passedReply(reply, maxBytes)
  // A large reply is without its long strings, unless these must be looked into.
  const passed =
    isAbridged(came) && (isKnown || native.readsStrings?.(came.text) === true)
      ? await withStrings(came)
      : came
  return isAbridged(passed)
    ? new NativeWhole(await readInParts(passed, parts, promptTokens), mayKeep)
    : new NativeWhole(native.readReply(passed.text, reading), mayKeep)
}

/** The events of a stream that say the same as a whole reply. */
function asEvents<Raw extends Fields>(
  { body }: NativeReply,
  { replyEvents }: NativeFormat<Raw>,
  stream: NativeStream,
): string {
  const events = replyEvents?.(fieldsOf(JSON.parse(body)))
  if (events === undefined) throw new Error('whole reply to a streaming request')
  const head = events.map((data) => stream.event(data)).join('')
  if (head === '') throw new Error('empty reply')
  return head
}

const readInParts = <Raw extends Fields>(
  abridged: AbridgedJson,
  parts: NativeAnswerParts<Raw>,
  promptTokens: number,
) =>
  readAbridged(abridged, promptTokens, (estimate) =>
    parts.native.readReply(abridged.text, new NativeReading(parts, promptTokens, estimate)),
  )

type WholeReply = Omit<NativeReply, 'body'> & Pick<WholeAnswer, 'body'>

class NativeWhole implements WholeAnswer {
  readonly kind = 'whole'
  readonly contentType = 'application/json'
  readonly body: WholeAnswer['body']
  readonly #usage: Usage
  readonly #vendorAnswer: string | null
  readonly #choices: NativeReply['choices']

  constructor({ body, usage, vendorAnswer = null, choices }: WholeReply, mayKeep: boolean) {
    this.body = body
    this.#usage = usage
    this.#choices = choices
    this.#vendorAnswer = mayKeep ? vendorAnswer : null
  }

  usage(): Usage {
    return this.#usage
  }

  wrote(): boolean {
    return this.#choices?.some(hasContent) !== false
  }

  vendorAnswer(): string | null {
    return this.#vendorAnswer
  }
}

const named = (answer: StreamAnswer, vendorAnswer: NativeStream['vendorAnswer'] | null): Answer =>
  vendorAnswer === null || vendorAnswer === undefined ? answer : { ...answer, vendorAnswer }

/** Whether a choice of a whole chat reply has text of its own. */
const hasContent = ({ message }: Fields): boolean => Boolean(fieldsOf(message)['content'])

const asReported = () => {}

/** A class, since every call makes one: each closure of its own would be two more objects a call. */
class NativeReading<Raw extends Fields> implements NativeParts<Raw> {
  readonly raw: Raw
  readonly identity: ReplyIdentity
  readonly sells: Sells
  readonly normalise: NativeParts<Raw>['normalise']
  readonly remember: NativeParts<Raw>['remember']
  readonly countTokens = estimateTokens
  readonly #parts: NativeAnswerParts<Raw>
  readonly #promptTokens: number
  readonly #counted: ((answer: string) => Usage) | null

  /** @param counted usage of an answer that is counted elsewhere */
  constructor(
    parts: NativeAnswerParts<Raw>,
    promptTokens: number,
    counted: ((answer: string) => Usage) | null = null,
  ) {
    const { call, ability, target, asked } = parts
    this.raw = call.raw
    this.identity = replyIdentity(asked, call.model)
    this.sells = target.sells
    this.normalise = ability.normalise ?? asReported
    this.remember =
      (ability.wantsReasoning?.(target) ?? null) !== null && offersTools(call.body)
        ? rememberTurns({ body: call.body, bytes: call.bytes, raw: call.raw, target, asked })
        : null
    this.#parts = parts
    this.#promptTokens = promptTokens
    this.#counted = counted
  }

  get sealOwn() {
    const { target, asked } = this.#parts
    return sealVendorFor(asked.vault, asked.project, target.config.name)
  }

  refuseFailure(reply: Fields): void {
    const { target, asked } = this.#parts
    const failure = target.vendor.embeddedFailure(reply, asked.offer.model.id)
    if (failure !== null) throw failure
  }

  estimate(answer: string): Usage {
    return this.#counted?.(answer) ?? estimatedUsage(this.#promptTokens, estimateTokens(answer))
  }
}
