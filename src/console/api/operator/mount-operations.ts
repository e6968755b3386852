import { Elysia } from 'elysia'
import { invoke, queryOf } from '../../../business/operations/invoke'
import { checkRole } from '../../../business/accounts/access-rules'
import { LiveFilter } from '../../../business/usage/operations/live-calls'
import type { Operation } from '../../../business/operations/operation'
import type { OperationParts } from '../../../business/operations/parts'
import { operationRows } from '../../../business/operations/table'
import type { RemoteRequester } from '../../../business/operators/requester'
import { readJson } from '../../../gateway/http/json-body'
import { uploadPieces } from '../../../gateway/http/upload'
import { liveEvents } from './live-events'

/** Prefix, access check and headers of mounted operations. */
interface OperationMount {
  /** Below which paths of operations stand. */
  readonly prefix: string
  /**
   * @param row requested operation; null for events
   * @throws without access to any
   */
  open(request: Request, row: Operation | null): Promise<OpenedOperation>
}

interface OpenedOperation {
  readonly parts: OperationParts & { readonly requester: RemoteRequester }
  readonly headers: Readonly<Record<string, string>>
}

/** `/accounts/{id}` as the router has it. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Routes of every operation. Whoever may not do it is refused before the body is read; whatever was
 * changed holds for the next call, also where the operation failed on its way.
 */
export function mountOperations({ prefix, open }: OperationMount) {
  const app = new Elysia({ prefix, normalize: false })
  for (const row of operationRows)
    app.route(
      row.method,
      routerPath(row.path),
      async ({ request, params }) => {
        const { parts, headers } = await open(request, row)
        checkRole(parts.requester, row.role)
        const body = await bodyOf(row, request)
        const upload = uploadOf(row, request)
        const query = sentQueryOf(request)
        try {
          return Response.json(
            await invoke(row, parts, { params: decoded(params), query, body, ...upload }),
            {
              headers: { ...headers, 'cache-control': 'no-store' },
            },
          )
        } finally {
          if (row.method !== 'GET') await parts.service.refresh()
        }
      },
      { parse: 'none' },
    )
  return app.get('/live/events', async ({ request }) => {
    const { parts, headers } = await open(request, null)
    const filter = queryOf(LiveFilter, sentQueryOf(request))
    return liveEvents({ service: parts.service, filter, headers, check: () => open(request, null) })
  })
}

async function bodyOf(
  { method, maxBodyKb, maxUploadMb }: Operation,
  request: Request,
): Promise<unknown> {
  if (method === 'GET' || request.body === null || maxUploadMb !== null) return undefined
  return (await readJson(request, maxBodyKb * 1024)).value
}

const uploadOf = ({ maxUploadMb }: Operation, request: Request) =>
  maxUploadMb === null ? {} : { upload: uploadPieces(request, maxUploadMb * 2 ** 20) }

const decoded = (params: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]))

/** A name that comes twice is a list. */
function sentQueryOf({ url }: Request): Readonly<Record<string, string | readonly string[]>> {
  const sent = new URL(url, 'http://localhost').searchParams
  return Object.fromEntries(
    [...new Set(sent.keys())].map((name) => {
      const values = sent.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
