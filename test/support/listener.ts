/** A vendor on loopback that takes recordings: it tells what came, and plays what it is told to. */

export interface HeardRequest {
  readonly path: string
  readonly search: string
  readonly headers: Headers
  /** The body as it came. */
  readonly bytes: Buffer
  /** Fields of a form, several of one name joined by commas; none where it was no form. */
  readonly fields: Readonly<Record<string, string>>
  /** The file of a form. */
  readonly file: { readonly name: string; readonly bytes: Buffer } | null
}

export type Play = (heard: HeardRequest, request: Request) => Response | Promise<Response>

export interface Listener {
  /** Base address, with the version. */
  readonly url: string
  readonly heard: readonly HeardRequest[]
  play(next: Play): void
  close(): Promise<void>
}

export function openListener(play: Play): Listener {
  let current = play
  const heard: HeardRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    maxRequestBodySize: 200_000_000,
    async fetch(request) {
      const one = await readHeard(request)
      heard.push(one)
      return await current(one, request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    heard,
    play: (next) => void (current = next),
    close: () => server.stop(true),
  }
}

async function readHeard(request: Request): Promise<HeardRequest> {
  const { headers } = request
  const { pathname: path, search } = new URL(request.url)
  const bytes = Buffer.from(await request.arrayBuffer())
  const type = headers.get('content-type') ?? ''
  const fields: Record<string, string> = {}
  let file: HeardRequest['file'] = null
  if (type.startsWith('multipart/form-data')) {
    // A parser of somebody else's: what we send must be what the world reads.
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form.entries())
      if (typeof value === 'string')
        fields[name] = fields[name] === undefined ? value : `${fields[name]},${value}`
      else
        file = {
          name: value.name,
          bytes: Buffer.from(await value.arrayBuffer()),
        }
  }
  return { path, search, headers, bytes, fields, file }
}
