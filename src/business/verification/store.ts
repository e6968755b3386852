import { and, count, desc, eq, gt, inArray, isNotNull, lt, lte, ne, or } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import { dayMs } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import type { Pepper } from '../../domain/pepper'
import type { Actor, TrailFields } from '../../domain/audit-log'
import { parseNationalCode, type NationalCode } from './national-code'
import type {
  Decided,
  Decision,
  PersonalDetails,
  Submission,
  SubmissionBounds,
  Submitted,
  Verification,
  VerificationQuery,
  VerificationStore,
} from './verification'
import type { Vault } from '../../storage/files/vault'
import { accounts, people, verifications, verificationTries } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from '../audit-log/audit-log-sql'

interface VerificationRowsParts {
  readonly connection: Connection
  readonly vault: Vault
  readonly pepper: Pepper
  readonly clock: Clock
  readonly record: WriteAudit
  readonly who: Actor
}

type Row = typeof verifications.$inferSelect

const removed = {
  firstName: null,
  lastName: null,
  nationalCode: null,
  nationalHash: null,
  birthDate: null,
} as const

/** What of a national code is hashed: one person has so many accounts. */
export const nationalText = (code: string): string => `national:${code}`

/** Of the account that it was sealed for: a row that is copied to another opens nothing. */
export const purposeOfNationalCode = (account: AccountId): string => `national-code:${account}`

/** Verifications, as rows; codes are sealed, and the trail tells none. */
export function openVerificationRows(parts: VerificationRowsParts): VerificationStore {
  const { connection, record, who } = parts
  const { orm } = connection
  const reads = openReads(parts)
  const { fields } = reads
  return {
    find: async (account) => reads.find(account),
    list: async (query) => reads.list(query),
    submit: async (submission, bounds) =>
      connection.transaction((): Submitted => {
        const { account, at } = submission
        const hashes = parts.pepper.hashes(nationalText(submission.identity.nationalCode))
        const row = reads.row(account)
        if (row?.state === 'approved') return 'approved_already'
        if (row?.state === 'submitted') return 'under_review'
        if (isTooOften(parts, submission, bounds)) return 'too_often'
        orm.insert(verificationTries).values({ account, at }).run()
        if (reads.isTaken(account, hashes, bounds.personAccounts)) return 'taken'
        record({
          what: 'verification.submit',
          work: () => write(parts, submission),
          subject: () => `account:${account}`,
          before: () => fields(account),
          after: () => fields(account),
        })
        return 'submitted'
      }, 'durable'),
    decide: async (account, decision) =>
      connection.transaction((): Decided => {
        const row = reads.row(account)
        if (row === null) return 'not_found'
        const isOld = decision.submitted !== null && row.submitted !== decision.submitted
        if (row.state === decision.state || isOld) return 'decided_already'
        const isApproval = decision.state === 'approved'
        if (isApproval && row.nationalHash === null) return 'not_found'
        if (isApproval && reads.isTaken(account, reads.hashes(row), decision.personAccounts))
          return 'taken'
        record({
          what: isApproval ? 'verification.approve' : 'verification.reject',
          work: () => decideRow(parts, account, decision),
          subject: () => `account:${account}`,
          before: () => fields(account),
          after: () => fields(account),
          gives: () => (isApproval ? { verifications: 1 } : null),
        })
        return 'decided'
      }, 'durable'),
    reveal: async (account) =>
      record({
        what: 'verification.reveal',
        work: () => reads.code(account),
        subject: () => `account:${account}`,
        before: () => null,
        after: (code) => (code === null ? null : { national_code: 'shown', by: who }),
      }),
    forget: async (rejectedBefore, max) => forget(parts, rejectedBefore, max),
  }
}

