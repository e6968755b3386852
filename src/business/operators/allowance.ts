import { showUsd, type NanoUsd } from '../../domain/money'
import type { Actor } from '../../domain/audit-log'
import type { Requester } from './requester'
import { mayAs } from '../../domain/role'

/** Limits on what an operator below owner gives away. Days are those of UTC. */
export interface StaffAllowance {
  /** Operator whose day is counted, whichever of their keys is used. */
  readonly operator: Actor
  readonly perAct: NanoUsd
  readonly perDay: NanoUsd
  readonly verificationsPerDay: number
}

/** Money or verifications that a change gives away. */
export type Grant =
  | { readonly usd: NanoUsd | 'unlimited' }
  /** Accounts whose ceiling before verification is lifted. */
  | { readonly verifications: number }

/** Settings by which staff is bounded. */
export interface AllowanceSettings {
  readonly staffAmount: NanoUsd
  readonly staffDay: NanoUsd
  readonly staffVerifications: number
}

/** StaffAllowance of a requester; null for an owner, who has no bound. */
export const allowanceOf = (
  requester: Requester,
  { staffAmount, staffDay, staffVerifications }: AllowanceSettings,
): StaffAllowance | null =>
  requester.from === 'machine' || mayAs(requester.role, 'owner')
    ? null
    : {
        operator: requester.grantor,
        perAct: staffAmount,
        perDay: staffDay,
        verificationsPerDay: staffVerifications,
      }

/** Which limit a change would exceed. */
export type AllowanceLimit = 'act' | 'day' | 'unlimited' | 'verifications'

/** Refusal of a change that gives away more than its operator may; nothing was changed. */
export class AllowanceExceeded extends Error {
  constructor(
    readonly limit: AllowanceLimit,
    /** Dollars, or a number of verifications. */
    readonly max: string,
    /** Same, left for the rest of the day. */
    readonly left: string,
  ) {
    super(`allowance exceeded: ${limit}`)
    this.name = 'AllowanceExceeded'
  }
}

/** @throws AllowanceExceeded where one act alone is too large */
export function checkAct({ perAct }: StaffAllowance, grant: Grant): void {
  if (!('usd' in grant)) return
  if (grant.usd === 'unlimited') throw new AllowanceExceeded('unlimited', showUsd(perAct), '')
  if (grant.usd > perAct) throw new AllowanceExceeded('act', showUsd(perAct), '')
}
