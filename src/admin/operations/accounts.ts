import { Type, type Static } from '@sinclair/typebox'
import type { AccountId, GroupId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { limitNames, noAccountRpm, shownRpm } from '../../identity/account-limits'
import type { AccountChange, AccountSummary } from '../../identity/directory'
import { secretPrefix } from '../../identity/secret'
import type { Secret } from '../../domain/secret'
import { openAccountLooks } from '../../operators/account-looks'
import { maskPhone, showPhone, type Phone } from '../../people/phone'
import { mayReadPhones } from '../access-rules'
import { createAccount, limitFields, setAccount } from '../account-change'
import { accountIn, accountOwner } from '../accounts'
import { ownerCaps } from '../caps'
import { CapView, capView } from './caps'
import { beforeId, Id, max, Name, orNull, page, pageOf, partial, sent, Usd, usdOf } from './fields'
import { operation } from './operation'

const status = Type.Union([Type.Literal('active'), Type.Literal('suspended')])
const count = Type.Integer({ minimum: 1, maximum: noAccountRpm })

const limits = {
  verified: Type.Boolean(),
  daily_cap_usd: orNull(Usd),
  concurrency: count,
  /** Ceiling on the requests per minute of each of its keys; null for none. */
  rpm: orNull(count),
  max_request_kb: count,
  /** A balance below it is told; null for the service's own floor. */
  notice_floor_usd: orNull(Usd),
  /** Most that may be spent in all before verification; null for the service's own ceiling. */
  unverified_ceiling_usd: orNull(Usd),
  /** Group whose prices it has, and whose limits where it has none of its own; null for none. */
  group: orNull(Id),
}

const LimitField = Type.Union(limitNames.map((name) => Type.Literal(limitFields[name])))

const AccountView = Type.Object({
  id: Id,
  name: Type.String(),
  status,
  ...limits,
  group_name: orNull(Type.String()),
  /** Limits that were set for it alone. */
  own_limits: Type.Array(LimitField),
  balance_usd: Type.String(),
  created: Type.String(),
})

const PersonView = Type.Object({
  id: Id,
  phone: orNull(Type.String()),
  role: Type.Union([Type.Literal('owner'), Type.Literal('member')]),
  since: Type.String(),
})

const accountView = (account: Omit<AccountSummary, 'isClosed'>): Static<typeof AccountView> => ({
  id: account.id,
  name: account.name,
  status: account.status,
  verified: account.verified,
  balance_usd: showUsd(account.balance),
  daily_cap_usd: account.dailyCap === null ? null : showUsd(account.dailyCap),
  concurrency: account.concurrency,
  rpm: shownRpm(account.requestsPerMinute),
  max_request_kb: account.maxRequestKb,
  notice_floor_usd: account.noticeFloor === null ? null : showUsd(account.noticeFloor),
  unverified_ceiling_usd:
    account.unverifiedCeiling === null ? null : showUsd(account.unverifiedCeiling),
  group: account.group,
  group_name: account.groupName,
  own_limits: account.ownLimits.map((name) => limitFields[name]),
  created: new Date(account.created).toISOString(),
})

const setFields = { ...partial({ name: Name, status, ...limits }) }

const changeOf = (body: Partial<Static<typeof AccountView>>): AccountChange =>
  sent({
    name: body.name?.trim(),
    status: body.status,
    verified: body.verified,
    dailyCap: amountOrNull(body.daily_cap_usd),
    concurrency: body.concurrency,
    requestsPerMinute: body.rpm === null ? noAccountRpm : body.rpm,
    maxRequestKb: body.max_request_kb,
    noticeFloor: amountOrNull(body.notice_floor_usd),
    unverifiedCeiling: amountOrNull(body.unverified_ceiling_usd),
    group: body.group as GroupId | null | undefined,
  })

const amountOrNull = (text: string | null | undefined) =>
  typeof text === 'string' ? usdOf(text) : text

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
    result: Type.Composite([
      AccountView,
      Type.Object({ caps: Type.Array(CapView), people: Type.Array(PersonView) }),
    ]),
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
  operation({
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
      const looks = openAccountLooks({
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
    body: { ...setFields, name: Name },
    result: AccountView,
    run: async (parts, { body }) =>
      accountView(await createAccount(parts, { ...changeOf(body), name: body.name.trim() })),
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
      /** Limits that are those of its group from now on, else the service's. */
      inherit: Type.Optional(Type.Array(LimitField, { maxItems: limitNames.length })),
    },
    result: AccountView,
    async run(parts, { params, body: { inherit = [], ...body } }) {
      const inherited = limitNames.filter((name) => inherit.includes(limitFields[name]))
      return accountView(await setAccount(parts, params.id as AccountId, changeOf(body), inherited))
    },
  }),
] as const
