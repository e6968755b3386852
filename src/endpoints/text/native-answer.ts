import { fieldsOf, type Fields } from '../../json/fields'
import { estimateTokens } from '../../metering/estimate-text'
import type { Reply } from '../../outbound/http1/reply'
import type { Target } from '../../vendors/vendor'
import type { NativeFormat, NativeParts } from './client-format'
import { sealVendorFor } from '../../call/compaction-seal'
import type { Answer, AskParts } from '../../call/endpoint'
import { isEventStream, replyIdentity } from './text-answer'
import { promptTokensOf, type CountedText } from './text-estimate'
import { estimatedUsage, readTextStream, wholeAsStream } from './text-stream'
import {
  isAbridged,
  passedReply,
  readAbridged,
  replyText,
  wholeText,
  type PassedReply,
} from '../whole-reply'

/** What reading a vendor's answer in the client's own format needs. */
export interface NativeAnswerParts<Raw extends Fields> {
  readonly native: NativeFormat<Raw>
  readonly call: CountedText & { readonly raw: Raw }
  readonly target: Target
  readonly asked: AskParts
}

/** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
export async function readNativeAnswer<Raw extends Fields>(
  reply: Reply,
  parts: NativeAnswerParts<Raw>,
): Promise<Answer> {
  const { native, call, asked } = parts
  const promptTokens = promptTokensOf(call, asked)
  const mayKeep = asked.settings.vendorStore
  const reading = nativeParts(parts, promptTokens)
  if (call.stream) {
    const stream = native.openStream(reading)
    const answering = { call: asked, promptTokens }
    const vendorAnswer = () => (mayKeep ? (stream.vendorAnswer?.() ?? null) : null)
    if (isEventStream(reply))
      return { ...(await readTextStream(reply.source, stream, answering)), vendorAnswer }
    const { body, usage } = native.readReply(await replyText(reply), reading)
    const events = native.replyEvents?.(fieldsOf(JSON.parse(body)))
    if (events === undefined) throw new Error('a stream was asked for and a whole answer came')
    const head = events.map((data) => stream.event(data)).join('')
    return { ...wholeAsStream(head, stream, answering), usage: () => usage, vendorAnswer }
  }
  const passed = await knownReply(reply, native)
  const {
    body,
    usage,
    vendorAnswer = null,
  } = isAbridged(passed)
    ? await readAbridged(passed, promptTokens, (estimate) =>
        native.readReply(passed.text, { ...reading, estimate }),
      )
    : native.readReply(passed.text, reading)
  const told = { usage: () => usage, vendorAnswer: () => (mayKeep ? vendorAnswer : null) }
  return { kind: 'whole', contentType: 'application/json', body, ...told }
}

/** A large reply without its long strings, unless these must be looked into. */
async function knownReply<Raw extends Fields>(
  reply: Reply,
  { readsStrings }: NativeFormat<Raw>,
): Promise<PassedReply> {
  const passed = await passedReply(reply)
  return isAbridged(passed) && readsStrings?.(passed.text) === true
    ? { text: wholeText(passed) }
    : passed
}

const nativeParts = <Raw extends Fields>(
  { call, target, asked }: NativeAnswerParts<Raw>,
  promptTokens: number,
): NativeParts<Raw> => ({
  raw: call.raw,
  identity: replyIdentity(asked, call.model),
  sells: target.sells,
  sealOwn: sealVendorFor(asked.vault, asked.project, target.config.name),
  refuseFailure(event: Fields) {
    const failure = target.vendor.embeddedFailure(event, asked.offer.model.id)
    if (failure !== null) throw failure
  },
  countTokens: estimateTokens,
  estimate: (answer) => estimatedUsage(promptTokens, estimateTokens(answer)),
})
