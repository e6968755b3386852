import { Type } from '@sinclair/typebox'
import type { PersonId } from '../../../domain/ids'
import { maskPhone, parsePhone, showPhone, type Phone } from '../../../domain/phone'
import { AdminError } from '../../operations/admin-error'
import { cancelPhoneMove, listPeople, planPhoneMove, revokeKeysOf } from '../phone-changes'
import { unlockPerson } from '../unlock-sign-in'
import { Id, max, page, pageOf } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { personCommands } from './user-commands'
import { PersonView, personView, PhoneMoveView, phoneMoveView } from './user-view'

const Typed = Type.String({ minLength: 1, maxLength: 30 })

/** As it is typed. @throws RangeError */
function readPhone(text: string): Phone {
  const phone = parsePhone(text)
  if (phone === null) throw new RangeError('An Iranian mobile number is needed.')
  return phone
}

/** @throws AdminError input_invalid */
function phoneOf(text: string): Phone {
  const phone = parsePhone(text)
  if (phone === null)
    throw new AdminError('input_invalid', { field: 'phone', rule: 'bad_form', form: 'mobile' })
  return phone
}

const lifted = {
  /** Codes that hold no more. */
  codes: Type.Integer(),
  /** Wrong codes that are forgotten. */
  wrong: Type.Integer(),
}

export const peopleOperations = [
  operation({
    name: 'person.list',
    method: 'GET',
    path: '/people',
    role: 'viewer',
    about: 'People who sign in to the web app, phones masked, by number; by a phone for staff',
    query: {
      phone: asOption(Type.Optional(Typed), 'only who signs in by it', {
        option: 'phone <number>',
        read: readPhone,
      }),
      after: Type.Optional(Id),
      max,
    },
    result: pageOf(PersonView, Id),
    commands: [personCommands.list],
    async run({ storage, requester }, { query: { phone, after, max } }) {
      const found = await listPeople(
        { store: storage.phoneMoves, requester },
        {
          phone: phone === undefined ? null : phoneOf(phone),
          after: (after ?? null) as PersonId | null,
          max: max + 1,
        },
      )
      return page(found.map(personView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'person.move',
    method: 'POST',
    path: '/people/{id}/move',
    role: 'owner',
    about:
      'Give a person another number in 24 hours, or take theirs away, in which they can object; tells by what whoever had it stays in',
    params: { id: Id },
    body: {
      phone: asOption(
        Type.Optional(
          Type.Union([Typed, Type.Null()], {
            description: 'the new number; null where theirs belongs to somebody else by now',
          }),
        ),
        'the new number',
        { option: 'to <number>', read: readPhone },
      ),
      revoke_keys: asOption(
        Type.Optional(Type.Boolean()),
        'revoke the keys that the person made, at once and for good',
      ),
    },
    result: PhoneMoveView,
    commands: [personCommands.move],
    async run({ storage, service, requester }, { params, body }) {
      if (body.phone === undefined)
        throw new AdminError('input_invalid', { field: 'phone', rule: 'required' })
      const person = params.id as PersonId
      const phone = body.phone === null ? null : phoneOf(body.phone)
      const { phoneMoves: store } = storage
      const now = service.clock.now()
      const areKeysRevoked = body.revoke_keys ?? false
      const planned = await planPhoneMove({ store, requester, now }, { person, phone })
      const keys = await (areKeysRevoked ? revokeKeysOf(storage, person) : store.keys(person))
      const left = await store.left(person, now)
      return phoneMoveView({ ...planned, keys, areKeysRevoked, left })
    },
  }),
  operation({
    name: 'person.keep',
    method: 'DELETE',
    path: '/people/{id}/move',
    role: 'staff',
    about: 'Take back a move of a person to another number',
    params: { id: Id },
    result: Type.Object({ person: Id, canceled: Type.Boolean() }),
    commands: [personCommands.keep],
    async run({ storage }, { params }) {
      await cancelPhoneMove(storage.phoneMoves, params.id as PersonId)
      return { person: params.id, canceled: true }
    },
  }),
  operation({
    name: 'person.unlock',
    method: 'POST',
    path: '/people/{id}/unlock',
    role: 'staff',
    about:
      'Lift the limits of sign-in for the number of a person: codes of the last hour hold no more and count no more, wrong ones of the day are forgotten',
    params: { id: Id },
    result: Type.Object(lifted),
    run: async ({ storage }, { params }) => await unlockPerson(storage, params.id as PersonId),
  }),
  operation({
    name: 'phone.unlock',
    method: 'POST',
    path: '/phones/unlock',
    role: 'staff',
    about: 'Same for a number, whoever has it',
    body: { phone: asOption(Typed, 'the number', { read: readPhone }) },
    result: Type.Object({ phone: Type.String(), number: Type.String(), ...lifted }),
    commands: [personCommands.unlock],
    async run({ storage }, { body }) {
      const phone = phoneOf(body.phone)
      const { codes, wrong } = await storage.signInLimits.unlock(phone)
      return { phone: maskPhone(phone), number: showPhone(phone), codes, wrong }
    },
  }),
] as const
