import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { InvitationId, PersonId } from '../../domain/ids'
import { settable } from '../../business/operations/from-fields'
import { memberFields } from '../../domain/fields/member-fields'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { Invitation, MadeByMember, MadeFate } from '../../business/users/members'
import type { Member } from '../../business/users/user'
import type { PhoneMove } from '../../business/users/phone-change-contract'
import { maskPhone, showPhone } from '../../domain/phone'
import type { Customer } from '../customer'
import { sessionCookie, tokenOf } from '../session-cookie'
import { IdParams } from './fields'
import type { ConsoleParts } from './parts'

const { role } = settable(memberFields)
const RoleName = Type.Optional(role, false)
const Inviting = Type.Object({
  phone: Type.String({ minLength: 1, maxLength: 60 }),
  role: RoleName,
})
const PersonParams = t.Object({ person: t.Integer({ minimum: 1 }) })
/** What becomes of keys that they made, and of a webhook that they set. */
const Removing = t.Object({
  keys: t.Union([t.Literal('revoke'), t.Literal('keep')], { default: 'revoke' }),
})

/** Numbers in full for owners, who invited them, and for oneself; an operator who looks sees none whole. */
const memberView = (
  who: Customer,
  { person, role, phone, since }: Member,
  move: Pick<PhoneMove, 'due'> | null,
) => {
  const isYou = person === who.person
  const isWhole = who.look === undefined && (isYou || who.role === 'owner')
  const show = isWhole ? showPhone : maskPhone
  return {
    person: person as number,
    is_you: isYou,
    role,
    phone: phone === null ? null : show(phone),
    since: since as number,
    /** An operator gives them another number then. */
    phone_moves_at: (move?.due ?? null) as number | null,
  }
}

const invitationView = ({ look }: Customer, { id, phone, role, created, expires }: Invitation) => ({
  id: id as number,
  phone: look === undefined ? showPhone(phone) : maskPhone(phone),
  role,
  created: created as number,
  expires: expires as number,
})

/**
 * `/app/api/members`: people of the account, and who is asked to be one. Owners invite by phone, set
 * roles, hand the account over and dismiss; everybody may leave.
 */
export const membersApi = (parts: ConsoleParts) => {
  const { customer, members, people, sessions, isSecure } = parts
  return new Elysia({ prefix: '/members', normalize: false })
    .get('/', async ({ request }) => {
      const who = await customer(request)
      const [all, asked] = await Promise.all([members.list(who), members.invitations(who)])
      const moves = parts.phoneMoves(who)
      return {
        data: await Promise.all(
          all.map(async (each) => memberView(who, each, await moves.find(each.person))),
        ),
        invitations: asked.map((each) => invitationView(who, each)),
      }
    })
    .post(
      '/invitations',
      async ({ request, body }) => {
        const who = await customer(request)
        return invitationView(who, await members.invite(who, body.phone, body.role))
      },
      { body: Inviting },
    )
    .delete(
      '/invitations/:id',
      async ({ request, params }) => {
        await members.withdraw(await customer(request), params.id as InvitationId)
        return { withdrawn: true }
      },
      { params: IdParams },
    )
    .patch(
      '/:person',
      async ({ request, params, body }) => {
        await members.setRole(await customer(request), params.person as PersonId, body.role)
        parts.changed()
        return { role: body.role }
      },
      { params: PersonParams, body: Type.Object({ role: RoleName }) },
    )
    .post(
      '/:person/transfer',
      async ({ request, params }) => {
        await members.transfer(await customer(request), params.person as PersonId)
        parts.changed()
        return { transferred: true }
      },
      { params: PersonParams },
    )
    .get(
      '/:person/made',
      async ({ request, params }) => {
        const who = await customer(request)
        return await madeView(parts, await members.made(who, params.person as PersonId))
      },
      { params: PersonParams },
    )
    .delete(
      '/:person',
      async ({ request, params, query, set }) => {
        const who = await customer(request)
        const person = params.person as PersonId
        const removing = person === who.person ? leave : dismiss
        const { account, revoked } = await removing(who, person, query.keys, request)
        parts.changed()
        if (account === null) set.headers['set-cookie'] = sessionCookie(null, isSecure)
        return { removed: true, account, revoked }
      },
      { params: PersonParams, query: Removing },
    )

  async function dismiss(who: Customer, person: PersonId, made: MadeFate) {
    return { account: who.account, revoked: await members.remove(who, person, made) }
  }

  /** Whoever has another account goes on there. */
  async function leave(who: Customer, person: PersonId, made: MadeFate, { headers }: Request) {
    const mine = await people.accounts(person)
    const next = mine.find(({ account }) => account !== who.account)?.account ?? null
    const token = tokenOf(headers, isSecure) ?? ''
    if (next !== null) await sessions.choose(token, next)
    try {
      return { account: next, revoked: await members.remove(who, person, made) }
    } catch (thrown) {
      await sessions.choose(token, who.account)
      throw thrown
    }
  }
}

async function madeView({ ledger, reader }: ConsoleParts, { keys, webhook }: MadeByMember) {
  await ledger.flush()
  const days = await reader.lastDays(keys)
  return {
    keys: keys.map(({ id, name, prefix, created }) => {
      const lastUsed = days.get(id)
      return {
        id: id,
        name,
        prefix,
        created: created,
        /** The day of its last call, by the service's zone. */
        last_used: lastUsed === undefined ? null : dayOf((lastUsed * dayMs) as Ms),
      }
    }),
    /** Host of the account's webhook, where they set it. */
    webhook: webhook === null ? null : (URL.parse(webhook)?.host ?? ''),
  }
}
