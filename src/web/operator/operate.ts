import { treaty } from '@elysiajs/eden'
import type { OperationTable, ResultOf, SentTo } from '../../console/api/operator/operation-types'
import type { OperatorApi } from '../../console/api/operator/operator-api'
import { ApiError, fetchAgain } from '../client'

const prefix = '/app/api/operator'

/** Sign-in and sign-out of operators: session calls that are no operation. */
export const door = treaty<OperatorApi>(location.origin, {
  parseDate: false,
  fetcher: fetchAgain as typeof fetch,
}).app.api.operator

type OperationName = keyof OperationTable
/** Data of an operation, by its name. */
export type Result<Name extends OperationName> = ResultOf<OperationTable[Name]>

interface AnySent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const listeners = new Set<(name: OperationName) => void>()

/** Subscribes to changes made by operations. @returns what ends it */
export function onOperated(tell: (name: OperationName) => void): () => void {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/**
 * Runs an operation, named as the table has it: `operate('PATCH /accounts/{id}', { params, body })`.
 * @throws ApiError
 */
export async function operate<Name extends OperationName>(
  name: Name,
  sent: SentTo<OperationTable[Name]>,
): Promise<Result<Name>> {
  const { body } = sent as AnySent
  const response = await fetchAgain(addressOf(name, sent), {
    method: methodOf(name),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return answered(name, response.status, await response.text())
}

/** Share of a file that was sent, from 0 to 1. */
type OnSent = (share: number) => void

/**
 * Runs an operation on a file in the place of a body: browsers tell how much of it was sent to this
 * older kind of request only.
 * @throws ApiError
 */
export async function operateOnFile<Name extends OperationName>(
  name: Name,
  sent: SentTo<OperationTable[Name]>,
  { file, onSent, signal }: { file: Blob; onSent: OnSent; signal: AbortSignal },
): Promise<Result<Name>> {
  const request = new XMLHttpRequest()
  const { promise, resolve } = Promise.withResolvers<void>()
  request.open(methodOf(name), addressOf(name, sent))
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onSent(total === 0 ? 1 : loaded / total),
  )
  request.addEventListener('loadend', () => resolve())
  signal.addEventListener('abort', () => request.abort())
  request.send(file)
  await promise
  return answered(name, request.status, request.responseText)
}

const methodOf = (name: OperationName): string => name.split(' ')[0] ?? 'GET'

function addressOf<Name extends OperationName>(
  name: Name,
  sent: SentTo<OperationTable[Name]>,
): string {
  const { params = {}, query = {} } = sent as AnySent
  return `${prefix}${pathOf(name.split(' ')[1] ?? '', params)}${searchOf(query)}`
}

/** @throws ApiError */
function answered<Name extends OperationName>(
  name: Name,
  status: number,
  text: string,
): Result<Name> {
  const answer = jsonOf(text)
  if (status >= 200 && status < 300) {
    if (methodOf(name) !== 'GET') for (const tell of listeners) tell(name)
    return answer as Result<Name>
  }
  const { code = 'other', ...facts } = (answer as { error?: { code?: string } } | null)?.error ?? {}
  throw new ApiError(status, code, facts)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const pathOf = (path: string, params: AnySent['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  )

/** Query of an operation, without members that are left open. */
export function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '')
      for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  return search.size === 0 ? '' : `?${search}`
}
