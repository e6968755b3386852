import { systemClock, unixSeconds, type Ms } from '../../../domain/clock'
import { fieldsOf } from '../../json/fields'
import { failedReply, faultResponse } from './faults'
import { filmFile } from './film-files'
import { isFilm, type SandboxFilm } from './films'
import { readSentForm, type SentForm } from './sent-form'

/**
 * A job is all in its name, so that it is still known after a restart: nothing is kept anywhere.
 * What it is to show is not in it: every film is the same.
 */
interface Film {
  readonly model: SandboxFilm
  readonly created: Ms
  readonly seconds: string
  readonly size: string
}

const queuedMs = 400
const failsMs = 1000
const madeMs = 2000

/** Answer about videos; null for everything else. */
export async function videoReply(request: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  const found = /^\/v1\/videos(?:\/([^/]+)(\/content)?)?$/.exec(pathname)
  if (found === null) return null
  const [, name, content] = found
  if (name === undefined) return create(await readSentForm(request), request.signal)
  const film = filmOf(name)
  if (film === null || film.model === 'video-lost') return gone()
  if (request.method === 'DELETE') return Response.json({ id: name, deleted: true })
  if (content === undefined) return Response.json(shown(name, film))
  return file(film, searchParams.get('variant') ?? 'video', request.headers.get('range'))
}

async function create({ fields }: SentForm, signal: AbortSignal): Promise<Response> {
  const model = fields.get('model') ?? ''
  if (!isFilm(model)) return failedReply(model, signal)
  if (model === 'video-refused') return faultResponse('upstream_rejected')
  const film: Film = {
    model,
    created: systemClock.now(),
    seconds: fields.get('seconds') ?? '4',
    size: fields.get('size') ?? '1280x720',
  }
  const name = `video_${Buffer.from(JSON.stringify(film)).toString('base64url')}`
  return Response.json(shown(name, film))
}

function filmOf(name: string): Film | null {
  try {
    const written = Buffer.from(name.replace(/^video_/, ''), 'base64url').toString()
    const { model, created, seconds, size } = fieldsOf(JSON.parse(written))
    if (!isFilm(model) || typeof created !== 'number') return null
    return { model, created: created as Ms, seconds: String(seconds), size: String(size) }
  } catch {
    return null
  }
}

function shown(id: string, film: Film) {
  const { model, created, seconds, size } = film
  const common = { id, object: 'video', created_at: unixSeconds(created), model, seconds, size }
  const age = systemClock.now() - created
  if (age < queuedMs) return { ...common, status: 'queued', progress: 0, error: null }
  if (model === 'video-failed' && age >= failsMs) {
    const error = { code: 'moderation_blocked', message: 'The sandbox will not make this.' }
    return { ...common, status: 'failed', progress: 0, error }
  }
  const progress = Math.floor((100 * age) / madeMs)
  if (model === 'video-stalled' || progress < 100) {
    const most = model === 'video-stalled' ? 40 : 99
    return { ...common, status: 'in_progress', progress: Math.min(progress, most), error: null }
  }
  return { ...common, status: 'completed', progress: 100, error: null }
}

const types: Readonly<Record<string, string>> = {
  video: 'video/mp4',
  thumbnail: 'image/webp',
  spritesheet: 'image/jpeg',
}

function file(film: Film, variant: string, range: string | null): Response {
  const known = variant === 'video' || variant === 'thumbnail' || variant === 'spritesheet'
  const bytes = known ? filmFile(variant, film.size, Number(film.seconds)) : null
  if (bytes === null) return gone()
  const headers = { 'content-type': types[variant] ?? '', 'accept-ranges': 'bytes' }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return new Response(bytes, { headers })
  const { length } = bytes
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (from > to) {
    const told = { 'content-range': `bytes */${length}` }
    return new Response(null, { status: 416, headers: { ...headers, ...told } })
  }
  const told = { 'content-range': `bytes ${from}-${to}/${length}` }
  return new Response(bytes.slice(from, to + 1), { status: 206, headers: { ...headers, ...told } })
}

const gone = (): Response => {
  const error = { message: 'The sandbox has no such video.', type: 'invalid_request_error' }
  return Response.json({ error: { ...error, code: 'not_found', param: null } }, { status: 404 })
}
