import type { Ms } from '../../../domain/clock'
import type { Rehash } from '../../../storage/files/keyring'

/** Everything that is kept as a hash. `business/data/secrets/secret-columns.ts` says where, and what becomes of it. */
export const hashedKinds = [
  'key',
  'operator_key',
  'redeem_code',
  'session',
  'operator_session',
  'recovery_code',
  'operator_link',
  'account_look',
  'known_place',
  'sign_in_code',
  'email_code',
  'passkey_challenge',
  'operator_passkey_challenge',
  'used_ticket',
  'national_hash',
] as const
export type HashedKind = (typeof hashedKinds)[number]

/** Everything that is kept sealed. */
export const sealedKinds = [
  'vendor_credential',
  'more_vendor_credential',
  'sms_provider',
  'card_gateway',
  'connection',
  'sister_service',
  'account_webhook',
  'operator_totp',
  'operator_link_totp',
  'national_code',
] as const
export type SealedKind = (typeof sealedKinds)[number]

/** A generation as the database knows it. */
interface KnownGeneration {
  readonly number: number
  readonly mark: string
}

/** Rotation of the installation's keys, as the database tells it. */
export interface RotationState {
  /** Number of the generation in use. */
  readonly number: number
  /** Null where no key file was made yet. */
  readonly mark: string | null
  /** Since when it is in use; null for the first one. */
  readonly since: Ms | null
  /** The generation before, until the rotation is finished. */
  readonly before: KnownGeneration | null
  /** A generation that key files are to have before it is in use. */
  readonly next: (KnownGeneration & { readonly since: Ms }) | null
}

/** A process that serves from a shared database, and why a rotation waits for it. */
export interface WaitedNode {
  readonly node: number
  readonly address: string
}

/** What is kept of one kind. */
export interface SecretCount<Kind = HashedKind | SealedKind> {
  readonly kind: Kind
  readonly count: number
  /** Those of a generation before that in use. */
  readonly old: number
}

/** What stops working when a rotation is finished. */
export interface RotationLoss {
  readonly kind: HashedKind
  readonly count: number
  /** Names of some, for people. */
  readonly examples: readonly string[]
}

/** Place in the list of everything that is sealed. */
export interface ResealCursor {
  readonly kind: SealedKind
  readonly after: string | number | null
}

interface Resealed {
  readonly resealed: number
  /** Could be opened with no generation at hand. */
  readonly unreadable: number
  /** Null once all was looked at. */
  readonly next: ResealCursor | null
}

/** Rotation of pepper and sealing key. Each method is one transaction, and may be repeated after a crash. */
export interface SecretStore {
  state(): Promise<RotationState>
  /** Numbers of the generations that the folder's key file has. */
  inFile(): Promise<readonly number[]>
  /** Mark of the generation in use; null where the database tells none. @throws RangeError where the key file lacks it */
  activeMark(): Promise<string | null>
  /** Nodes that have not read the generation that is to be used next, or do not use the one in use yet. */
  waitedFor(): Promise<readonly WaitedNode[]>
  /**
   * Makes the next generation, in the folder's key file unless another file is named.
   * @throws RangeError where a rotation is unfinished, or another machine made the next generation
   */
  prepare(to: string | null): Promise<RotationState>
  /**
   * Uses the next generation from now on, once every node has it.
   * @returns nodes that it waits for; none where it is in use
   * @throws RangeError where none was prepared, or the key file lacks it
   */
  activate(): Promise<readonly WaitedNode[]>
  /** Takes the next generation back, before it is in use. @returns false where there is none */
  cancel(): Promise<boolean>
  /** Seals a slice anew under the generation in use. */
  reseal(from: ResealCursor | null): Promise<Resealed>
  /** Hashes of rows that were found under an older one. Those that changed meanwhile are left. */
  rehash(rows: readonly Rehash[]): Promise<void>
  counts(): Promise<readonly SecretCount[]>
  losses(): Promise<readonly RotationLoss[]>
  /** When the last used ticket of an older generation is over; null where there is none. */
  ticketsUntil(): Promise<Ms | null>
  /**
   * Revokes what only an older generation could check, and forgets that generation in the database.
   * @throws RangeError where no rotation is unfinished, something sealed is left, or used tickets or nodes are waited for
   */
  finish(): Promise<readonly RotationLoss[]>
  /** Takes generations out of the key file that the database does not name. @returns their numbers */
  trim(to: string | null): Promise<readonly number[]>
}
