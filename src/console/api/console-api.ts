import { Elysia } from 'elysia'
import { Refusal } from '../refusal'
import type { ConsoleParts } from './parts'
import { serviceApi } from './service-facts'

/**
 * The API of the web app's pages: sessions, not keys; never an interface for programs. Its type is
 * what the pages are checked against.
 */
export const openConsoleApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/app/api', normalize: false })
    .onAfterHandle(({ set }) => void (set.headers['cache-control'] = 'no-store'))
    .onError(({ code, error, set }) => {
      set.headers['cache-control'] = 'no-store'
      const { status, ...body } = refusalOf(code, error, parts)
      set.status = status
      // What is returned here would join the type of every answer.
      return { error: body } as never
    })
    .use(serviceApi(parts))

export type ConsoleApi = ReturnType<typeof openConsoleApi>

interface RefusalBody {
  readonly status: number
  readonly code: string
}

function refusalOf(code: unknown, error: unknown, parts: ConsoleParts): RefusalBody {
  if (error instanceof Refusal) return { status: error.status, ...error.facts, code: error.code }
  if (code === 'NOT_FOUND') return { status: 404, code: 'not_found' }
  if (code === 'VALIDATION' || code === 'PARSE') return { status: 400, code: 'invalid' }
  parts.onFault(error)
  return { status: 500, code: 'other' }
}
