import { Type } from '@sinclair/typebox'
import { answerAuthenticated, jsonResponse, respondAuthenticated } from '../call/authenticated'
import type { Caller } from '../../domain/caller'
import type { VideoId } from '../../domain/ids'
import { isOpen, isRefunded, type VideoJob } from '../../domain/video-job'
import { GatewayError } from '../../errors/gateway-error'
import { invalid } from '../formats/schema-fault'
import { VideosBody } from '../formats/videos/schema'
import type { Inbound } from '../http/inbound'
import { readLanguage } from '../http/language'
import { createVideo } from '../endpoints/videos/create'
import { pollHeaders, videoView } from '../endpoints/videos/view'
import { keyedErrors, keyedHeaders, meteredErrors } from './reference/doc'
import { readQuery, refuseQuery } from './query'
import { DryRunReply } from './reference/generation-schemas'
import { VideoDeleted, VideoList, VideoReply } from './reference/video-schemas'
import { videoVariants } from '../vendors/video-status'
import type { ApiRoute, RouteParts } from './route'

const listPath = '/v1/videos'
const group = 'Generation'
/** Ids of jobs: no other path below the list exists. */
const idPattern = /^vid_[^/]*$/
const one = {
  name: 'id',
  description: 'of the job, beginning with `vid_`',
  pattern: '^vid_',
} as const

const listQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'how many' }),
  ),
  after: Type.Optional(Type.String({ description: 'only those behind the job of this id' })),
  order: Type.Optional(
    Type.Union([Type.Literal('desc'), Type.Literal('asc')], { description: 'by age' }),
  ),
})

const contentQuery = Type.Object({
  variant: Type.Optional(
    Type.Union(
      videoVariants.map((each) => Type.Literal(each)),
      { description: 'of the file; vendors without the other two refuse them' },
    ),
  ),
  download: Type.Optional(Type.String({ description: '`1` has browsers save the file' })),
})

/** Orders a video. */
export const createVideos: ApiRoute = {
  method: 'POST',
  path: listPath,
  doc: {
    group,
    summary: 'A video of a prompt: answers at once with a job.',
    description: `The cost is charged when the job is accepted, and returned when the video is not
made. Ask for the job every 10 to 20 seconds until it is completed. JSON, or a form
(multipart/form-data), in which \`input_reference\` may be a file.`,
    keyed: true,
    request: {
      schema: VideosBody,
      notes: {
        model: 'an `id` of `GET /v1/models?type=video`',
        prompt: 'what is to be seen; at most 4000 characters',
        seconds: 'how long; what a model makes stands in its `capabilities`',
        size: '`<width>x<height>` or `auto`',
        input_reference: 'the picture it begins with, for models that take one',
      },
      example: { model: 'sandbox/video', prompt: 'دریای آرام', seconds: '4', size: '1280x720' },
    },
    answers: [
      {
        status: 200,
        description: 'The job; with `X-Dry-Run`, the estimate.',
        headers: [...keyedHeaders, 'x-cost-usd'],
        content: { 'application/json': { schema: Type.Union([VideoReply, DryRunReply]) } },
      },
    ],
    errors: [
      ...meteredErrors,
      'missing_prompt',
      'prompt_too_long',
      'invalid_seconds',
      'invalid_size',
    ],
  },
  serve: createVideo,
}

/** The jobs of the key's project. */
export const listVideos: ApiRoute = {
  method: 'GET',
  path: listPath,
  doc: {
    group,
    summary: 'The jobs of the project, newest first.',
    keyed: true,
    query: listQuery,
    answers: [
      {
        status: 200,
        description: 'A page of jobs.',
        headers: keyedHeaders,
        content: { 'application/json': { schema: VideoList } },
      },
    ],
    errors: [...keyedErrors, 'invalid_field'],
  },
  serve: (parts, inbound) =>
    answerAuthenticated(parts, inbound, (caller) => pageOf(parts, caller, inbound)),
}

async function pageOf({ videos }: RouteParts, { project }: Caller, inbound: Inbound) {
  const { limit = 20, order = 'desc', after } = readQuery(inbound, listQuery)
  const found = await videos.store.list({
    project: project.id,
    most: limit + 1,
    // An id that is not there stands where it would stand: its job may have been deleted.
    after: after === undefined ? null : (after as VideoId),
    oldestFirst: order === 'asc',
  })
  const language = readLanguage(inbound.headers)
  const data = found.slice(0, limit).map((job) => videoView(job, language))
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  }
}

