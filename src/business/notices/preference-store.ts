import { eq } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import type {
  AccountWebhookStore,
  EmailCode,
  HolderSettings,
  HolderSettingsStore,
} from './recipients/contract'
import type { Topic } from './recipients/topics'
import type { Vault } from '../../storage/files/vault'
import { accountWebhooks, contacts, noticeChoices } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { RecordBy } from '../audit-log/audit-log-sql'
import {
  openSecurityNotices,
  shownPhone,
  type NotifySecurity,
} from '../users/security-notice-store'

/** TopicChoices of a person, by way. */
export function choicesOf({ orm }: Pick<Connection, 'orm'>, person: PersonId) {
  const choices: Record<'bell' | 'sms' | 'email', Partial<Record<Topic, boolean>>> = {
    bell: {},
    sms: {},
    email: {},
  }
  for (const { way, topic, on } of orm
    .select()
    .from(noticeChoices)
    .where(eq(noticeChoices.person, person))
    .all())
    choices[way][topic as Topic] = on
  return choices
}

/** Where notices reach people, as rows. */
export function openHolderSettingRows(
  connection: Connection,
  recordBy: RecordBy,
  clock: Clock,
): HolderSettingsStore {
  const { orm } = connection
  const { rowOf, set } = openContacts(connection)

  return {
    async find(person): Promise<HolderSettings> {
      const row = rowOf(person)
      return {
        language: row?.language ?? null,
        email: row?.email ?? null,
        emailPending: row?.emailPending ?? null,
        choices: choicesOf(connection, person),
      }
    },
    setLanguage: async (person, language) =>
      recordBy(`person:${person}`)({
        what: 'person.set_language',
        work: () => set(person, { language }),
        subject: () => `person:${person}`,
        before: () => ({ language: rowOf(person)?.language ?? null }),
        after: () => ({ language }),
      }),
    choose: async (person, way, topic, on) =>
      recordBy(`person:${person}`)({
        what: 'person.choose_notices',
        work() {
          orm
            .insert(noticeChoices)
            .values({ person, way, topic, on })
            .onConflictDoUpdate({
              target: [noticeChoices.person, noticeChoices.way, noticeChoices.topic],
              set: { on },
            })
            .run()
        },
        subject: () => `person:${person}`,
        before: () => ({ [`${way}.${topic}`]: choicesOf(connection, person)[way][topic] ?? null }),
        after: () => ({ [`${way}.${topic}`]: on }),
      }),
    ...openEmailRows(connection, recordBy, openSecurityNotices(connection, clock)),
  }
}

/** Rows of contacts, inside of the caller's transaction. */
function openContacts({ orm }: Connection) {
  const rowOf = (person: PersonId) =>
    orm.select().from(contacts).where(eq(contacts.person, person)).get() ?? null
  const set = (person: PersonId, values: Partial<typeof contacts.$inferInsert>): void => {
    orm
      .insert(contacts)
      .values({ person, ...values })
      .onConflictDoUpdate({ target: contacts.person, set: values })
      .run()
  }
  return { rowOf, set }
}

function openEmailRows(
  connection: Connection,
  recordBy: RecordBy,
  notifySecurity: NotifySecurity,
): Pick<HolderSettingsStore, 'emailCode' | 'confirmEmail' | 'removeEmail'> {
  const { transaction } = connection
  const { rowOf, set } = openContacts(connection)
  /** That there is an address, and not which. */
  const told = (person: PersonId) => ({
    email: (rowOf(person)?.email ?? null) === null ? null : 'confirmed',
  })
  const tell = (person: PersonId, change: 'set' | 'removed') =>
    notifySecurity({ kind: 'email_changed', person, account: null, facts: { change } })

  return {
    emailCode: async (person, decide) =>
      transaction(() => {
        const { code, answer } = decide(codeOf(rowOf(person)))
        if (code !== null)
          set(person, {
            emailPending: code.email,
            codeHash: code.hash,
            codeSent: code.sent,
            codeExpires: code.expires,
            codeWrong: code.wrong,
            codeCount: code.count,
            codeSince: code.since,
          })
        return { answer }
      }, 'durable').answer,
    confirmEmail: async (person) =>
      recordBy(`person:${person}`)({
        what: 'person.set_email',
        work() {
          const email = rowOf(person)?.emailPending ?? null
          tell(person, 'set')
          set(person, { email, emailPending: null, codeHash: null })
        },
        subject: () => `person:${person}`,
        before: () => null,
        after: () => told(person),
      }),
    removeEmail: async (person) =>
      recordBy(`person:${person}`)({
        what: 'person.remove_email',
        work() {
          const row = rowOf(person)
          const had = row !== null && (row.email !== null || row.emailPending !== null)
          if (row !== null && row.email !== null) tell(person, 'removed')
          if (had) set(person, { email: null, emailPending: null, codeHash: null })
          return had
        },
        subject: () => `person:${person}`,
        before: () => told(person),
        after: () => told(person),
      }),
  }
}

