import type { Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type { Phone } from '../../domain/phone'
import type { NationalCode } from './national-code'

/** Decider: people, or a service that the operator named. */
type VerificationProvider = 'manual' | 'http'
type VerificationState = 'submitted' | 'approved' | 'rejected'

/** Identity as somebody states it. */
export interface PersonalDetails {
  readonly firstName: string
  readonly lastName: string
  readonly nationalCode: NationalCode
  /** `YYYY-MM-DD` */
  readonly birthDate: string
}

export interface Verification {
  readonly account: AccountId
  readonly accountName: string
  readonly person: PersonId
  readonly phone: Phone | null
  readonly state: VerificationState
  /** Null once it was removed, or where the key that sealed it is lost. */
  readonly identity: PersonalDetails | null
  readonly provider: VerificationProvider
  readonly reason: string | null
  readonly by: string | null
  readonly submitted: Ms
  readonly decided: Ms | null
}

/** Reason of a rejection by a provider; the rest is in words of people. */
export const mismatch = 'mismatch'

export interface Submission {
  readonly account: AccountId
  readonly person: PersonId
  readonly identity: PersonalDetails
  readonly provider: VerificationProvider
  readonly at: Ms
}

/** Limits of submissions: accounts that one person may verify, and tries of an account in a day. */
export interface SubmissionBounds {
  readonly personAccounts: number
  readonly triesPerDay: number
}

export type Submitted = 'submitted' | 'approved_already' | 'under_review' | 'taken' | 'too_often'

export interface Decision {
  readonly state: 'approved' | 'rejected'
  readonly reason: string | null
  readonly at: Ms
  /** Only what was submitted then: whoever sent anew meanwhile is not decided by an old answer. */
  readonly submitted: Ms | null
  readonly personAccounts: number
}

export type Decided = 'decided' | 'not_found' | 'decided_already' | 'taken'

export interface VerificationQuery {
  /** Null for all. */
  readonly state: VerificationState | null
  /** Only those after this one; null begins with the newest. */
  readonly before: { readonly submitted: Ms; readonly account: AccountId } | null
  readonly max: number
}

/** Verifications, one an account; every change is a line of the trail that tells no code. */
export interface VerificationStore {
  find(account: AccountId): Promise<Verification | null>
  /** Newest first. */
  list(query: VerificationQuery): Promise<readonly Verification[]>
  submit(submission: Submission, bounds: SubmissionBounds): Promise<Submitted>
  /** Approval lifts the ceiling, rejection puts it back, in the same transaction. */
  decide(account: AccountId, decision: Decision): Promise<Decided>
  /** The whole code, for whoever must compare it; that they looked is in the trail. */
  reveal(account: AccountId): Promise<NationalCode | null>
  /** Removes what tells of a person where it was rejected before this moment. @returns of how many */
  forget(rejectedBefore: Ms, max: number): Promise<number>
}
