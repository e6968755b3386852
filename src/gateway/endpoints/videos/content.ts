import type { Clock } from '../../../domain/clock'
import type { VideoJob } from '../../../domain/video-job'
import { isOpen } from '../../../domain/video-job'
import { GatewayError, isGatewayError } from '../../../errors/gateway-error'
import { invalid } from '../../formats/schema-fault'
import { NotPublic, type FetchPublic } from '../../outbound/public-fetch'
import { replyOfResponse } from '../../outbound/http1/fetch-reply'
import type { ByteSource, Reply } from '../../outbound/http1/reply'
import type { VideoVariant } from '../../vendors/video-status'
import { look, makerOf, type Maker, type VendorSideParts } from './vendor-side'

interface ContentParts extends VendorSideParts {
  readonly clock: Clock
  readonly fetchPublic: FetchPublic
}

/** Request for a video's file. */
export interface ContentRequest {
  readonly job: VideoJob
  readonly variant: VideoVariant
  /** The client's `Range` (RFC 9110, 14.2); null for all of it. */
  readonly range: string | null
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
}

/** A file on its way: nothing of it is kept. */
export interface Content {
  readonly status: 200 | 206 | 416
  readonly headers: Readonly<Record<string, string>>
  /** In bytes, where the vendor tells it. */
  readonly length: string | null
  readonly body: ReadableStream<Uint8Array> | null
}

const types: Readonly<Record<VideoVariant, string>> = {
  video: 'video/mp4',
  thumbnail: 'image/webp',
  spritesheet: 'image/jpeg',
}
/** Of the vendor's headers, those that are the file's; its length is the server's to tell, but where no body is. */
const passed = ['content-range', 'accept-ranges', 'etag', 'last-modified'] as const

/**
 * The file of a completed job, streamed through from its vendor.
 * @throws video_not_found when there is none, or none any more | invalid_field when it is not made yet
 * @throws endpoint_not_supported for a variant that the vendor does not have
 * @throws upstream_error | upstream_unreachable
 */
export async function openContent(parts: ContentParts, ask: ContentRequest): Promise<Content> {
  const { job, variant } = ask
  if (isOpen(job)) throw invalid('id', 'a video that is completed')
  const gone = job.expires === null || job.expires <= parts.clock.now()
  const maker = job.status !== 'completed' || gone ? null : makerOf(parts, job)
  if (maker === null) throw notFound(job)
  const { reply, abort } = await fileOf(parts, maker, ask)
  const { status } = reply
  if (status === 416) {
    abort()
    return { status, headers: picked(reply, ['content-range']), length: null, body: null }
  }
  if (status !== 200 && status !== 206) {
    abort()
    // A file that the vendor has deleted is gone here too.
    if ([403, 404, 410].includes(status)) throw notFound(job)
    throw new GatewayError('upstream_error', { model: job.model })
  }
  const told = reply.headers.get('content-type') ?? ''
  const type = /^(?:video|image)\//i.test(told) ? told : types[variant]
  return {
    status,
    headers: { ...picked(reply, passed), 'content-type': type },
    length: reply.headers.get('content-length'),
    body: streamOf(reply.source, abort),
  }
}

const notFound = ({ id }: VideoJob) => new GatewayError('video_not_found', { id }, { param: 'id' })

const picked = ({ headers }: Reply, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

/** A reply, and how it is dropped. */
interface Opened {
  readonly reply: Reply
  abort(): void
}

async function fileOf(parts: ContentParts, maker: Maker, ask: ContentRequest): Promise<Opened> {
  const { job, variant, range, signal } = ask
  const { ability, target, name } = maker
  const headers = range === null ? [] : [['range', range] as const]
  if (ability.content !== undefined) {
    const request = { ...ability.content(name, variant, target), headers }
    return followed(parts, maker, ask, await maker.ask(request, signal))
  }
  if (variant !== 'video') {
    const facts = { model: job.model, endpoint: `variant=${variant}` }
    throw new GatewayError('endpoint_not_supported', facts, { param: 'variant' })
  }
  // Asked anew each time: an address may be good for minutes only, and none is kept.
  const looked = await look(parts, job)
  if (looked.kind === 'failed' && isGatewayError(looked.cause)) throw looked.cause
  if (looked.kind === 'failed') throw new GatewayError('upstream_error', { model: job.model })
  if (looked.kind === 'missing' || looked.seen.status !== 'completed' || looked.seen.url === null)
    throw notFound(job)
  return followed(parts, maker, ask, await fetchFrom(parts, maker, ask, looked.seen.url))
}

const maxRedirects = 3

/** Where a vendor sends us on to: with our credential only as long as it is still the vendor. */
async function followed(
  parts: ContentParts,
  maker: Maker,
  ask: ContentRequest,
  first: Opened,
): Promise<Opened> {
  let opened = first
  for (let redirects = 0; redirects < maxRedirects; redirects++) {
    const { status, headers } = opened.reply
    const location = headers.get('location')
    if (status < 300 || status >= 400 || location === null) return opened
    opened.abort()
    const { baseUrl } = maker.target.config
    if (!URL.canParse(location, baseUrl)) break
    opened = await fetchFrom(parts, maker, ask, new URL(location, baseUrl).href)
  }
  return opened
}

async function fetchFrom(
  { fetchPublic }: ContentParts,
  maker: Maker,
  { job, range, signal }: ContentRequest,
  address: string,
): Promise<Opened> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url !== null && url.origin === new URL(maker.target.config.baseUrl).origin) {
    const path = url.pathname + url.search
    const headers = range === null ? [] : [['range', range] as const]
    const request = {
      method: 'GET',
      path,
      base: url.origin,
      body: null,
      contentType: null,
      headers,
    } as const
    return maker.ask(request, signal)
  }
  const left = new AbortController()
  const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity' }
  if (range !== null) headers['range'] = range
  try {
    const response = await fetchPublic(address, {
      headers,
      signal: AbortSignal.any([signal, left.signal]),
    })
    return { reply: replyOfResponse(response), abort: () => left.abort() }
  } catch (cause) {
    const code = cause instanceof NotPublic ? 'upstream_error' : 'upstream_unreachable'
    throw new GatewayError(code, { model: job.model }, { cause })
  }
}

/** As fast as the client reads; one that leaves drops the vendor's connection. */
const streamOf = (source: ByteSource, abort: () => void): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await source.read()
        if (piece === null) controller.close()
        else controller.enqueue(piece)
      },
      cancel: abort,
    },
    { highWaterMark: 1 },
  )
