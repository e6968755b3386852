import type { Clock } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type { PeopleStore } from '../users/user'
import { requestChecker, type CheckerConfig, type PostCheck } from './checker'
import { parseNationalCode } from './national-code'
import {
  mismatch,
  type PersonalDetails,
  type Submission,
  type Submitted,
  type VerificationStore,
} from './verification'

/** Identity form as typed. */
interface IdentityForm {
  readonly firstName: string
  readonly lastName: string
  /** In digits of any script. */
  readonly nationalCode: string
  /** `YYYY-MM-DD`, Gregorian. */
  readonly birthDate: string
}

/** Refusals of a verification form, by code. */
export type VerificationRefusalCode =
  | 'name_invalid'
  | 'national_code_invalid'
  | 'birth_date_invalid'
  | 'verified_already'
  | 'verification_waits'
  | 'national_code_taken'
  | 'verification_too_often'

export class VerificationRefusal extends Error {
  constructor(readonly code: VerificationRefusalCode) {
    super(code)
    this.name = 'VerificationRefusal'
  }
}

interface VerifyingParts {
  /** Requests, which are this person's. */
  submissions(person: PersonId): Pick<VerificationStore, 'submit'>
  /** Decisions of the service. */
  readonly decisions: Pick<VerificationStore, 'decide'>
  readonly people: Pick<PeopleStore, 'find'>
  readonly clock: Clock
  /** The service that decides at once; null where people do. */
  checker(): Promise<CheckerConfig | null>
  readonly post: PostCheck
  /** Accounts that one person may verify; read at each use. */
  personAccounts(): number
  /** An account was verified, or is no more. */
  onDecided(): void
}

export interface Verifying {
  /** @throws VerificationRefusal */
  submit(
    who: { readonly person: PersonId; readonly account: AccountId },
    form: IdentityForm,
  ): Promise<void>
}

const triesPerDay = 3
const maxNameLength = 60
const minBirthYear = 1900

const refusals: Readonly<Record<Exclude<Submitted, 'submitted'>, VerificationRefusalCode>> = {
  approved_already: 'verified_already',
  under_review: 'verification_waits',
  taken: 'national_code_taken',
  too_often: 'verification_too_often',
}

export function openVerifying(parts: VerifyingParts): Verifying {
  const { clock } = parts
  return {
    async submit({ person, account }, form) {
      const at = clock.now()
      const identity = identityOf(form, at)
      const checker = await parts.checker()
      const provider = checker === null ? 'manual' : 'http'
      const submission: Submission = { account, person, identity, provider, at }
      const personAccounts = parts.personAccounts()
      const outcome = await parts
        .submissions(person)
        .submit(submission, { personAccounts, triesPerDay })
      if (outcome !== 'submitted') throw new VerificationRefusal(refusals[outcome])
      if (checker !== null) await decideBy(checker, submission, parts)
    },
  }
}

/** Where the service does not know, or does not answer, people decide. */
async function decideBy(
  checker: CheckerConfig,
  { account, person, identity, at }: Submission,
  parts: VerifyingParts,
): Promise<void> {
  const { decisions, people, clock, post } = parts
  const phone = (await people.find(person))?.phone ?? null
  if (phone === null) return
  const result = await requestChecker(checker, { identity, phone }, post)
  if (result === 'unknown') return
  const outcome = await decisions.decide(account, {
    state: result === 'match' ? 'approved' : 'rejected',
    reason: result === 'match' ? null : mismatch,
    at: clock.now(),
    submitted: at,
    personAccounts: parts.personAccounts(),
  })
  if (outcome === 'decided') parts.onDecided()
}

/** @throws VerificationRefusal */
function identityOf(form: IdentityForm, now: number): PersonalDetails {
  const [firstName, lastName] = [nameOf(form.firstName), nameOf(form.lastName)]
  const nationalCode = parseNationalCode(form.nationalCode)
  if (nationalCode === null) throw new VerificationRefusal('national_code_invalid')
  return { firstName, lastName, nationalCode, birthDate: birthDateOf(form.birthDate, now) }
}

function nameOf(typed: string): string {
  const name = typed.trim().replaceAll(/\s+/g, ' ')
  const isName =
    name !== '' && name.length <= maxNameLength && /^[\p{L}\p{M}\u200c' .-]+$/u.test(name)
  if (!isName) throw new VerificationRefusal('name_invalid')
  return name
}

function birthDateOf(text: string, now: number): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  if (!isDay || time > now || Number(text.slice(0, 4)) < minBirthYear)
    throw new VerificationRefusal('birth_date_invalid')
  return text
}
