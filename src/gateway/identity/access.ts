import { addressListOf } from '../net/address-list'
import type { Caller } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import { GatewayError } from '../../errors/gateway-error'
import type { AnsweredAccounts } from './key-lookup'
import { matchesModel, type NamedModel } from './allowed-models'

/**
 * Whether key, account and project are in a state to call at all, in this order.
 * @throws api_key_revoked | api_key_disabled | api_key_expired | account_suspended | project_inactive
 */
export function checkCaller(caller: Caller, now: Ms, accounts: AnsweredAccounts = 'active'): void {
  const { key, account, project } = caller
  if (key.state === 'revoked') throw new GatewayError('api_key_revoked', {}, { caller })
  if (key.state === 'disabled') throw new GatewayError('api_key_disabled', {}, { caller })
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new GatewayError(
      'api_key_expired',
      { expired: new Date(key.expiresAt).toISOString() },
      { caller },
    )
  if (account.status === 'suspended' && accounts === 'active')
    throw new GatewayError('account_suspended', {}, { caller })
  if (!project.active)
    throw new GatewayError('project_inactive', { project: project.name }, { caller })
}

/** Checks a client's address against the key's list. @throws ip_not_allowed */
export function checkAddress(caller: Caller, address: string): void {
  const { key } = caller
  if (key.allowedAddresses === null) return
  if (!addressListOf(key.allowedAddresses).has(address))
    throw new GatewayError('ip_not_allowed', { address }, { caller })
}

/** Both key and project must allow a model. @param param the field that names it @throws model_not_allowed */
export function checkModel({ key, project }: Caller, model: NamedModel, param = 'model'): void {
  for (const [by, { allowedModels: allowed }] of [
    ['key', key],
    ['project', project],
  ] as const) {
    if (allowed === null || matchesModel(allowed, model)) continue
    throw new GatewayError('model_not_allowed', { model: model.id, by, allowed }, { param })
  }
}
