import { fieldsOf, type Fields } from '../../json/fields'
import type { Target, VendorRequest, VideoAbility } from '../vendor'
import type { ReportedVideo } from '../video-status'
import { sidesIn } from '../dimensions'
import { dataUrl, jobName, videoFault } from '../video-words'

function seenOf(reply: Readonly<Fields>): ReportedVideo {
  const { task_status: status, video_url: url, code, message } = fieldsOf(reply['output'])
  switch (status) {
    case 'PENDING':
      return { status: 'queued', progress: null }
    case 'RUNNING':
    case 'SUSPENDED':
      return { status: 'in_progress', progress: null }
    case 'SUCCEEDED':
      if (typeof url === 'string') return { status: 'completed', url, expires: null }
      return { status: 'failed', fault: 'video_failed' }
    case 'FAILED':
    case 'CANCELED':
      return { status: 'failed', fault: videoFault(code, message) }
    case 'UNKNOWN':
      return { status: 'failed', fault: 'video_lost' }
  }
  throw new Error('unknown video status')
}

const rootOf = ({ config }: Target): string => new URL(config.baseUrl).origin

const task = (method: 'GET' | 'POST', path: string, target: Target): VendorRequest => ({
  method,
  base: rootOf(target),
  path: `/api/v1/tasks/${path}`,
  // A POST without a length is refused by some.
  body: method === 'POST' ? '' : null,
  contentType: null,
})

/**
 * Videos as tasks of Model Studio, beside the path where the same host speaks the reference format.
 * The file lies at an address that anybody may fetch for a day.
 * @see help.aliyun.com, Model Studio, video synthesis; vercel/ai `packages/alibaba`, 2026-08-22
 */
export const alibabaVideos: VideoAbility = {
  paceMs: 15_000,
  keepsMs: 86_400_000,
  async create({ prompt, seconds, size, picture }, target) {
    const sides = sidesIn(size)
    // From a picture the shape is given, and only the sharpness is asked for.
    const measure =
      sides === null
        ? {}
        : picture === null
          ? { size: `${sides.width}*${sides.height}` }
          : { resolution: `${Math.min(sides.width, sides.height)}P` }
    return {
      method: 'POST',
      base: rootOf(target),
      path: '/api/v1/services/aigc/video-generation/video-synthesis',
      contentType: 'application/json',
      headers: [['x-dashscope-async', 'enable']],
      body: JSON.stringify({
        model: target.route.vendorModel,
        input: { prompt, ...(picture === null ? {} : { img_url: dataUrl(picture) }) },
        parameters: { ...measure, duration: Number(seconds) },
      }),
    }
  },
  readCreated: (reply) => ({
    job: jobName(fieldsOf(reply['output'])['task_id']),
    seen: seenOf(reply),
  }),
  look: (job, target) => task('GET', encodeURIComponent(job), target),
  readLook: seenOf,
  // Takes those that wait alone, which are those that cost nothing yet.
  remove: (job, target) => task('POST', `${encodeURIComponent(job)}/cancel`, target),
}
