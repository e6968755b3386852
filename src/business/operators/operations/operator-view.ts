import { Type, type Static } from '@sinclair/typebox'
import type { EndedRights, Operator, OperatorKey } from '../operator'
import { wired } from '../../../domain/fields/field'
import { operatorFields } from '../../../domain/fields/operator-fields'
import { Id, orNull } from '../../operations/fields'
import { isoOf } from '../../../domain/clock'
import { shownFields } from '../../operations/from-fields'

/** The least may read, the most may all. */
const fields = shownFields(operatorFields)
export const { role: RoleField } = fields
export const OperatorView = Type.Object({
  ...fields,
  /** They have followed their link. */
  ready: Type.Boolean(),
  created: Type.String(),
})
export const InvitedView = Type.Composite([
  OperatorView,
  Type.Object({
    /** By which they set password and one-time codes, once; told to nobody else. */
    link: Type.String(),
    expires: Type.String(),
  }),
])
/** A link that begins an operator anew, or the first one. */
export const OperatorLink = Type.Object({
  /** Null: whoever opens it becomes the first owner. */
  operator: orNull(Type.String()),
  role: RoleField,
  link: Type.String(),
  expires: Type.String(),
})
const madeKey = {
  id: Id,
  name: Type.String(),
  /** The most that it may; with an operator as maker never more than theirs. */
  role: RoleField,
  prefix: Type.String(),
  by: Type.String(),
  created: Type.String(),
  expires: orNull(Type.String()),
  revoked: orNull(Type.String()),
}
const OperatorKeyView = Type.Object(madeKey)
export const ListedOperatorKey = Type.Object({
  ...madeKey,
  /** By now; null once it is over. */
  effective_role: orNull(RoleField),
})
export const MadeOperatorKey = Type.Composite([
  OperatorKeyView,
  Type.Object({ secret: Type.String() }),
])

const EndedKey = Type.Object({ id: Id, name: Type.String(), prefix: Type.String() })
/** Rights of others that ended with a change. */
const EndedView = Type.Object({
  /** Keys that they made, and keys made by those. */
  keys: Type.Array(EndedKey),
  /** Keys that may less from now on. */
  lowered: Type.Array(EndedKey),
  /** Names of operators whose link was made by them and not followed. */
  links: Type.Array(Type.String()),
  /** Visits of accounts. */
  looks: Type.Integer(),
})
const ended = Type.Object({ ended: EndedView })
export const ChangedOperator = Type.Composite([OperatorView, ended])
export const ResetOperator = Type.Composite([InvitedView, ended])
export const RevokedOperatorKey = Type.Composite([OperatorKeyView, ended])

export const endedView = ({
  keys,
  lowered,
  links,
  looks,
}: EndedRights): Static<typeof EndedView> => ({
  keys: keys.map((key) => ({ ...key })),
  lowered: lowered.map((key) => ({ ...key })),
  links: [...links],
  looks,
})

export const operatorView = (operator: Operator): Static<typeof OperatorView> => ({
  ...wired(operatorFields, operator),
  ready: operator.isReady,
  created: new Date(operator.created).toISOString(),
})

export const operatorKeyView = (key: OperatorKey): Static<typeof OperatorKeyView> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  prefix: key.prefix,
  by: key.by,
  created: new Date(key.created).toISOString(),
  expires: isoOf(key.expires),
  revoked: isoOf(key.revoked),
})

/** Lines on rights that ended with an operator's, one for each kind of which there is any. */
export function endedLines({ keys, lowered, links, looks }: Static<typeof EndedView>) {
  const named = (all: typeof keys): string =>
    all.map(({ id, name, prefix }) => `${id} ${name} (${prefix}…)`).join(', ')
  return [
    ...(keys.length > 0 ? [`keys that ended with it: ${named(keys)}`] : []),
    ...(lowered.length > 0 ? [`keys that may less from now on: ${named(lowered)}`] : []),
    ...(links.length > 0
      ? [`links that ended with it: ${links.map((name) => name || 'first owner').join(', ')}`]
      : []),
    ...(looks > 0 ? [`visits of accounts that ended with it: ${looks}`] : []),
  ]
}
