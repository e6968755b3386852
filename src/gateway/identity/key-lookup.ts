import type { Caller } from '../../domain/caller'
import type { KeyId } from '../../domain/ids'
import type { Secret } from '../../domain/secret'

/** Store of callers: a cold, indexed look-up. */
export interface IdentityStore {
  /** @param hash HMAC-SHA-256 of the secret, hexadecimal */
  findByHash(hash: string): Promise<{ readonly caller: Caller; readonly hash: string } | null>
  findByKey(key: KeyId): Promise<Caller | null>
}

/** Accounts that a request is answered for: those that may call, or suspended ones too. */
export type AnsweredAccounts = 'active' | 'any'

/** Authentication: callers by their keys. */
export interface Identity {
  /**
   * The caller with this secret, if its key, project and account may call at all.
   * @param accounts active ones only unless told otherwise
   * @throws missing_api_key | invalid_api_key | api_key_revoked | api_key_expired | api_key_disabled | project_inactive | account_suspended
   */
  identify(secret: Secret | null, accounts?: AnsweredAccounts): Promise<Caller>
  /**
   * The caller of a key that somebody uses without its secret, if it may call at all. Whose key it is
   * must be known before.
   * @throws invalid_api_key | api_key_revoked | api_key_expired | api_key_disabled | project_inactive | account_suspended
   */
  callerOf(key: KeyId): Promise<Caller>
  /**
   * Renews the caller of a running call, at once: as it was read last, and
   * where something has changed since, read anew for the next look.
   * @throws errors of `identify`, but missing_api_key
   */
  renew(caller: Caller): Caller
  /** Over when `renew` answers by what is; null where it does already. */
  renewal(caller: Caller): Promise<unknown> | null
  /** Something behind a key has changed: every caller is read anew, when it is asked for. */
  expire(): void
  /** Every secret is looked up anew at its next use: another generation of the pepper is in use. */
  forget(): void
}