/** What is read of verifications, also inside of the caller's transaction. */
function openReads({ connection: { orm }, vault, pepper }: VerificationRowsParts) {
  const rowOf = (account: AccountId): Row | null =>
    orm.select().from(verifications).where(eq(verifications.account, account)).get() ?? null
  const codeOf = ({ nationalCode: sealed, account }: Row): NationalCode | null => {
    const opened = sealed === null ? null : vault.open(sealed, purposeOfNationalCode(account))
    return opened === null ? null : parseNationalCode(opened)
  }
  const viewOf = ({ row, name: accountName, phone }: JoinedRow): Verification => {
    const { firstName, lastName, birthDate, nationalCode: _, nationalHash: __, ...rest } = row
    const code = codeOf(row)
    const identity: PersonalDetails | null =
      code === null || firstName === null || lastName === null || birthDate === null
        ? null
        : { firstName, lastName, birthDate, nationalCode: code }
    return { ...rest, accountName, phone, identity }
  }
  const joined = () =>
    orm
      .select({ row: verifications, name: accounts.name, phone: people.phone })
      .from(verifications)
      .innerJoin(accounts, eq(accounts.id, verifications.account))
      .innerJoin(people, eq(people.id, verifications.person))
  return {
    row: rowOf,
    code(account: AccountId): NationalCode | null {
      const row = rowOf(account)
      return row === null ? null : codeOf(row)
    },
    /** Of its code, of every generation of the pepper: others may have that of another. */
    hashes(row: Row): readonly string[] {
      const code = codeOf(row)
      if (code !== null) return pepper.hashes(nationalText(code))
      return row.nationalHash === null ? [] : [row.nationalHash]
    },
    find(account: AccountId): Verification | null {
      const found = joined().where(eq(verifications.account, account)).get()
      return found === undefined ? null : viewOf(found)
    },
    list: ({ state, before, max }: VerificationQuery): Verification[] =>
      joined()
        .where(and(state === null ? undefined : eq(verifications.state, state), isBefore(before)))
        .orderBy(desc(verifications.submitted), desc(verifications.account))
        .limit(max)
        .all()
        .map(viewOf),
    /** As the trail tells it. */
    fields(account: AccountId): TrailFields | null {
      const row = rowOf(account)
      if (row === null) return null
      const verified = orm
        .select({ verified: accounts.verified })
        .from(accounts)
        .where(eq(accounts.id, account))
        .get()?.verified
      return { state: row.state, reason: row.reason, verified: verified ?? false }
    },
    /** Whether so many others are verified by the same code. */
    isTaken(account: AccountId, hashes: readonly string[], personAccounts: number): boolean {
      const same = and(
        inArray(verifications.nationalHash, [...hashes]),
        eq(verifications.state, 'approved'),
        ne(verifications.account, account),
      )
      const found = orm.select({ others: count() }).from(verifications).where(same).get()
      return (found?.others ?? 0) >= personAccounts
    },
  }
}

/** Behind this row in the list; all rows for null. */
const isBefore = (row: VerificationQuery['before']) =>
  row === null
    ? undefined
    : or(
        lt(verifications.submitted, row.submitted),
        and(eq(verifications.submitted, row.submitted), lt(verifications.account, row.account)),
      )

interface JoinedRow {
  readonly row: Row
  readonly name: string
  readonly phone: Verification['phone']
}

function forget(
  { connection, clock }: VerificationRowsParts,
  rejectedBefore: Ms,
  max: number,
): number {
  const { orm } = connection
  const old = orm
    .select({ account: verifications.account })
    .from(verifications)
    .where(
      and(
        eq(verifications.state, 'rejected'),
        lte(verifications.decided, rejectedBefore),
        isNotNull(verifications.nationalCode),
      ),
    )
    .limit(max)
    .all()
    .map(({ account }) => account)
  if (old.length === 0) return 0
  connection.transaction(() => {
    orm.update(verifications).set(removed).where(inArray(verifications.account, old)).run()
    const dayAgo = (clock.now() - dayMs) as Ms
    orm.delete(verificationTries).where(lte(verificationTries.at, dayAgo)).run()
  }, 'durable')
  return old.length
}

function isTooOften(
  { connection: { orm } }: VerificationRowsParts,
  { account, at }: Submission,
  { triesPerDay }: SubmissionBounds,
): boolean {
  const ofDay = and(
    eq(verificationTries.account, account),
    gt(verificationTries.at, (at - dayMs) as Ms),
  )
  const found = orm.select({ tries: count() }).from(verificationTries).where(ofDay).get()
  return (found?.tries ?? 0) >= triesPerDay
}

function write(
  { connection: { orm }, vault, pepper }: VerificationRowsParts,
  { account, person, identity, provider, at }: Submission,
): void {
  const { nationalCode, ...names } = identity
  const row = {
    ...names,
    person,
    state: 'submitted' as const,
    nationalCode: vault.seal(nationalCode, purposeOfNationalCode(account)),
    nationalHash: pepper.hash(nationalText(nationalCode)),
    provider,
    reason: null,
    by: null,
    submitted: at,
    decided: null,
  }
  orm
    .insert(verifications)
    .values({ account, ...row })
    .onConflictDoUpdate({ target: verifications.account, set: row })
    .run()
}

function decideRow(
  { connection: { orm }, who }: VerificationRowsParts,
  account: AccountId,
  { state, reason, at }: Decision,
): void {
  orm
    .update(verifications)
    .set({ state, reason, by: who, decided: at })
    .where(eq(verifications.account, account))
    .run()
  orm
    .update(accounts)
    .set({ verified: state === 'approved' })
    .where(eq(accounts.id, account))
    .run()
}
