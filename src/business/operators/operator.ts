import type { Ms } from '../../domain/clock'
import type { OperatorId, OperatorKeyId } from '../../domain/ids'
import type { Actor } from '../../domain/audit-log'
import type { Valued } from '../../domain/fields/field'
import type { operatorFields, OperatorRole } from '../../domain/fields/operator-fields'

/** Operator of the service. */
export interface Operator extends Valued<typeof operatorFields> {
  readonly id: OperatorId
  /** Whether they have followed their link: before, nobody signs in by the name. */
  readonly isReady: boolean
  readonly created: Ms
}

/** A link by which an operator sets password and one-time codes, once. */
export interface NewOperatorLink {
  readonly hash: string
  /** Secret of the one-time codes to be, base32. */
  readonly totp: string
  readonly expires: Ms
}

/** A key of a program that operates the service. */
export interface OperatorKey {
  readonly id: OperatorKeyId
  readonly name: string
  readonly role: OperatorRole
  /** First characters of the secret, for display. */
  readonly prefix: string
  /** Its maker, whose role bounds it and with whom it ends. */
  readonly by: Actor
  readonly created: Ms
  /** Null: it does not end by itself. */
  readonly expires: Ms | null
  readonly revoked: Ms | null
}

/** Effective rights of a key. */
export interface KeyRights {
  /** The lesser of its own and its maker's. */
  readonly role: OperatorRole
  /** Operator whose rights these are; a key that no operator made answers for itself. */
  readonly grantor: Actor
}

/** A key, and its role by now. */
interface ListedOperatorKey extends OperatorKey {
  /** Null once it is over: revoked, expired, or its maker is gone. */
  readonly effectiveRole: OperatorRole | null
}

/** Rights of others that ended with an operator's or a key's. */
export interface EndedRights {
  /** Keys that they made, and keys made by those. */
  readonly keys: readonly Pick<OperatorKey, 'id' | 'name' | 'prefix'>[]
  /** Keys that may less from now on. */
  readonly lowered: readonly Pick<OperatorKey, 'id' | 'name' | 'prefix'>[]
  /** Names of operators whose link was made by them and not followed. */
  readonly links: readonly string[]
  /** Visits of accounts. */
  readonly looks: number
}

/** Outcome of a change that takes rights away. */
export type RoleChange = EndedRights | 'last_owner' | 'missing'

/** Operators and keys as an owner manages them; every change is one row of the trail. */
export interface OperatorStore {
  /** In the order of their names, without those that were removed. */
  list(): Promise<readonly Operator[]>
  /** @returns null where the name is taken, or was somebody's */
  add(operator: Valued<typeof operatorFields>, link: NewOperatorLink): Promise<Operator | null>
  /** An owner who has signed in once stays at all times. */
  setRole(id: OperatorId, role: OperatorRole): Promise<RoleChange>
  /** Ends their sessions, and everything that they granted. */
  remove(id: OperatorId): Promise<RoleChange>
  /** Forgets password, one-time codes and passkeys, ends the sessions and what they granted, and keeps a link. */
  reset(id: OperatorId, link: NewOperatorLink): Promise<EndedRights>
  /**
   * Keeps a link in the place of earlier ones of the same operator.
   * @param id null: for the first owner
   */
  link(id: OperatorId | null, link: NewOperatorLink): Promise<void>
  /** Newest first, those that are over as well. */
  keys(): Promise<readonly ListedOperatorKey[]>
  addKey(
    key: Pick<OperatorKey, 'name' | 'role' | 'prefix' | 'expires'>,
    hash: string,
  ): Promise<OperatorKey>
  /** Ends what it granted too. @returns null where there is none; a second time changes nothing */
  revokeKey(
    id: OperatorKeyId,
  ): Promise<{ readonly key: OperatorKey; readonly ended: EndedRights } | null>
}
