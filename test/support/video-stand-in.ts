/** A vendor on loopback that makes videos in the reference format, as far as it is told to. */

interface StandInJob {
  readonly fields: Readonly<Record<string, string>>
  readonly file: { readonly type: string; readonly bytes: Uint8Array } | null
  /** What it tells of the job; null: that there is none. */
  state: object | null
  looks: number
  deleted: number
}

export interface VideoStandIn {
  readonly url: string
  readonly jobs: ReadonlyMap<string, StandInJob>
  /** The job that was created last. */
  last(): StandInJob
  /** Requests for files: their variant and range. */
  readonly fetched: { readonly variant: string | null; readonly range: string | null }[]
  /** Answers instead, until it is told `null`. */
  play(script: Script | null): void
  close(): Promise<void>
}

type Script = (request: Request, path: string) => Response | null | Promise<Response | null>

export const filmBytes = new Uint8Array(300_000).map((_, at) => at % 251)

export function openVideoStandIn(): VideoStandIn {
  const jobs = new Map<string, StandInJob>()
  const fetched: { variant: string | null; range: string | null }[] = []
  let script: Script | null = null

  const created = async (request: Request): Promise<Response> => {
    const form = await request.formData()
    const fields: Record<string, string> = {}
    let file: StandInJob['file'] = null
    for (const [name, value] of form)
      if (typeof value === 'string') fields[name] = value
      else file = { type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
    const id = `video_${jobs.size + 1}`
    const state = { status: 'queued', progress: 0 }
    jobs.set(id, { fields, file, state, looks: 0, deleted: 0 })
    return Response.json({ id, object: 'video', ...state })
  }

  const content = (request: Request): Response => {
    const { searchParams } = new URL(request.url)
    const range = request.headers.get('range')
    fetched.push({ variant: searchParams.get('variant'), range })
    const headers = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (from === undefined) return new Response(filmBytes, { headers })
    const told = { 'content-range': `bytes ${from}-${to}/${filmBytes.length}` }
    const part = filmBytes.slice(Number(from), Number(to) + 1)
    return new Response(part, { status: 206, headers: { ...headers, ...told } })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const played = await script?.(request, path)
      if (played) return played
      if (request.method === 'POST' && path === '/v1/videos') return created(request)
      const [, id = '', file] = /^\/v1\/videos\/([^/]+)(\/content)?$/.exec(path) ?? []
      const job = jobs.get(id)
      if (job === undefined || job.state === null)
        return Response.json({ error: { message: 'no such video' } }, { status: 404 })
      if (request.method === 'DELETE') job.deleted++
      else if (file !== undefined) return content(request)
      else job.looks++
      return Response.json({ id, object: 'video', ...job.state })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    jobs,
    last() {
      const job = [...jobs.values()].at(-1)
      if (job === undefined) throw new Error('no job was created')
      return job
    },
    fetched,
    play: (next) => void (script = next),
    close: () => server.stop(true),
  }
}
