import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { Target, VideoAbility } from '../vendor'
import type { ReportedVideo } from '../video-status'
import { sidesIn } from '../dimensions'
import { aspectOf, base64Of, jobName, sizeRefused, videoFault } from '../video-words'

const resolutions: Readonly<Record<number, string>> = { 1080: '1080p', 2160: '4k' }
const sizes = ['1280x720', '720x1280', '1920x1080', '1080x1920', '3840x2160', '2160x3840'] as const

/** @throws invalid_size */
function shapeOf(size: string | null, target: Target): object {
  const sides = sidesIn(size)
  if (sides === null) return {}
  const aspect = aspectOf(sides)
  const lines = Math.min(sides.width, sides.height)
  const resolution = resolutions[lines]
  if (!/^(?:16:9|9:16)$/.test(aspect) || (resolution === undefined && lines !== 720))
    throw sizeRefused(target, sizes)
  // Models that know no other sharpness refuse to be told one.
  return { aspectRatio: aspect, ...(resolution === undefined ? {} : { resolution }) }
}

function seenOf(operation: Readonly<Fields>): ReportedVideo {
  const { done, error, response } = operation
  if (done !== true) return { status: 'in_progress', progress: null }
  if (isFields(error))
    return { status: 'failed', fault: videoFault(error['message'], error['status']) }
  const { generateVideoResponse: made } = fieldsOf(response)
  const {
    generatedSamples,
    raiMediaFilteredCount: refused,
    raiMediaFilteredReasons: why,
  } = fieldsOf(made)
  const { uri } = fieldsOf(fieldsOf(listOf(generatedSamples)[0])['video'])
  if (typeof uri === 'string') return { status: 'completed', url: uri, expires: null }
  const filtered = Number(refused) > 0 || listOf(why).length > 0
  return { status: 'failed', fault: filtered ? 'content_policy' : 'video_failed' }
}

/** `models/<model>/operations/<id>`: a path of theirs, which must not lead elsewhere. */
const operation = /^[\w.-]+(?:\/[\w.-]+)*$/

/**
 * Videos as long-running operations. They are kept for two days, as long as we tell of them.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`GenerateVideosOperation`); `:predictLongRunning`
 */
export const videos: VideoAbility = {
  paceMs: 10_000,
  keepsMs: null,
  async create({ prompt, seconds, size, picture }, target) {
    const { vendorModel: name } = target.route
    const image =
      picture === null
        ? {}
        : { image: { bytesBase64Encoded: base64Of(picture), mimeType: picture.mediaType } }
    return {
      method: 'POST',
      path: `/${name.includes('/') ? name : `models/${name}`}:predictLongRunning`,
      contentType: 'application/json',
      body: JSON.stringify({
        instances: [{ prompt, ...image }],
        parameters: { ...shapeOf(size, target), durationSeconds: Number(seconds), sampleCount: 1 },
      }),
    }
  },
  readCreated(reply) {
    const job = jobName(reply['name'])
    if (!operation.test(job) || job.includes('..')) throw new Error('operation without name')
    return { job, seen: seenOf(reply) }
  },
  look: (job) => ({ method: 'GET', path: `/${job}`, body: null, contentType: null }),
  readLook: seenOf,
}
