import { maxAnswerBytes } from '../../domain/answer-ceilings'
import { unixSeconds } from '../../domain/clock'
import type { ImagesReply } from '../../formats/images/reply'
import { openPictureStream, wholePictureEvent } from '../../formats/images/stream'
import { fieldsOf } from '../../json/fields'
import type { Reply } from '../../outbound/http1/reply'
import type { ImagesAbility, Target } from '../../vendors/vendor'
import type { AskParts, StreamAnswer } from '../../call/endpoint'
import { streamedUsage, type CountedPictures } from './usage'
import { readTextStream, wholeAsStream } from '../text/text-stream'
import { isEventStream, replyText } from '../whole-reply'

interface AskedPicture {
  readonly images: ImagesAbility
  readonly call: CountedPictures
  readonly asked: AskParts
  /** As of a whole answer: the base64 of what lies at an address, null for what came. */
  fetchPictures(reply: Pick<ImagesReply, 'data'>, asked: AskParts): Promise<(string | null)[]>
}

/**
 * One picture while it is made. A vendor that knows of no streams answers whole, which is the last
 * event of one.
 * @throws GatewayError the vendor's failure | Error when it is no answer
 */
export async function readPictureStream(
  answered: Reply,
  { vendor }: Target,
  { images, call, asked, fetchPictures }: AskedPicture,
): Promise<StreamAnswer> {
  const { offer, inbound } = asked
  const { id: model } = offer.model
  const events = openPictureStream({
    refuse(event) {
      const failure = vendor.embeddedFailure(event, model)
      if (failure !== null) throw failure
    },
    usageOf: (partials, last) => streamedUsage({ partials, last }, call, offer),
  })
  const parts = { call: asked, promptTokens: 0 }
  if (isEventStream(answered)) return await readTextStream(answered.source, events, parts)
  const text = await replyText(answered, maxAnswerBytes('images'))
  const data = images.readReply(text, model).data.slice(0, 1)
  const [fetched] = await fetchPictures({ data }, asked)
  const { size, quality, background, output_format: format } = call.body
  const look = {
    created: unixSeconds(inbound.received),
    size: size ?? 'auto',
    quality: quality ?? 'auto',
    background: background ?? 'auto',
    format: format ?? 'png',
  }
  const picture = fetched ?? String(data[0]?.['b64_json'])
  const told = fieldsOf(JSON.parse(text))['usage']
  return wholeAsStream(events.event(wholePictureEvent(picture, look, told)), events, parts)
}
