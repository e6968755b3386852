import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { InvitationId, PersonId } from '../../domain/ids'
import type { Invitation } from '../../people/members'
import type { Member } from '../../people/person'
import type { PhoneMove } from '../../people/phone-moves'
import { maskPhone, showPhone } from '../../people/phone'
import type { Customer } from '../customer'
import { sessionCookie, tokenOf } from '../session-cookie'
import { IdParams } from './fields'
import type { ConsoleParts } from './parts'

const RoleName = Type.Union([Type.Literal('owner'), Type.Literal('member')])
const Inviting = Type.Object({
  phone: Type.String({ minLength: 1, maxLength: 60 }),
  role: RoleName,
})
const PersonParams = t.Object({ person: t.Integer({ minimum: 1 }) })

/** Numbers in full for owners, who invited them, and for oneself. */
const memberView = (
  who: Customer,
  { person, role, phone, since }: Member,
  move: Pick<PhoneMove, 'due'> | null,
) => {
  const isYou = person === who.person
  const show = isYou || who.role === 'owner' ? showPhone : maskPhone
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

const invitationView = ({ id, phone, role, created, expires }: Invitation) => ({
  id: id as number,
  phone: showPhone(phone),
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
        invitations: asked.map(invitationView),
      }
    })
    .post(
      '/invitations',
      async ({ request, body }) => {
        const who = await customer(request)
        return invitationView(await members.invite(who, body.phone, body.role))
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
        return { role: body.role }
      },
      { params: PersonParams, body: Type.Object({ role: RoleName }) },
    )
    .post(
      '/:person/transfer',
      async ({ request, params }) => {
        await members.transfer(await customer(request), params.person as PersonId)
        return { transferred: true }
      },
      { params: PersonParams },
    )
    .delete(
      '/:person',
      async ({ request, params, set }) => {
        const who = await customer(request)
        const person = params.person as PersonId
        if (person !== who.person) {
          await members.remove(who, person)
          return { removed: true, account: who.account }
        }
        // Whoever has another account goes on there.
        const mine = await people.accounts(person)
        const next = mine.find(({ account }) => account !== who.account)?.account ?? null
        const token = tokenOf(request.headers, isSecure) ?? ''
        if (next !== null) await sessions.choose(token, next)
        try {
          await members.remove(who, person)
        } catch (thrown) {
          await sessions.choose(token, who.account)
          throw thrown
        }
        if (next === null) set.headers['set-cookie'] = sessionCookie(null, isSecure)
        return { removed: true, account: next }
      },
      { params: PersonParams },
    )
}
