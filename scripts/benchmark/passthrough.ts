/**
 * The least that a gateway on this runtime can do: what comes in goes out.
 *
 *     bun scripts/benchmark/passthrough.ts piped|buffered PORT VENDOR_PORT
 */
const [way, port, vendorPort] = process.argv.slice(2)
const buffered = way === 'buffered'
const vendor = `http://127.0.0.1:${vendorPort}`

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  idleTimeout: 255,
  development: false,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const reply = await fetch(vendor + pathname, {
      method: request.method,
      headers: {
        authorization: request.headers.get('authorization') ?? '',
        'content-type': 'application/json',
        'content-length': request.headers.get('content-length') ?? '0',
      },
      body: buffered ? await request.arrayBuffer() : request.body,
      signal: request.signal,
    })
    const type = reply.headers.get('content-type') ?? ''
    const headers = { 'content-type': type }
    const streams = type.startsWith('text/event-stream')
    const body = buffered && !streams ? await reply.arrayBuffer() : reply.body
    return new Response(body, { status: reply.status, headers })
  },
})
