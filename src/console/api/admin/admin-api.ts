import { Elysia } from 'elysia'
import { isAdminError, type AdminError } from '../../../business/operations/admin-error'
import { adminStatus } from '../../../business/operations/admin-status'
import { refusalText } from '../../../business/operations/refusals/refusal-text'
import { ReadRefused } from '../../../domain/reports/account-reader'
import { once } from '../../../domain/memoize'
import { GatewayError } from '../../../errors/gateway-error'
import { readSecret } from '../../../gateway/http/credential'
import { errorResponse, toGatewayError } from '../../../gateway/http/error-response'
import type { Inbound } from '../../../gateway/http/inbound'
import { readLanguage } from '../../../gateway/http/language'
import { addressBucket } from '../../../gateway/net/address'
import { operatorBlocks } from '../../guessing'
import { adminPrefix, type Arrived } from './arrived'
import { checkDoor, type Door } from '../../operator-door'
import type { OperatorService } from '../../operator-parts'

/** The interface for programs that operate the service: keys of operators, never cookies. */
export interface AdminApi {
  /** @throws GatewayError where operators are not answered */
  answer(request: Request, inbound: Inbound, door: Door): Promise<Response>
}

const refusalTypes = {
  400: 'invalid_request_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  409: 'invalid_request_error',
} as const

export function openAdminApi(desk: OperatorService): AdminApi {
  /** The framework hands on the request and nothing beside it. */
  const arrived = new WeakMap<Request, Arrived>()
  const of = (request: Request): Arrived => {
    const found = arrived.get(request)
    if (found === undefined) throw new Error('a request that did not arrive')
    return found
  }
  const open = async (request: Request) => {
    const { address } = of(request)
    const secret = readSecret(request.headers)
    const key = secret === null ? null : await desk.signIn.byKey(secret)
    if (key === null) {
      await desk.limits.takeAddress(addressBucket(address))
      if (secret === null) throw new GatewayError('missing_api_key', {})
      await desk.limits.takeAttempt(operatorBlocks(address))
      throw new GatewayError('invalid_api_key', {})
    }
    const { id, actor, role, grantor } = key
    const { limit, remaining } = await desk.limits.takeOperatorRequest(id)
    return {
      parts: desk.partsOf({ from: 'remote', address, actor, role, grantor }),
      headers: {
        'x-request-id': of(request).requestId,
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
      },
    }
  }
  // Hundreds of routes: read and made for the first program that asks, since many gateways never have one.
  const app = once(async () => {
    const { adminDocument } = await import('../../../business/operations/document')
    const { mountOperations } = await import('../operator/mount-operations')
    const document = once(adminDocument)
    return new Elysia({ normalize: false, handler: { standardHostname: false } })
      .onError(({ code, error, request }) => {
        const inbound = of(request)
        if (isAdminError(error)) return refusedChange(error, request, inbound) as never
        return refused(
          desk,
          code === 'NOT_FOUND' ? unknownUrl(inbound) : error,
          request,
          inbound,
        ) as never
      })
      .get(`${adminPrefix}/openapi.json`, async ({ request }) => {
        await desk.limits.takeAddress(addressBucket(of(request).address))
        return Response.json(document())
      })
      .use(mountOperations({ prefix: adminPrefix, open }))
  })

  return {
    async answer(request, inbound, door) {
      checkDoor(desk, inbound, door)
      arrived.set(request, inbound)
      return await (await app()).handle(request)
    },
  }
}

const unknownUrl = ({ method, path }: Arrived) => new GatewayError('unknown_url', { method, path })

/** In the language of the request; what is no refusal is told as a fault. */
function refused(
  desk: Pick<OperatorService, 'onFault'>,
  thrown: unknown,
  request: Request,
  { requestId, links }: Arrived,
): Response {
  const busy = thrown instanceof ReadRefused ? new GatewayError('gateway_error', {}) : null
  const error = busy ?? toGatewayError(thrown)
  if (error.cause === thrown) desk.onFault(thrown)
  const headers = { 'x-request-id': requestId, 'cache-control': 'no-store' }
  return errorResponse(error, readLanguage(request.headers), headers, undefined, links)
}

/** In the frame of the reference, with the code of the refusal. */
function refusedChange(error: AdminError, request: Request, { requestId }: Arrived): Response {
  const { code, facts } = error
  const status = adminStatus(code)
  const param = 'field' in facts ? facts.field : null
  const message = refusalText(error, readLanguage(request.headers))
  const body = { message, type: refusalTypes[status], code, param, facts }
  return Response.json(
    { error: body },
    { status, headers: { 'x-request-id': requestId, 'cache-control': 'no-store' } },
  )
}
