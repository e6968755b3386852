import type { RouteDoc } from './reference/doc'
import { StatusReply } from './reference/schemas'
import type { ApiRoute } from './route'

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const says = (status: 200 | 503, word: string): Response =>
  new Response(JSON.stringify({ status: word }), { status, headers })

const told = (status: number, description: string) => ({
  status,
  description,
  content: { 'application/json': { schema: StatusReply } },
})
const docOf = (summary: string, answers: RouteDoc['answers']): RouteDoc => ({
  group: 'Service',
  summary,
  keyed: false,
  answers,
  errors: ['internal_error'],
})

/** The process is alive. */
export const health: ApiRoute = {
  method: 'GET',
  path: '/healthz',
  doc: docOf('Whether the process is alive.', [told(200, 'It is.')]),
  serve: async () => says(200, 'ok'),
}

/** The process takes new calls. */
export const readiness: ApiRoute = {
  method: 'GET',
  path: '/readyz',
  doc: docOf('Whether new calls are taken.', [
    told(200, 'They are.'),
    told(
      503,
      'It is stopping, cannot write down what calls cost, or has not heard of its database for long.',
    ),
  ]),
  async serve(parts) {
    if (!parts.ready()) return says(503, 'stopping')
    if (parts.isCutOff?.() === true) return says(503, 'database_away')
    return parts.ledger.ready() ? says(200, 'ready') : says(503, 'unwritable')
  },
}
