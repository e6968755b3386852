import { treaty } from '@elysiajs/eden'
import type { OperationTable, ResultOf, SentTo } from '../../console/api/operator/operation-types'
import type { OperatorApi } from '../../console/api/operator/operator-api'
import { ApiError } from '../client'

const prefix = '/app/api/operator'

/** How an operator comes in and goes: what is no operation. */
export const door = treaty<OperatorApi>(location.origin, { parseDate: false }).app.api.operator

export type OperationName = keyof OperationTable
export type Result<Name extends OperationName> = ResultOf<OperationTable[Name]>

interface AnySent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly upload?: Blob
}

const listeners = new Set<(name: OperationName) => void>()

/** Tells of each change that was made. @returns what ends it */
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
  const [method = 'GET', path = ''] = name.split(' ')
  const { params = {}, query = {}, body, upload } = sent as AnySent
  const response = await fetch(`${prefix}${pathOf(path, params)}${searchOf(query)}`, {
    method,
    ...(upload === undefined ? {} : { body: upload }),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) {
    if (method !== 'GET') for (const tell of listeners) tell(name)
    return answer as Result<Name>
  }
  const { code = 'other', ...facts } = (answer as { error?: { code?: string } } | null)?.error ?? {}
  throw new ApiError(response.status, code, facts)
}

const pathOf = (path: string, params: AnySent['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  )

/** Without what is left open. */
export function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '')
      for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  return search.size === 0 ? '' : `?${search}`
}
