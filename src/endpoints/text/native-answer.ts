import type { Answer, AskParts, StreamAnswer, WholeAnswer } from '../../call/endpoint'
import { sealVendorFor } from '../../call/compaction-seal'
import { memoryPlace } from '../../call/reasoning-memory'
import { estimatedUsage } from '../../domain/usage'
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
  maxBytesAsStream,
  replyText,
  wholeText,
  type PassedReply,
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

/** Context for reading a vendor's answer in the client's own format. */
interface NativeAnswerParts<Raw extends Fields> {
  readonly native: NativeFormat<Raw>
  readonly ability: NativeAbility
  readonly call: TextCall<Raw>
  readonly target: Target
  readonly asked: AskParts
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
  const reading = nativeParts(parts, promptTokens)
  const mayKeep = asked.settings.vendorStore
  if (call.stream) {
    const stream = native.openStream(reading)
    const answering = { call: asked, promptTokens }
    const kept = mayKeep && stream.vendorAnswer !== undefined ? stream.vendorAnswer : null
    if (isEventStream(reply))
      return named(await readTextStream(reply.source, stream, answering), kept)
    const read = native.readReply(await replyText(reply, maxBytesAsStream), reading)
    const head = asEvents(read, native, stream)
    return named({ ...wholeAsStream(head, stream, answering), usage: () => read.usage }, kept)
  }
  // Reasoning that is remembered must be known to the letter.
  const whole = reading.remember !== null
  const passed = whole ? { text: await replyText(reply) } : known(await passedReply(reply), native)
  return isAbridged(passed)
    ? wholeAnswer(await readInParts(passed, native, reading, promptTokens), mayKeep)
    : wholeAnswer(native.readReply(passed.text, reading), mayKeep)
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
  native: NativeFormat<Raw>,
  reading: NativeParts<Raw>,
  promptTokens: number,
) =>
  readAbridged(abridged, promptTokens, (estimate) =>
    native.readReply(abridged.text, { ...reading, estimate }),
  )

const wholeAnswer = (
  { body, usage, vendorAnswer = null }: Omit<NativeReply, 'body'> & Pick<WholeAnswer, 'body'>,
  mayKeep: boolean,
): WholeAnswer => ({
  kind: 'whole',
  contentType: 'application/json',
  body,
  usage: () => usage,
  vendorAnswer: () => (mayKeep ? vendorAnswer : null),
})

const named = (answer: StreamAnswer, vendorAnswer: NativeStream['vendorAnswer'] | null): Answer =>
  vendorAnswer === null || vendorAnswer === undefined ? answer : { ...answer, vendorAnswer }

/** A large reply without its long strings, unless these must be looked into. */
const known = <Raw extends Fields>(
  passed: PassedReply,
  { readsStrings }: Pick<NativeFormat<Raw>, 'readsStrings'>,
): PassedReply =>
  isAbridged(passed) && readsStrings?.(passed.text) === true ? { text: wholeText(passed) } : passed

const asTold = () => {}

function nativeParts<Raw extends Fields>(
  { call, ability, target, asked }: NativeAnswerParts<Raw>,
  promptTokens: number,
): NativeParts<Raw> {
  const { memory, project, offer, vault } = asked
  const wants = ability.wantsReasoning?.(target) === true
  return {
    raw: call.raw,
    identity: replyIdentity(asked, call.model),
    sells: target.sells,
    sealOwn: sealVendorFor(vault, project, target.config.name),
    normalise: ability.normalise ?? asTold,
    remember: wants
      ? (providerState) => memory.remember(memoryPlace(project, target), providerState)
      : null,
    refuseFailure(reply) {
      const failure = target.vendor.embeddedFailure(reply, offer.model.id)
      if (failure !== null) throw failure
    },
    countTokens: estimateTokens,
    estimate: (answer) => estimatedUsage(promptTokens, estimateTokens(answer)),
  }
}
