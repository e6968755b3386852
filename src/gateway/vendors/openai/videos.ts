import { unixMs } from '../../../domain/clock'
import type { VendorConfig } from '../../../domain/model'
import { fieldsOf, type Fields } from '../../json/fields'
import { alibabaVideos } from '../alibaba/videos'
import type { Target, VideoAbility } from '../vendor'
import type { VideoOrder, ReportedVideo } from '../video-status'
import { jobName, videoFault } from '../video-words'
import { xaiVideos } from '../xai/videos'
import { dialectOf } from './shape-request'

const endings: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg' }

/**
 * The request as a form: official clients always send one (openai-node 7.55), so every imitation must take
 * it.
 */
async function formOf(
  { prompt, seconds, size, picture }: VideoOrder,
  { route }: Target,
): Promise<{ body: Uint8Array<ArrayBuffer>; contentType: string | null }> {
  const form = new FormData()
  form.set('model', route.vendorModel)
  form.set('prompt', prompt)
  form.set('seconds', seconds)
  if (size !== null) form.set('size', size)
  if (picture !== null) {
    const { mediaType, bytes } = picture
    const ending = endings[mediaType] ?? mediaType.replace('image/', '')
    form.set('input_reference', new File([bytes], `picture.${ending}`, { type: mediaType }))
  }
  const made = new Response(form)
  // The boundary is in the header, and told only as long as the body was not read.
  const contentType = made.headers.get('content-type')
  return { body: new Uint8Array(await made.arrayBuffer()), contentType }
}

function seenOf(reply: Readonly<Fields>): ReportedVideo {
  const { status, progress, error, expires_at: expires } = reply
  switch (status) {
    case 'completed':
      return {
        status,
        url: null,
        expires: typeof expires === 'number' ? unixMs(expires) : null,
      }
    case 'failed':
    case 'cancelled':
    case 'expired': {
      const { code, message, type } = fieldsOf(error)
      return { status: 'failed', fault: videoFault(code, message, type) }
    }
    case 'queued':
    case 'in_progress':
      return { status, progress: typeof progress === 'number' ? progress : null }
  }
  throw new Error('unknown video status')
}

const pathOf = (job: string): string => `/videos/${encodeURIComponent(job)}`
const asking = (method: 'GET' | 'DELETE', path: string) =>
  ({ method, path, body: null, contentType: null }) as const

/** Videos in the reference format (openai/openai-openapi `VideoResource`, 2.3.0 of 2026-08-21). */
export const videos: VideoAbility = {
  paceMs: 10_000,
  keepsMs: null,
  create: async (asked, target) => ({
    method: 'POST',
    path: '/videos',
    ...(await formOf(asked, target)),
  }),
  readCreated: (reply) => ({ job: jobName(reply['id']), seen: seenOf(reply) }),
  look: (job) => asking('GET', pathOf(job)),
  readLook: seenOf,
  content: (job, variant) => asking('GET', `${pathOf(job)}/content?variant=${variant}`),
  remove: (job) => asking('DELETE', pathOf(job)),
}

const formats = { reference: videos, xai: xaiVideos, alibaba: alibabaVideos } as const

/** Videos of any address that speaks the reference format otherwise. */
export const videosOf = ({ dialect }: VendorConfig): VideoAbility =>
  formats[dialectOf(dialect).videos]
