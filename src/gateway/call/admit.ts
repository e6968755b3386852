import type { Caller } from '../../domain/caller'
import type { Clock } from '../../domain/clock'
import type { KeyId } from '../../domain/ids'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { addressBlocks, addressBucket } from '../net/address'
import { readSecret } from '../http/credential'
import type { Inbound } from '../http/inbound'
import { checkAddress } from '../identity/access'
import type { AnsweredAccounts, Identity } from '../identity/key-lookup'
import type { Limits } from '../limits/limits'
import type { CallObserver } from '../observability/call-observer'
import type { Settings } from '../settings/registry'

/** Dependencies of admitting a request. */
export interface AdmitParts {
  readonly identity: Identity
  readonly limits: Limits
  readonly clock: Clock
  readonly observer: CallObserver
}

/**
 * Identifies the caller, and whether it may call from here: address bucket and slots, key (a wrong one: failed-attempt guard),
 * states, address list, in this order. The guard refuses wrong keys only: it must not shut out those
 * who share an address with somebody who guesses.
 * @param accounts active ones only unless told otherwise
 * @throws rate_limit_exceeded | too_many_failed_attempts | 401 codes | ip_not_allowed | project_inactive | account_suspended
 */
export async function identify(
  { identity, limits }: AdmitParts,
  inbound: Inbound,
  accounts?: AnsweredAccounts,
): Promise<Caller> {
  const bucket = addressBucket(inbound.address)
  await limits.takeAddress(bucket)
  inbound.slot.check()
  try {
    const caller = await identity.identify(readSecret(inbound.headers), accounts)
    checkAddress(caller, inbound.address)
    return caller
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === 'invalid_api_key')
      await limits.takeAttempt(addressBlocks(inbound.address))
    throw thrown
  }
}

/**
 * The caller of a key that is used without its secret, as `identify` checks one with it.
 * @throws rate_limit_exceeded | 401 codes | ip_not_allowed | project_inactive | account_suspended
 */
export async function identifyKey(
  { identity, limits }: AdmitParts,
  inbound: Inbound,
  key: KeyId,
): Promise<Caller> {
  await limits.takeAddress(addressBucket(inbound.address))
  inbound.slot.check()
  const caller = await identity.callerOf(key)
  checkAddress(caller, inbound.address)
  return caller
}

/** Whether the service takes metered calls at all; what it told before may still be read. @throws gateway_disabled */
export function checkOpen({ gatewayOpen }: Pick<Settings, 'gatewayOpen'>): void {
  if (!gatewayOpen) throw new GatewayError('gateway_disabled', {})
}

/** Checks that the operator lets answers be streamed. @throws streaming_disabled */
export function checkStreaming(
  { streaming }: Pick<Settings, 'streaming'>,
  { stream }: { readonly stream: boolean },
): void {
  if (stream && !streaming) throw new GatewayError('streaming_disabled', {}, { param: 'stream' })
}
