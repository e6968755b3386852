import type { accountFields, accountLimitFields } from './fields/account-fields'
import type { Valued } from './fields/field'
import type { AccountId, KeyId, ProjectId } from './ids'
import type { keyFields, keyStates } from './fields/key-fields'
import type { NanoUsd } from './money'
import type { projectFields } from './fields/project-fields'

/** Limits of an account: its own, else those of its group, else the service's. */
export type AccountLimits = Valued<typeof accountLimitFields>

/** Account, which owns the money. */
export interface Account extends Valued<typeof accountFields> {
  readonly id: AccountId
}

/** Project of an account. */
export interface Project extends Valued<typeof projectFields> {
  readonly id: ProjectId
  readonly account: AccountId
}

/** Key of a project, without its secret. */
export interface Key extends Valued<typeof keyFields> {
  readonly id: KeyId
  readonly project: ProjectId
  /** First characters of the secret, for display. */
  readonly prefix: string
  readonly state: (typeof keyStates)[number]
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
