import type { AccountId, GroupId, KeyId, ProjectId } from './ids'
import type { Ms } from './clock'
import type { NanoUsd } from './money'

/** Limits of an account: its own, else those of its group, else the service's. */
export interface AccountLimits {
  readonly dailyCap: NanoUsd | null
  readonly concurrency: number
  /** Ceiling on the requests per minute of each of its keys. */
  readonly requestsPerMinute: number
  readonly maxRequestKb: number
  /** Most that may be spent in all before verification; null for the service's own ceiling. */
  readonly unverifiedCeiling: NanoUsd | null
}

/** Account, which owns the money. */
export interface Account extends AccountLimits {
  readonly id: AccountId
  readonly name: string
  readonly status: 'active' | 'suspended'
  /** Whether identity was verified; before, spending stops at the pre-verification ceiling. */
  readonly verified: boolean
  /** Whose prices and limits it has; null for the service's. */
  readonly group: GroupId | null
  /** A balance below it is told; null for the service's own floor. */
  readonly noticeFloor: NanoUsd | null
}

/** Project of an account. */
export interface Project {
  readonly id: ProjectId
  readonly account: AccountId
  readonly name: string
  readonly active: boolean
  /** Model ids and patterns such as `openai/*`; null allows every model. */
  readonly allowedModels: readonly string[] | null
  readonly monthlyBudget: NanoUsd | null
}

/** Key of a project, without its secret. */
export interface Key {
  readonly id: KeyId
  readonly project: ProjectId
  readonly name: string
  /** First characters of the secret, for display. */
  readonly prefix: string
  readonly state: 'active' | 'disabled' | 'revoked'
  /** Own limit, 60 unless set; null means the account's ceiling. */
  readonly requestsPerMinute: number | null
  readonly spendLimit: NanoUsd | null
  readonly allowedModels: readonly string[] | null
  /** Addresses and CIDR ranges; null allows every address. */
  readonly allowedAddresses: readonly string[] | null
  readonly expiresAt: Ms | null
}

/** Caller: a key with all that stands behind it. */
export interface Caller {
  readonly account: Account
  readonly project: Project
  readonly key: Key
}

/** Most that an account may spend in all as long as nobody verified it; null once somebody did. */
export const verificationCeiling = (
  { verified, unverifiedCeiling }: Pick<Account, 'verified' | 'unverifiedCeiling'>,
  { kycCeiling }: { readonly kycCeiling: NanoUsd },
): NanoUsd | null => (verified ? null : (unverifiedCeiling ?? kycCeiling))
