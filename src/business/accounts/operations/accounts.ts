import { Type } from '@sinclair/typebox'
import { accountFields } from '../../../domain/fields/account-fields'
import type { AccountId, GroupId } from '../../../domain/ids'
import { limitNames } from '../../../gateway/identity/account-limits'
import type { AccountChange } from '../../../gateway/identity/account-directory'
import { secretPrefix } from '../../../gateway/identity/secret'
import type { Secret } from '../../../domain/secret'
import { openImpersonations } from '../../operators/impersonation'
import { maskPhone, showPhone, type Phone } from '../../../domain/phone'
import { mayReadPhones } from '../access-rules'
import { createAccount, limitFields, setAccount } from '../account-change'
import { accountIn, accountOwner } from '../find-account'
import { ownerCaps } from '../caps'
import { groupMeant } from '../groups'
import { capView } from './caps'
import { beforeId, Id, max, Name, orNull, page, pageOf } from '../../operations/fields'
import { asOption, changeBy, settable } from '../../operations/from-fields'
import { accountCommands } from './account-commands'
import { AccountView, accountView, LimitField, WholeAccountView } from './account-view'
import { liveOperation, operation } from '../../operations/operation'
import type { Storage } from '../../data/storage'

const status = Type.Union([Type.Literal('active'), Type.Literal('suspended')])

const setFields = settable(accountFields)

/** @throws AdminError group_not_found */
async function changeOf(
  { groups }: Pick<Storage, 'groups'>,
  { group, ...body }: { readonly group?: number | string | null },
): Promise<AccountChange> {
  const named = typeof group === 'string' ? (await groupMeant(groups, group)).id : group
  return changeBy(accountFields, { ...body, group: named })
}

/** Limits as options name them. */
const limitWords = Object.fromEntries(
  Object.values(limitFields).map((name) => [name.replace(/_usd$/, '').replaceAll('_', '-'), name]),
)

/** Whoever pastes a whole key is answered for its beginning: the rest of it is looked at by nobody. */
const searched = (text: string): string =>
  /^sk-\w+-v\d+-\w{7,}$/.test(text) ? secretPrefix(text as Secret) : text

export const accountOperations = [
  operation({
    name: 'account.list',
    method: 'GET',
    path: '/accounts',
    role: 'viewer',
    about:
      'Accounts, newest first, by a part of the name, a number, the beginning of a key; for staff, by a phone or its beginning',
    query: {
      text: Type.Optional(Type.String({ maxLength: 200 })),
      status: Type.Optional(status),
      /** Only those of this group. */
      group: Type.Optional(Id),
      before: beforeId,
      max,
    },
    result: pageOf(AccountView, Id),
    commands: [accountCommands.list],
    async run({ storage, requester }, { query }) {
      const { text = '', status = null, group = null, before = null, max } = query
      const wanted = searched(text.trim())
      const found = await storage.operatorReader.accounts({
        text: wanted === '' ? null : wanted,
        byPhone: mayReadPhones(requester),
        status,
        group: group as GroupId | null,
        before: before as AccountId | null,
        max: max + 1,
      })
      return page(found.map(accountView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'account.get',
    method: 'GET',
    path: '/accounts/{id}',
    role: 'viewer',
    about: 'One account, what is spent of its caps, and who signs in for it, phones masked',
    params: { id: Id },
    commands: [accountCommands.show],
    result: WholeAccountView,
    async run(parts, { params }) {
      const account = await accountIn(parts, params.id)
      const { storage, service } = parts
      await service.flush()
      const [caps, people] = await Promise.all([
        ownerCaps(storage.spending, { account }, service.settings, service.clock.now()),
        storage.operatorReader.accountPeople(account.id),
      ])
      return {
        ...accountView(account),
        caps: caps.map(capView),
        people: people.map(({ person, phone, role, since }) => ({
          id: person,
          phone: phone === null ? null : maskPhone(phone as Phone),
          role,
          since: new Date(since).toISOString(),
        })),
      }
    },
  }),
  operation({
    name: 'account.phones',
    method: 'POST',
    path: '/accounts/{id}/phones',
    role: 'staff',
    about: 'The phones of who signs in for an account, whole; the look stands in the trail',
    params: { id: Id },
    result: Type.Object({
      data: Type.Array(Type.Object({ id: Id, phone: orNull(Type.String()) })),
    }),
    async run(parts, { params }) {
      const { id } = await accountIn(parts, params.id)
      const people = await parts.storage.operatorReader.accountPeople(id)
      await parts.storage.looks.record(`account:${id}`, 'account.phones')
      return {
        data: people.map(({ person, phone }) => ({
          id: person,
          phone: phone === null ? null : showPhone(phone as Phone),
        })),
      }
    },
  }),
  liveOperation({
    name: 'account.look',
    method: 'POST',
    path: '/accounts/{id}/look',
    role: 'staff',
    about:
      'Begin to see an account as its owner does, for 30 minutes and without changing anything; both ends stand in the trail',
    params: { id: Id },
    result: Type.Object({
      /** Where a browser begins it, within a minute and once. */
      url: Type.String(),
    }),
    async run({ storage, service, requester }, { params }) {
      const account = await accountIn({ storage }, params.id)
      const looks = openImpersonations({
        store: storage.accountLooks,
        clock: service.clock,
        pepper: storage.pepper,
      })
      const { person } = await accountOwner(storage.operatorReader, account.id)
      const ticket = await looks.begin(account.id, person, requester.actor)
      return { url: `${service.customerUrl()}/app/look#${ticket}` }
    },
  }),
  operation({
    name: 'account.create',
    method: 'POST',
    path: '/accounts',
    role: 'staff',
    about:
      'Make an account; its balance is nothing. Verified, in a group or with another ceiling before verification by an owner',
    body: { ...setFields, name: asOption(Name, 'name, for people', { kind: 'name' }) },
    result: AccountView,
    commands: [accountCommands.create],
    async run(parts, { body }) {
      const change = await changeOf(parts.storage, body)
      return accountView(await createAccount(parts, { ...change, name: body.name.trim() }))
    },
  }),
  operation({
    name: 'account.set',
    method: 'PATCH',
    path: '/accounts/{id}',
    role: 'staff',
    about:
      'Change name, state or limits of an account; its verification, group and ceiling before verification are an owner’s',
    params: { id: Id },
    body: {
      ...setFields,
      inherit: asOption(
        Type.Optional(Type.Array(LimitField, { maxItems: limitNames.length })),
        'a limit that is its group’s again, else the service’s, such as daily-cap, or all; repeatable',
        { kind: 'words', option: 'inherit <limit>', words: limitWords },
      ),
    },
    result: AccountView,
    commands: [accountCommands.set],
    async run(parts, { params, body: { inherit = [], ...body } }) {
      const change = await changeOf(parts.storage, body)
      const inherited = limitNames.filter((name) => inherit.includes(limitFields[name]))
      return accountView(await setAccount(parts, params.id as AccountId, change, inherited))
    },
  }),
] as const
