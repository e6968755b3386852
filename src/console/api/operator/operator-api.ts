import { Elysia } from 'elysia'
import { checkRole } from '../../../business/accounts/access-rules'
import { isAdminError } from '../../../business/operations/admin-error'
import type { Operation } from '../../../business/operations/operation'
import { isGatewayError } from '../../../errors/gateway-error'
import { addressBucket } from '../../../gateway/net/address'
import {
  isOperatorRefusal,
  type OperatorRefusalCode,
} from '../../../business/operators/operator-refusal'
import { actorOf, isFresh } from '../../../business/operators/sign-in'
import { operatorTokenOf } from '../../operator-cookie'
import type { OperatorService } from '../../operator-parts'
import { Refusal } from '../../refusal'
import { parsePageBody } from '../page-body'
import { changeRefusal, refusePage, type RefusalBody } from '../page-refusal'
import { mountOperations } from './mount-operations'
import type { OperatorConsoleParts } from './parts'
import { operatorPasskeysApi } from './passkeys'
import { operatorProofApi } from './proof'
import { operatorSessionApi } from './session'
import { needsFreshProof } from './session-needs'

const operatorApiPrefix = '/app/api/operator'

/**
 * The API of the operator's pages: sessions, not keys. Operations are those of the table; its own
 * routes are how an operator comes in.
 */
export const openOperatorApi = (
  desk: OperatorService,
  addressOf: OperatorConsoleParts['addressOf'],
) => {
  const operator = openOperatorOf(desk, addressOf)
  const parts = { desk, operator, addressOf }
  const open = async (request: Request, row: Operation | null) => {
    const { operator: who, created } = await operator(request)
    if (row !== null && needsFreshProof(row)) {
      // A role that is too low no proof makes up for.
      checkRole(who, row.role)
      if (!isFresh({ created }, desk.service.clock.now())) throw new Refusal(403, 'proof_required')
    }
    const address = addressOf(request)
    const headers = { 'cache-control': 'no-store' }
    const actor = actorOf(who)
    const parts = desk.partsOf({ from: 'remote', actor, role: who.role, grantor: actor, address })
    return { parts, headers }
  }
  return new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onRequest(async ({ request }) => {
      if (operatorTokenOf(request.headers, desk.isSecure) === null)
        await desk.limits.takeAddress(addressBucket(addressOf(request)))
    })
    .onAfterHandle(({ set }) => void (set.headers['cache-control'] = 'no-store'))
    .onError((failed) =>
      refusePage(failed, (error) => ownRefusal(error, failed.request), desk.onFault),
    )
    .use(mountOperations({ prefix: operatorApiPrefix, open }))
    .group(operatorApiPrefix, (app) =>
      app
        // Operations read their bodies themselves, once it is known who asks.
        .onParse(parsePageBody)
        .use(operatorSessionApi(parts))
        .use(operatorProofApi(parts))
        .use(operatorPasskeysApi(parts)),
    )
}

export type OperatorApi = ReturnType<typeof openOperatorApi>

/** Whoever sends a token that is none is counted: guessing must not be free. */
const openOperatorOf =
  (
    { signIn, isSecure, limits }: OperatorService,
    addressOf: OperatorConsoleParts['addressOf'],
  ): OperatorConsoleParts['operator'] =>
  async (request) => {
    const token = operatorTokenOf(request.headers, isSecure)
    const session = token === null ? null : await signIn.find(token)
    if (session !== null && token !== null) {
      const { who, hash, created, way, passkey } = session
      return { operator: who, token, hash, created, way, passkey }
    }
    if (token !== null) await limits.takeAddress(addressBucket(addressOf(request)))
    throw new Refusal(401, 'signed_out')
  }

const statuses: Readonly<Record<OperatorRefusalCode, number>> = {
  link_invalid: 404,
  operator_name_invalid: 400,
  operator_name_taken: 409,
  password_short: 400,
  password_long: 400,
  setup_code_wrong: 400,
  sign_in_wrong: 400,
  sign_in_locked: 429,
  sign_in_codes_guessed: 403,
  password_wrong: 400,
}

function ownRefusal(error: unknown, request: Request): RefusalBody | null {
  if (isAdminError(error)) return changeRefusal(error, request)
  if (isOperatorRefusal(error))
    return { ...error.facts, status: statuses[error.code], code: error.code }
  // Operations read their bodies themselves; those that may come again have a code of their own.
  if (isGatewayError(error) && error.status !== 503 && error.retryAfterSeconds === null)
    return { status: error.status, code: 'invalid' }
  return null
}
