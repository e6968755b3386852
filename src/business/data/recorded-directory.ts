import { nanoUsd, showUsd } from '../../domain/money'
import type { Movement } from '../../domain/reports/movement'
import type { Directory, KeySummary } from '../../gateway/identity/account-directory'
import type { Grant } from '../operators/allowance'
import type { TrailFields } from '../../domain/audit-log'
import type { WriteAudit } from '../audit-log/audit-log-sql'
import { accountTrail, keyTrail, projectTrail } from '../audit-log/audit-fields'
import type { Rows } from '../../storage/sqlite/sync-store'

const fieldsOf = <T>(found: T | null, fields: (found: T) => TrailFields): TrailFields | null =>
  found === null ? null : fields(found)

/** The directory, each change of it with its line of the trail. */
export function recordedDirectory(directory: Rows<Directory>, record: WriteAudit): Rows<Directory> {
  return {
    ...directory,
    createAccount: (account) =>
      record({
        what: 'account.create',
        work: () => directory.createAccount(account),
        subject: ({ id }) => `account:${id}`,
        before: () => null,
        after: accountTrail,
      }),
    setAccount: (id, change) =>
      record({
        what: 'account.set',
        work: () => directory.setAccount(id, change),
        subject: () => `account:${id}`,
        before: () => fieldsOf(directory.findAccount(id), accountTrail),
        after: accountTrail,
      }),
    createProject: (project) =>
      record({
        what: 'project.create',
        work: () => directory.createProject(project),
        subject: ({ id }) => `project:${id}`,
        before: () => null,
        after: projectTrail,
      }),
    setProject: (id, change) =>
      record({
        what: 'project.set',
        work: () => directory.setProject(id, change),
        subject: () => `project:${id}`,
        before: () => fieldsOf(directory.findProject(id), projectTrail),
        after: projectTrail,
      }),
    createKey: (key, hash) =>
      record({
        what: 'key.create',
        work: () => directory.createKey(key, hash),
        subject: ({ id }) => `key:${id}`,
        before: () => null,
        after: keyTrail,
        gives: (made) => keyGrant(null, made),
      }),
    setKey(id, change) {
      let earlier: KeySummary | null = null
      return record({
        what: 'key.set',
        work: () => directory.setKey(id, change),
        subject: () => `key:${id}`,
        before() {
          earlier = directory.findKey(id)
          return fieldsOf(earlier, keyTrail)
        },
        after: keyTrail,
        gives: (now) => keyGrant(earlier, now),
      })
    },
    deposit: (movement) => recordedDeposit(directory, record, movement),
  }
}

/**
 * Increase of a key's spend limit, counted as a grant. Keys of customers are not counted: only the customer
 * knows their secret, while an operator knows the secret of each key that an operator made.
 */
function keyGrant(earlier: KeySummary | null, now: KeySummary): Grant | null {
  if (now.madeBy !== null || now.state === 'revoked') return null
  const before = earlier === null ? 0 : earlier.spendLimit
  if (before === null || before === now.spendLimit) return null
  if (now.spendLimit === null) return { usd: 'unlimited' }
  return { usd: nanoUsd(Math.max(0, now.spendLimit - before)) }
}

function recordedDeposit(
  directory: Rows<Directory>,
  record: WriteAudit,
  movement: Movement,
): ReturnType<Rows<Directory>['deposit']> {
  const { account, amount, kind, reference, note } = movement
  return record({
    what: `account.${kind}`,
    work: () => directory.deposit(movement),
    subject: () => `account:${account}`,
    before: () => null,
    after: ({ balance, repeated }) =>
      repeated
        ? null
        : { amount_usd: showUsd(amount), balance_usd: showUsd(balance), reference, note },
    gives: ({ repeated }) => (repeated ? null : { usd: nanoUsd(Math.abs(amount)) }),
  })
}
