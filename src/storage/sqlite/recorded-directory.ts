import { showUsd } from '../../domain/money'
import type { Movement } from '../../domain/movement'
import type { Directory } from '../../identity/directory'
import type { TrailFields } from '../../trail/trail'
import type { Record } from './recorder'
import { accountFields, keyFields, projectFields } from '../trail-fields'
import type { Rows } from './store-rows'

const fieldsOf = <T>(found: T | null, fields: (found: T) => TrailFields): TrailFields | null =>
  found === null ? null : fields(found)

/** The directory, each change of it with its line of the trail. */
export function recordedDirectory(directory: Rows<Directory>, record: Record): Rows<Directory> {
  return {
    ...directory,
    createAccount: (account) =>
      record({
        what: 'account.create',
        work: () => directory.createAccount(account),
        subject: ({ id }) => `account:${id}`,
        before: () => null,
        after: accountFields,
      }),
    setAccount: (id, change) =>
      record({
        what: 'account.set',
        work: () => directory.setAccount(id, change),
        subject: () => `account:${id}`,
        before: () => fieldsOf(directory.findAccount(id), accountFields),
        after: accountFields,
      }),
    createProject: (project) =>
      record({
        what: 'project.create',
        work: () => directory.createProject(project),
        subject: ({ id }) => `project:${id}`,
        before: () => null,
        after: projectFields,
      }),
    setProject: (id, change) =>
      record({
        what: 'project.set',
        work: () => directory.setProject(id, change),
        subject: () => `project:${id}`,
        before: () => fieldsOf(directory.findProject(id), projectFields),
        after: projectFields,
      }),
    createKey: (key, hash) =>
      record({
        what: 'key.create',
        work: () => directory.createKey(key, hash),
        subject: ({ id }) => `key:${id}`,
        before: () => null,
        after: keyFields,
      }),
    setKey: (id, change) =>
      record({
        what: 'key.set',
        work: () => directory.setKey(id, change),
        subject: () => `key:${id}`,
        before: () => fieldsOf(directory.findKey(id), keyFields),
        after: keyFields,
      }),
    deposit: (movement) => recordedDeposit(directory, record, movement),
  }
}

function recordedDeposit(
  directory: Rows<Directory>,
  record: Record,
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
  })
}
