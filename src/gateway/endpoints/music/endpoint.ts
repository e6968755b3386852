import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { renderMusic } from '../../formats/music/reply'
import { checkMusicBody, type MusicBody } from '../../formats/music/schema'
import { readJson } from '../../http/json-body'
import { exactCeiling } from '../../metering/usage-ceiling'
import type { CallBody, Endpoint } from '../../call/endpoint'
import { refusePrivateUrls } from '../fetched-urls'
import { notSupported } from '../not-supported'
import { bodyOf } from '../byte-pieces'
import { replyBytes, replyIdentity } from '../whole-reply'

/** A checked request for a piece of music. */
interface MusicCall extends CallBody {
  readonly model: string
  readonly body: MusicBody
}

const onePiece = { request: 1 }

/** Music: a whole piece at once, charged by the piece. */
export const musicEndpoint: Endpoint<MusicCall> = {
  name: 'music',
  models: 'music',
  isOrder: true,
  async read(inbound, maxBytes) {
    const { value } = await readJson(inbound.request, maxBytes)
    const body = checkMusicBody(value)
    refusePrivateUrls(body)
    return { model: body.model, stream: false, body }
  },
  estimate: () => ({ low: onePiece, usual: onePiece, possible: exactCeiling(onePiece) }),
  async ask({ body, model }, target, asked) {
    const { music } = target.vendor.abilities
    const { id, capabilities } = asked.offer.model
    if (music === undefined) throw notSupported('music', asked.offer)
    const [seconds] = capabilities.seconds ?? []
    const order = { body, seconds: seconds === undefined ? null : Number(seconds) }
    return {
      request: music.request(order, target),
      async answer(reply) {
        const bytes = await replyBytes(reply, maxAnswerBytes('music'))
        const mediaType = (reply.headers.get('content-type') ?? '').toLowerCase()
        const piece = await music.readReply(bytes, { mediaType, model: id })
        const usage = { units: onePiece, reasoning: 0, estimated: false }
        return {
          kind: 'whole',
          contentType: 'application/json',
          body: await bodyOf(await renderMusic(piece, replyIdentity(asked, model))),
          usage: () => usage,
        }
      },
    }
  },
}
