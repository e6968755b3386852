import type { ErrorContext } from 'elysia'
import { ValidationError } from 'elysia'
import { isAdminError, type AdminError } from '../../business/operations/admin-error'
import { adminStatus } from '../../business/operations/admin-status'
import { inputRefusal } from '../../business/operations/refusals/check-input'
import { refusalSentence } from '../../business/operations/refusals/refusal-text'
import { ReadRefused, type ReadRefusal } from '../../domain/reports/account-reader'
import { storageFault } from '../../domain/storage-fault'
import { isGatewayError } from '../../errors/gateway-error'
import { isPeopleRefusal } from '../../business/users/refusal'
import { visitLanguage } from '../page-head'
import { Refusal } from '../refusal'
import { bodyRefusalOf } from './page-body'
import { peopleStatus } from './people-status'

export interface RefusalBody {
  readonly status: number
  readonly code: string
  readonly [fact: string]: unknown
}

/** An error of a route, as the framework hands it on. */
interface Failed extends Pick<ErrorContext, 'request' | 'set'> {
  readonly code: unknown
  readonly error: unknown
  readonly params?: object
  readonly query?: object
}

const readCode: Readonly<Record<ReadRefusal, string>> = {
  too_long: 'read_too_long',
  too_many: 'read_too_many',
}
export const readCodes: readonly string[] = Object.values(readCode)

/**
 * Answer to an error of a route of pages.
 * @param ownRefusal refusals of this API alone; null for other errors
 * @param onFault called with what no rule foresees
 */
export function refusePage(
  failed: Failed,
  ownRefusal: (error: unknown) => RefusalBody | null,
  onFault: (fault: unknown) => void,
) {
  const { error, request, set } = failed
  const input = faultyInput(failed)
  const { status, ...body } =
    input === null
      ? (ownRefusal(error) ?? commonRefusal(failed, onFault))
      : changeRefusal(input, request)
  set.headers['cache-control'] = 'no-store'
  if (typeof body['waitSeconds'] === 'number')
    set.headers['retry-after'] = String(body['waitSeconds'])
  set.status = status
  // A returned value would join the type of every answer.
  return { error: body } as never
}

/** A refused change, with its text in the language of the page. */
export const changeRefusal = (error: AdminError, { headers }: Request): RefusalBody => ({
  ...error.facts,
  message: refusalSentence(error, visitLanguage(headers)),
  status: adminStatus(error.code),
  code: error.code,
})

/** Refusal of a field by a route's schema or by what reads it; null for other errors. */
function faultyInput({ error, params, query }: Failed): AdminError | null {
  if (isAdminError(error) && error.code === 'input_invalid') return error
  if (!(error instanceof ValidationError) || error.valueError === undefined) return null
  const { type, value, valueError } = error
  if (type !== 'property') return inputRefusal(valueError)
  // A number in the address beyond its limits: the framework drops the field's name.
  const sent = Object.entries({ ...params, ...query })
  return inputRefusal(valueError, sent.find(([, text]) => Number(text) === value)?.[0])
}

function commonRefusal({ code, error }: Failed, onFault: (fault: unknown) => void): RefusalBody {
  const ofBody = bodyRefusalOf(code, error)
  if (ofBody !== null) return { status: ofBody.status, code: 'invalid' }
  if (error instanceof Refusal) return { ...error.facts, status: error.status, code: error.code }
  if (isPeopleRefusal(error))
    return { ...error.facts, status: peopleStatus[error.code], code: error.code }
  if (storageFault(error) !== null || (isGatewayError(error) && error.status === 503)) {
    if (storageFault(error) !== null) onFault(error)
    return { status: 503, code: 'unavailable' }
  }
  if (isGatewayError(error) && error.retryAfterSeconds !== null)
    return { status: 429, code: 'too_many_requests', waitSeconds: error.retryAfterSeconds }
  if (error instanceof ReadRefused) return { status: 503, code: readCode[error.reason] }
  if (code === 'NOT_FOUND') return { status: 404, code: 'not_found' }
  onFault(error)
  return { status: 500, code: 'other' }
}