/** One job. */
export const video: ApiRoute = {
  method: 'GET',
  path: `${listPath}/*`,
  idPattern,
  doc: {
    group,
    summary: 'How far a job is.',
    keyed: true,
    rest: one,
    answers: [
      {
        status: 200,
        description: 'The job.',
        headers: keyedHeaders,
        content: { 'application/json': { schema: VideoReply } },
      },
    ],
    errors: [...keyedErrors, 'invalid_field', 'video_not_found'],
  },
  serve: (parts, inbound) =>
    respondAuthenticated(parts, inbound, async (caller, headers) => {
      refuseQuery(inbound)
      const job = await find(parts, caller, idOf(inbound))
      return jsonResponse(videoView(job, readLanguage(inbound.headers)), {
        ...headers,
        ...pollHeaders(job, parts.videos.paceMs(job)),
      })
    }),
}

/** The file of a job. */
export const videoContent: ApiRoute = {
  method: 'GET',
  path: `${listPath}/*/content`,
  idPattern,
  doc: {
    group,
    summary: 'The file of a completed job, for about 48 hours after it was ordered.',
    description: '`Range` is answered with 206. Nothing of it is stored: it comes from the vendor.',
    keyed: true,
    rest: one,
    query: contentQuery,
    answers: [
      {
        status: 200,
        description: 'The file, in the type that its vendor tells.',
        headers: keyedHeaders,
        content: { 'video/mp4': { schema: Type.String({ format: 'binary' }) } },
      },
    ],
    errors: [
      ...keyedErrors,
      'invalid_field',
      'video_not_found',
      'endpoint_not_supported',
      'upstream_error',
      'upstream_unreachable',
    ],
  },
  serve: (parts, inbound) =>
    respondAuthenticated(parts, inbound, async (caller, headers) =>
      contentOf(parts, await find(parts, caller, idOf(inbound)), inbound, headers),
    ),
}

/** The step behind the list's path. */
const idOf = ({ path }: Inbound): string =>
  path.slice(listPath.length + 1).replace(/\/content$/, '')

/** @throws video_not_found */
async function find({ videos }: RouteParts, { project }: Caller, id: string): Promise<VideoJob> {
  const job = await videos.store.find(id, project.id)
  if (job === null) throw new GatewayError('video_not_found', { id }, { param: 'id' })
  return job
}

/** Several ranges at once would come as parts of a body of another type: then it is all of the file. */
function oneRange(headers: Headers): string | null {
  const range = headers.get('range')
  return range !== null && /^bytes=(?:\d+-\d*|-\d+)$/.test(range) ? range : null
}

const yes = /^(?:1|true|yes)$/i
const no = /^(?:0|false|no)$/i

const endings = { video: 'mp4', thumbnail: 'webp', spritesheet: 'jpg' } as const

async function contentOf(
  { videos }: RouteParts,
  job: VideoJob,
  inbound: Inbound,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { method, headers: asked, signal } = inbound
  const { variant = 'video', download = '0' } = readQuery(inbound, contentQuery)
  const saves = yes.test(download)
  if (!saves && !no.test(download)) throw invalid('download', 'true or false')
  const content = await videos.content({ job, variant, range: oneRange(asked), signal })
  const name = `${job.id}.${endings[variant]}`
  const { status, body, length } = content
  const all = {
    ...headers,
    ...content.headers,
    'cache-control': 'private, no-store',
    ...(saves ? { 'content-disposition': `attachment; filename="${name}"` } : {}),
  }
  if (method !== 'HEAD') return new Response(body, { status, headers: all })
  // The vendor's file is dropped as soon as its head is known.
  await body?.cancel()
  const told = length === null ? {} : { 'content-length': length }
  return new Response(null, { status, headers: { ...all, ...told } })
}

/** Cancels what is not made yet, and hides what is over. */
export const deleteVideo: ApiRoute = {
  method: 'DELETE',
  path: `${listPath}/*`,
  idPattern,
  doc: {
    group,
    summary: 'Cancels a job that is not made yet, with its cost returned, or deletes it.',
    keyed: true,
    rest: one,
    answers: [
      {
        status: 200,
        description: 'It is gone.',
        headers: keyedHeaders,
        content: { 'application/json': { schema: VideoDeleted } },
      },
    ],
    errors: [...keyedErrors, 'invalid_field', 'video_not_found', 'gateway_error'],
  },
  serve: (parts, inbound) =>
    answerAuthenticated(parts, inbound, async (caller) => {
      refuseQuery(inbound)
      const gone = await remove(parts, caller, idOf(inbound))
      const refunded = isRefunded(gone)
      return { id: gone.id, object: 'video.deleted', deleted: true, refunded }
    }),
}

async function remove(parts: RouteParts, caller: Caller, id: string): Promise<VideoJob> {
  const { runner, store } = parts.videos
  const cancelled = await runner.cancel(await find(parts, caller, id))
  if (cancelled !== null) return cancelled
  // It was over a moment ago, or long since.
  const job = await find(parts, caller, id)
  if (isOpen(job)) throw new GatewayError('gateway_error', {})
  await store.remove({ ...job, deleted: parts.clock.now() })
  if (job.status === 'completed') runner.forget(job)
  return job
}