function codeOf(row: typeof contacts.$inferSelect | null): EmailCode | null {
  if (row === null) return null
  const { emailPending, codeHash, codeSent, codeExpires, codeCount, codeSince, codeWrong } = row
  if (codeSent === null || codeExpires === null || codeSince === null) return null
  return {
    email: emailPending ?? '',
    hash: codeHash ?? '',
    sent: codeSent,
    expires: codeExpires,
    count: codeCount,
    since: codeSince,
    wrong: codeWrong,
  }
}

/** Where programs of accounts are told, as rows; secrets are sealed. */
export function openAccountWebhookRows(
  connection: Connection,
  vault: Vault,
  recordBy: RecordBy,
  clock: Clock,
): AccountWebhookStore {
  const { orm } = connection
  const tell = openSecurityNotices(connection, clock)

  const rowOf = (account: AccountId) =>
    orm.select().from(accountWebhooks).where(eq(accountWebhooks.account, account)).get() ?? null
  const told = (account: AccountId) => webhookFields(connection, account)
  return {
    async find(account) {
      const row = rowOf(account)
      if (row === null || row.secret === null) return null
      const secret = vault.open(row.secret, webhookPurpose(account))
      return secret === null ? null : { url: row.url, secret, choices: row.choices }
    },
    save: async (by, account, { url, secret }) =>
      recordBy(`person:${by}`)({
        what: 'webhook.set',
        work() {
          const facts = { change: 'set', host: hostOf(url), by: shownPhone(connection, by) }
          tell({ kind: 'webhook_changed', person: null, account, facts })
          const row = { url, secret: vault.seal(secret, webhookPurpose(account)), madeBy: by }
          orm
            .insert(accountWebhooks)
            .values({ account, ...row, choices: {} })
            .onConflictDoUpdate({ target: accountWebhooks.account, set: row })
            .run()
        },
        subject: () => `account:${account}`,
        before: () => told(account),
        after: () => told(account),
      }),
    choose: async (by, account, topic, on) =>
      recordBy(`person:${by}`)({
        what: 'webhook.choose',
        work() {
          const choices = { ...rowOf(account)?.choices, [topic]: on }
          orm
            .update(accountWebhooks)
            .set({ choices })
            .where(eq(accountWebhooks.account, account))
            .run()
        },
        subject: () => `account:${account}`,
        before: () => ({ [topic]: rowOf(account)?.choices[topic] ?? null }),
        after: () => ({ [topic]: on }),
      }),
    remove: async (by, account) => removeWebhook({ connection, recordBy, tell }, by, account),
  }
}

/** Removes the webhook of an account, and tells of it. @returns false where there is none */
export function removeWebhook(
  parts: {
    readonly connection: Connection
    readonly recordBy: RecordBy
    readonly tell: NotifySecurity
  },
  by: PersonId,
  account: AccountId,
): boolean {
  const { connection, recordBy, tell } = parts
  const { orm } = connection
  const isOf = eq(accountWebhooks.account, account)
  return recordBy(`person:${by}`)({
    what: 'webhook.remove',
    work() {
      const row = orm.select().from(accountWebhooks).where(isOf).get()
      if (row === undefined) return false
      const facts = { change: 'removed', host: hostOf(row.url), by: shownPhone(connection, by) }
      tell({ kind: 'webhook_changed', person: null, account, facts })
      orm.delete(accountWebhooks).where(isOf).run()
      return true
    },
    subject: () => `account:${account}`,
    before: () => webhookFields(connection, account),
    after: () => null,
  })
}

/** As the trail tells of it: that it has another secret, and not which. */
function webhookFields({ orm }: Connection, account: AccountId) {
  const row = orm.select().from(accountWebhooks).where(eq(accountWebhooks.account, account)).get()
  return row === undefined ? null : { url: row.url, secret: row.secret }
}

/** Whole addresses may hold a secret. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

export const webhookPurpose = (account: number): string => `webhook:${account}`
