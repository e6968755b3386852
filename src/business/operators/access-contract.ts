import type { Ms } from '../../domain/clock'
import type { OperatorId } from '../../domain/ids'
import type { KeyRights, NewOperatorLink, Operator, OperatorKey } from './operator'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import type { Actor } from '../../domain/audit-log'

/** A link that was found. */
interface OperatorLink extends NewOperatorLink {
  /** Null: for the first owner. */
  readonly operator: Operator | null
}

/** An operator with password and secret of one-time codes. */
export interface OperatorSecrets {
  readonly operator: Operator
  /** Argon2id. */
  readonly password: string
  /** Secret of the one-time codes, base32. */
  readonly totp: string
}

/** How a browser came in. */
type OperatorWay = 'setup' | 'code' | 'recovery' | 'passkey'

/** A browser in which an operator is signed in. */
export interface OperatorSession {
  readonly hash: string
  readonly operator: OperatorId
  readonly created: Ms
  readonly expires: Ms
  readonly address: string
  readonly agent: string
  readonly way: OperatorWay
  /** The passkey that it ends with; null for other ways. */
  readonly passkey: string | null
}

interface NewOperator {
  /** Of the first owner; of others that of the link. */
  readonly name: string
  /** Argon2id. */
  readonly password: string
  readonly totpStep: number
  readonly recoveryHashes: readonly string[]
}

/** Store of operators' secrets, links and sessions. A decision and what it reads and writes are one transaction. */
export interface OperatorAccessStore {
  /** Whether somebody can sign in at all. */
  isSetUp(): Promise<boolean>
  findLink(hash: string, now: Ms): Promise<OperatorLink | null>
  /**
   * Uses a link up: its operator has a password from now on, and the first one becomes an owner.
   * @returns null where the link was used meanwhile, or is over; `taken` where the name is
   */
  useLink(hash: string, made: NewOperator, now: Ms): Promise<Operator | 'taken' | null>
  /** Null for a name of nobody, or of somebody who has not followed a link. */
  secretsOf(name: string): Promise<OperatorSecrets | null>
  /** Null for nobody, or for somebody who has not followed a link. */
  operatorById(id: OperatorId): Promise<Operator | null>
  /**
   * Counts a try before it is looked at, so that tries at once are counted too.
   * @param counts each counts it; where one is locked nothing is
   * @returns the time until which they are locked; null: it may be looked at
   */
  beginTry(counts: readonly TryCount[], lockMs: number, now: Ms): Promise<Ms | null>
  /** It was right: those are counted anew. */
  forgiveTries(counts: readonly TryCount[]): Promise<void>
  /** Counts a wrong one-time code at a place. Kept for `keepMs`, from the last one on. */
  countWrongCode(place: WrongCodeScope, keepMs: number, now: Ms): Promise<void>
  /** What was counted of a name, at this place and at how many. */
  wrongCodes(place: WrongCodeScope): Promise<WrongCodes>
  /** @returns false where this code was used, or a later one */
  useCode(operator: OperatorId, step: number): Promise<boolean>
  /** @returns false where it is none, or was used */
  useRecoveryCode(operator: OperatorId, hash: string): Promise<boolean>
  begin(session: OperatorSession): Promise<void>
  /**
   * Puts a session in the place of an earlier one.
   * @param earlier hashes of its token
   * @returns false where it is over
   */
  renew(earlier: readonly string[], session: OperatorSession): Promise<boolean>
  find(hash: string, now: Ms): Promise<(OperatorSession & { readonly who: Operator }) | null>
  /** Newest first. */
  sessions(operator: OperatorId, now: Ms): Promise<readonly OperatorSession[]>
  end(hash: string): Promise<void>
  /** @returns how many */
  endAll(operator: OperatorId): Promise<number>
  /** Rights of a key by now; null where it is over. */
  findKey(hash: string, now: Ms): Promise<(Pick<OperatorKey, 'id'> & KeyRights) | null>
}

/** Under what a try is counted, and how many are looked at before it is locked. */
export interface TryCount {
  readonly who: string
  readonly max: number
}

/** Place where one-time codes of a name were tried. */
export interface WrongCodeScope {
  readonly name: string
  /** Whether the password was right. Others are counted apart, so that both take as long. */
  readonly isKnown: boolean
  /** An address, or the network that counts as one. */
  readonly bucket: string
}

interface WrongCodes {
  readonly here: number
  readonly places: number
}

/** Operator who signed in or owns the key, as the trail names them. */
export interface SignedInOperator {
  readonly actor: `operator:${string}` | `operator-key:${string}`
  readonly role: OperatorRole
  /** Operator whose rights are used. */
  readonly grantor: Actor
}
