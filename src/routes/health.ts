import type { Route } from './route'

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const says = (status: 200 | 503, word: string): Response =>
  new Response(JSON.stringify({ status: word }), { status, headers })

/** The process is alive. */
export const health: Route = {
  method: 'GET',
  path: '/healthz',
  serve: () => says(200, 'ok'),
}

/** The process takes new calls. */
export const readiness: Route = {
  method: 'GET',
  path: '/readyz',
  serve: (parts) => (parts.ready() ? says(200, 'ready') : says(503, 'stopping')),
}
