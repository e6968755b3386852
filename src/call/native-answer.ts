import type { ProjectId } from '../domain/ids'
import { fieldsOf, type Fields } from '../formats/chat/wire'
import type { Keepsake } from '../formats/hub'
import type { TextStream } from '../formats/hub-stream'
import { estimateTokens } from '../metering/estimate-text'
import type { Reply } from '../outbound/reply'
import type { Target } from '../vendors/vendor'
import type { NativeFormat, NativeParts } from './client-format'
import type { Answer, AskParts } from './endpoint'
import { isEventStream, replyIdentity } from './text-answer'
import { promptTokensOf, type CountedText } from './text-estimate'
import { estimatedUsage, readTextStream, rememberingStream, wholeAsStream } from './text-stream'

/** What reading a vendor's answer in the client's own format needs. */
export interface NativeAnswerParts<Raw extends Fields> {
  readonly native: NativeFormat<Raw>
  readonly call: CountedText & { readonly raw: Raw }
  readonly target: Target
  readonly asked: AskParts
}

/** Where answers lie that a later request can go on from, whoever's they are: for what they cost. */
export const earlierAnswers = 'earlier answers'
/** The same for one project, which alone may go on from them: with the vendor that keeps them. */
export const earlierAnswersOf = (project: ProjectId): string => `${project} ${earlierAnswers}`

/** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
export async function readNativeAnswer<Raw extends Fields>(
  reply: Reply,
  parts: NativeAnswerParts<Raw>,
): Promise<Answer> {
  const { native, call, asked } = parts
  const promptTokens = promptTokensOf(call, asked)
  const remember = (keepsake: Keepsake) => {
    const { name: vendor } = parts.target.config
    const value = { ...fieldsOf(keepsake.value), vendor }
    asked.memory.remember(earlierAnswersOf(asked.project), { ...keepsake, value })
    asked.memory.remember(earlierAnswers, keepsake)
  }
  const reading = nativeParts(parts, promptTokens)
  if (call.stream) {
    const stream = openStream(native, reading, remember)
    const answering = { call: asked, promptTokens }
    if (isEventStream(reply)) return await readTextStream(reply.source, stream, answering)
    const { body, usage } = native.readReply(await reply.text(), reading)
    const events = native.replyEvents?.(fieldsOf(JSON.parse(body)))
    if (events === undefined) throw new Error('a stream was asked for and a whole answer came')
    const head = events.map((data) => stream.event(data)).join('')
    return { ...wholeAsStream(head, stream, answering), usage: () => usage }
  }
  const { body, usage, keepsakes } = native.readReply(await reply.text(), reading)
  keepsakes?.forEach(remember)
  return { kind: 'whole', contentType: 'application/json', body, usage: () => usage }
}

function openStream<Raw extends Fields>(
  native: NativeFormat<Raw>,
  reading: NativeParts<Raw>,
  remember: (keepsake: Keepsake) => void,
): TextStream {
  const stream = native.openStream(reading)
  const { keepsakes } = stream
  return keepsakes === undefined ? stream : rememberingStream(stream, keepsakes, remember)
}

const nativeParts = <Raw extends Fields>(
  { call, target, asked }: NativeAnswerParts<Raw>,
  promptTokens: number,
): NativeParts<Raw> => ({
  raw: call.raw,
  identity: replyIdentity(asked, call.model),
  refuseFailure(event: Fields) {
    const failure = target.vendor.embeddedFailure(event, asked.offer.model.id)
    if (failure !== null) throw failure
  },
  countTokens: estimateTokens,
  estimate: (answer) => estimatedUsage(promptTokens, estimateTokens(answer)),
})
