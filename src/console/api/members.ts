import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { PersonId } from '../../domain/ids'
import { PeopleRefusal } from '../../people/people-refusal'
import type { Member } from '../../people/person'
import { parsePhone, showPhone } from '../../people/phone'
import type { Customer } from '../customer'
import { Refusal } from '../refusal'
import type { ConsoleParts } from './parts'

const Invitation = Type.Object({
  phone: Type.String({ minLength: 1, maxLength: 60 }),
  role: Type.Union([Type.Literal('owner'), Type.Literal('member')]),
})

/** An invitation writes a row for a number that never asked for it. */
const maxMembers = 100

const memberView = ({ person, role, phone, since }: Member) => ({
  person,
  role,
  phone: phone === null ? null : showPhone(phone),
  since,
})

/** `/app/api/members`: people of the account. Owners invite by phone, and dismiss. */
export const membersApi = ({ customer, people }: ConsoleParts) => {
  const ownerOf = async (request: Request): Promise<Customer> => {
    const who = await customer(request)
    if (who.role !== 'owner') throw new Refusal(403, 'owners_only')
    return who
  }
  return new Elysia({ prefix: '/members', normalize: false })
    .get('/', async ({ request }) => {
      const { account } = await customer(request)
      return (await people.members(account)).map(memberView)
    })
    .post(
      '/',
      async ({ request, body }) => {
        const { person, account } = await ownerOf(request)
        const phone = parsePhone(body.phone)
        if (phone === null) throw new PeopleRefusal('phone_invalid', {})
        const members = await people.members(account)
        if (members.length >= maxMembers)
          throw new Refusal(409, 'too_many_members', { max: maxMembers })
        // A second invitation would take the last owner's role away.
        if (members.some((each) => each.phone === phone)) throw new Refusal(409, 'already_member')
        return memberView(await people.invite(person, account, phone, body.role))
      },
      { body: Invitation },
    )
    .delete(
      '/:person',
      async ({ request, params }) => {
        const { person, account } = await ownerOf(request)
        const dismissed = await people.dismiss(person, account, params.person as PersonId)
        if (!dismissed) throw new PeopleRefusal('last_owner', {})
        return { dismissed: true }
      },
      { params: t.Object({ person: t.Integer({ minimum: 1 }) }) },
    )
}
