import { credentialNamed } from '../../catalogue/credentials'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { isGatewayError } from '../../../errors/gateway-error'
import { fieldsOf } from '../../json/fields'
import type { DispatchParts } from '../../call/dispatch'
import type { Exchange } from '../../outbound/send'
import { replyText } from '../whole-reply'
import type { VideoJob } from '../../../domain/video-job'
import type { Target, VendorRequest, VideoAbility } from '../../vendors/vendor'
import type { ReportedVideo } from '../../vendors/video-status'

/** Result of polling a vendor for a job. */
export type Looked =
  | { readonly kind: 'seen'; readonly seen: ReportedVideo; readonly keepsMs: number | null }
  /** The vendor answers that it has no such job. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly retryAfterMs: number | null; readonly cause: unknown }

/** Vendor that makes a video, and its ability to. */
export interface Maker {
  readonly ability: VideoAbility
  readonly target: Target
  /** Its own name of the job. */
  readonly name: string
  /** Sends it a request of the job's. @throws upstream_unreachable | ClientLeft */
  ask(request: VendorRequest, signal: AbortSignal): Promise<Exchange>
}

export type VendorSideParts = Pick<DispatchParts, 'vendors' | 'vendorConfig' | 'send'>

/** Vendor that makes a video; null when nobody accepted it, or its vendor is no more. */
export function makerOf(parts: VendorSideParts, job: VideoJob): Maker | null {
  const { vendor: name, vendorModel, vendorJob, model } = job
  if (name === null || vendorModel === null || vendorJob === null) return null
  // One that was switched off takes no new jobs, but what it has is still looked after.
  const known = parts.vendorConfig(name)
  const config = known === null ? null : credentialNamed(known, job.vendorCredential)
  const vendor = config === null ? undefined : parts.vendors[config.kind]
  const ability = config === null ? undefined : vendor?.abilities.videos?.(config)
  if (config === null || vendor === undefined || ability === undefined) return null
  const route = { vendor: name, vendorModel, priority: 0, weight: 1 }
  const target = { vendor, config, route, traits: {}, maxOutputTokens: null, sells: () => false }
  return {
    ability,
    target,
    name: vendorJob,
    ask: (request, signal) => parts.send(request, target, signal, model),
  }
}

/** A look is worth no longer wait. */
const maxLookMs = 30_000
/** Characters that are read of an answer about a job. */
const maxFailureCharacters = 65_536

/** Looks at a job. Never throws. */
export async function look(parts: VendorSideParts, job: VideoJob): Promise<Looked> {
  const maker = makerOf(parts, job)
  if (maker === null) return { kind: 'failed', retryAfterMs: null, cause: 'its vendor is gone' }
  const { ability, target, name } = maker
  let exchange: Exchange | null = null
  try {
    const signal = AbortSignal.timeout(maxLookMs)
    exchange = await maker.ask(ability.look(name, target), signal)
    const { reply } = exchange
    const text = await replyText(reply, maxAnswerBytes('video job'))
    if (reply.status === 404 || reply.status === 410) return { kind: 'missing' }
    if (!reply.ok) {
      const said = text.slice(0, maxFailureCharacters)
      throw target.vendor.failure(reply.status, reply.headers, said, job.model)
    }
    const seen = ability.readLook(fieldsOf(JSON.parse(text)))
    return { kind: 'seen', seen, keepsMs: ability.keepsMs }
  } catch (cause) {
    const seconds = isGatewayError(cause) ? cause.retryAfterSeconds : null
    return { kind: 'failed', retryAfterMs: seconds === null ? null : seconds * 1000, cause }
  } finally {
    exchange?.end()
  }
}

/** Tells a vendor that nobody wants a job any more, where it can be told. Never throws. */
export async function giveUp(parts: VendorSideParts, job: VideoJob): Promise<void> {
  const maker = makerOf(parts, job)
  const request = maker?.ability.remove?.(maker.name, maker.target)
  if (maker === null || request === undefined) return
  let exchange: Exchange | null = null
  try {
    exchange = await maker.ask(request, AbortSignal.timeout(maxLookMs))
    await exchange.reply.pieces(maxAnswerBytes('video job'))
  } catch {
    // It ends by itself there, and its money is back here.
  } finally {
    exchange?.end()
  }
}
