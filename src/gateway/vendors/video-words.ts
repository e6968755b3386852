import type { VideoFault } from '../../domain/video-job'
import { GatewayError } from '../../errors/gateway-error'
import type { Target } from './vendor'
import type { VideoPicture } from './video-status'

/**
 * Words in which vendors refuse a prompt: Google's `raiMediaFilteredReasons`, Alibaba's
 * `DataInspectionFailed`, OpenAI's.
 */
const refusing = /polic|moderat|safety|sensitive|prohibit|blocked|inappropriate|inspection/i

/** Reason why a vendor made no video, by its own words: whether it would not, or could not. */
export const videoFault = (...said: readonly unknown[]): VideoFault =>
  said.some((each) => typeof each === 'string' && refusing.test(each))
    ? 'content_policy'
    : 'video_failed'

/** `16:9` of a size. */
export function aspectOf({ width, height }: { width: number; height: number }): string {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const by = divisor(width, height)
  return `${width / by}:${height / by}`
}

/** A size that this vendor does not make, whatever its model. */
export const sizeRefused = ({ route }: Target, allowed: readonly string[]): GatewayError =>
  new GatewayError('invalid_size', { model: route.vendorModel, allowed }, { param: 'size' })

export const base64Of = ({ bytes }: VideoPicture): string => Buffer.from(bytes).toString('base64')

/** A picture as a `data:` URL (RFC 2397). */
export const dataUrl = (picture: VideoPicture): string =>
  `data:${picture.mediaType};base64,${base64Of(picture)}`

/** A name of the vendor's that is to be part of a path. @throws Error when it is none */
export function jobName(value: unknown): string {
  if (typeof value !== 'string' || !jobForm.test(value)) throw new Error('video job without id')
  return value
}

/** It is kept on record, where nothing may stand that was said. */
const jobForm = /^[\w.:~+=/-]{1,512}$/
