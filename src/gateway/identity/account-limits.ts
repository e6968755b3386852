import { noAccountRpm } from '../../domain/fields/account-fields'
import type { AccountLimits } from '../../domain/caller'

export { noAccountRpm } from '../../domain/fields/account-fields'

/** Requests per minute as they are told: null where there is no ceiling. */
export const shownRpm = (limit: number): number | null => (limit === noAccountRpm ? null : limit)

/** Limits that an account has of its own, or of its group. */
export const limitNames = [
  'dailyCap',
  'concurrency',
  'requestsPerMinute',
  'maxRequestKb',
  'unverifiedCeiling',
] as const satisfies readonly (keyof AccountLimits)[]
export type LimitName = (typeof limitNames)[number]

/** Defaults of the specification's Limits. */
export const serviceLimits: AccountLimits = {
  dailyCap: null,
  concurrency: 8,
  // A ceiling for keys that are given more than the default; the operator lowers it.
  requestsPerMinute: noAccountRpm,
  maxRequestKb: 20_480,
  unverifiedCeiling: null,
}

/** Limits that a group gives its accounts; null for the service's. */
export type GroupLimits = { readonly [Name in LimitName]: AccountLimits[Name] | null }

/** Limits of an account before its group is asked, and which of them are its own. */
export interface KeptLimits extends AccountLimits {
  /** Null: those that are not the service's. */
  readonly ownLimits: readonly string[] | null
}

/** Names of the limits that were set for an account alone. */
export const ownLimitsOf = ({ ownLimits, ...kept }: KeptLimits): readonly LimitName[] =>
  limitNames.filter((name) =>
    ownLimits === null ? kept[name] !== serviceLimits[name] : ownLimits.includes(name),
  )

/** Limits that hold for an account: its own, else its group's, else the service's. */
export function limitsOf(kept: KeptLimits, group: GroupLimits | null): AccountLimits {
  const own = new Set(ownLimitsOf(kept))
  const limit = <Name extends LimitName>(name: Name): AccountLimits[Name] =>
    own.has(name) ? kept[name] : (group?.[name] ?? serviceLimits[name])
  return {
    dailyCap: limit('dailyCap'),
    concurrency: limit('concurrency'),
    requestsPerMinute: limit('requestsPerMinute'),
    maxRequestKb: limit('maxRequestKb'),
    unverifiedCeiling: limit('unverifiedCeiling'),
  }
}
