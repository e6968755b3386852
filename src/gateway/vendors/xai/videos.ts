import { fieldsOf, type Fields } from '../../json/fields'
import type { VideoAbility } from '../vendor'
import type { ReportedVideo } from '../video-status'
import { sidesIn } from '../dimensions'
import { aspectOf, dataUrl, jobName, sizeRefused, videoFault } from '../video-words'

/** Sizes it makes, as aspect ratios and resolutions. */
const shapes: ReadonlySet<string> = new Set(['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'])
const resolutions: Readonly<Record<number, string>> = { 480: '480p', 720: '720p', 1080: '1080p' }
const sizes = ['1280x720', '720x1280', '720x720', '854x480', '480x854'] as const

function seenOf(reply: Readonly<Fields>): ReportedVideo {
  const { status, progress, video, error } = reply
  const { url, respect_moderation: respected } = fieldsOf(video)
  if (respected === false) return { status: 'failed', fault: 'content_policy' }
  if (typeof url === 'string') return { status: 'completed', url, expires: null }
  switch (status) {
    case 'pending':
      return { status: 'in_progress', progress: typeof progress === 'number' ? progress : null }
    case 'done':
    case 'failed':
    case 'expired': {
      const { code, message } = fieldsOf(error)
      return { status: 'failed', fault: videoFault(error, code, message) }
    }
  }
  throw new Error('unknown video status')
}

/**
 * Videos in xAI's own format: the file lies at an address that anybody may fetch for a while.
 * `respect_moderation: false` is a refusal.
 * @see vercel/ai `packages/xai` of 2026-08-22, `POST /v1/videos/generations`
 */
export const xaiVideos: VideoAbility = {
  paceMs: 10_000,
  keepsMs: 86_400_000,
  async create({ prompt, seconds, size, picture }, target) {
    const sides = sidesIn(size)
    const aspect = sides === null ? null : aspectOf(rounded(sides))
    const resolution = sides === null ? null : resolutions[Math.min(sides.width, sides.height)]
    if (aspect !== null && (!shapes.has(aspect) || resolution === undefined))
      throw sizeRefused(target, sizes)
    return {
      method: 'POST',
      path: '/videos/generations',
      contentType: 'application/json',
      body: JSON.stringify({
        model: target.route.vendorModel,
        prompt,
        duration: Number(seconds),
        ...(aspect === null ? {} : { aspect_ratio: aspect, resolution }),
        ...(picture === null ? {} : { image: { url: dataUrl(picture) } }),
      }),
    }
  },
  readCreated: (reply) => ({
    job: jobName(reply['request_id']),
    seen: { status: 'queued', progress: null },
  }),
  look: (job) => ({
    method: 'GET',
    path: `/videos/${encodeURIComponent(job)}`,
    body: null,
    contentType: null,
  }),
  readLook: seenOf,
}

/** 480 lines of 16:9 are 853⅓ wide, which everybody writes as 854. */
const rounded = ({ width, height }: { width: number; height: number }) => ({
  width: width === 854 ? (height * 16) / 9 : width,
  height: height === 854 ? (width * 16) / 9 : height,
})
