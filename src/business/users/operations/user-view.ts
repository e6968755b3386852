import { Type, type Static } from '@sinclair/typebox'
import { memberFields } from '../../../domain/fields/member-fields'
import { maskEmail, maskWebhook } from '../../notices/recipients/masks'
import type { Person } from '../user'
import { maskPhone } from '../../../domain/phone'
import type { KeyOfPerson, LeftByPerson, PhoneMove } from '../phone-change-contract'
import { Id, orNull } from '../../operations/fields'
import { shownFields } from '../../operations/from-fields'

export const PersonView = Type.Object({
  id: Id,
  /** Masked; null for whose number is somebody else's by now. */
  phone: orNull(Type.String()),
  created: Type.String(),
})

export const personView = ({ id, phone, created }: Person): Static<typeof PersonView> => ({
  id,
  phone: phone === null ? null : maskPhone(phone),
  created: new Date(created).toISOString(),
})

const member = shownFields(memberFields)

/** A move that waits, and by what whoever had the number stays in: addresses and phones masked. */
export const PhoneMoveView = Type.Object({
  person: Id,
  /** The new one, as it was sent. */
  to: orNull(Type.String()),
  due: Type.String(),
  keys: Type.Array(Type.Object({ id: Id, name: Type.String(), account: Id })),
  keys_revoked: Type.Boolean(),
  email: orNull(Type.String()),
  webhooks: Type.Array(Type.Object({ account: Id, url: Type.String() })),
  /** Open ones of the person, which the move withdraws. */
  invitations: Type.Array(Type.Object({ account: Id, phone: Type.String(), ...member })),
  /** By invitations of the person. */
  members: Type.Array(
    Type.Object({ account: Id, person: Id, phone: orNull(Type.String()), ...member }),
  ),
})

interface Moved extends Omit<PhoneMove, 'by'> {
  readonly keys: readonly KeyOfPerson[]
  readonly areKeysRevoked: boolean
  readonly left: LeftByPerson
}

export const phoneMoveView = ({
  person,
  phone,
  due,
  keys,
  areKeysRevoked,
  left: { email, webhooks, invitations, members },
}: Moved): Static<typeof PhoneMoveView> => ({
  person,
  to: phone,
  due: new Date(due).toISOString(),
  keys: keys.map(({ id, name, account }) => ({ id, name, account })),
  keys_revoked: areKeysRevoked,
  email: email === null ? null : maskEmail(email),
  webhooks: webhooks.map(({ account, url }) => ({ account, url: maskWebhook(url) })),
  invitations: invitations.map(({ account, phone: invited, role }) => ({
    account,
    phone: maskPhone(invited),
    role,
  })),
  members: members.map(({ account, person: member, phone: own, role }) => ({
    account,
    person: member,
    phone: own === null ? null : maskPhone(own),
    role,
  })),
})
