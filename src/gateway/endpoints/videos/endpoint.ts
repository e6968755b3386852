import type { Asking } from '../../call/dispatch'
import { notSupported } from '../not-supported'
import type { RequestParts, CallBody } from '../../call/endpoint'
import { replyText } from '../whole-reply'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { noUsage } from '../../../domain/usage'
import { GatewayError } from '../../../errors/gateway-error'
import { fieldsOf } from '../../json/fields'
import type { VideoOrder, ReportedVideo } from '../../vendors/video-status'

/** A video, as vendors are asked for it. */
export interface VideoCall extends CallBody {
  readonly model: string
  readonly asked: VideoOrder
}

/** Vendor's answer when it accepted a job. */
export interface Accepted {
  /** Its own name of it. */
  readonly job: string
  readonly seen: ReportedVideo
}

/** Asking vendors, one route after the other, until one takes the job. @param accept is told who did */
export const videosEndpoint = (accept: (accepted: Accepted) => void): Asking<VideoCall> => ({
  name: 'videos',
  isOrder: true,
  async ask({ asked }, target, { offer }: RequestParts) {
    const model = offer.model.id
    const ability = target.vendor.abilities.videos?.(target.config)
    if (ability === undefined) throw notSupported('videos', offer)
    return {
      request: await ability.create(asked, target),
      async answer(reply) {
        const text = await replyText(reply, maxAnswerBytes('videos'))
        const told = fieldsOf(JSON.parse(text))
        const failure = target.vendor.embeddedFailure(told, model)
        if (failure !== null) throw failure
        const accepted = ability.readCreated(told)
        const { seen } = accepted
        if (seen.status === 'failed')
          throw seen.fault === 'content_policy'
            ? new GatewayError('upstream_rejected', { said: seen.fault })
            : new GatewayError('upstream_error', { model })
        accept(accepted)
        return { kind: 'whole', contentType: 'application/json', body: '', usage: () => noUsage }
      },
    }
  },
})
