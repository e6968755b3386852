/**
 * Serves the web app from source, reloading what is saved, before a gateway that serves.
 *
 *     ./scripts/dev [--gateway http://127.0.0.1:8080] [--port 5173]
 */
import { parseArgs } from 'node:util'
import page from '../src/web/index.html'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    gateway: { type: 'string', default: 'http://127.0.0.1:8080' },
    port: { type: 'string', default: '5173' },
  },
})
const { gateway } = values

const pass = (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  headers.set('origin', gateway)
  const { method, body } = request
  return fetch(gateway + pathname + search, { method, headers, body, redirect: 'manual' })
}

const server = Bun.serve({
  port: Number(values.port),
  hostname: '127.0.0.1',
  development: { hmr: true, console: true },
  routes: { '/app/api/*': pass, '/v1/*': pass, '/app': page, '/app/*': page },
})
console.log(`${server.url.href}app, before ${gateway}`)
