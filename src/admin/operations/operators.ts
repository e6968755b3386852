import { Type, type Static } from '@sinclair/typebox'
import type { Ms } from '../../domain/clock'
import type { OperatorKeyId } from '../../domain/ids'
import { linkUrl } from '../../operators/links'
import type { EndedRights, Operator, OperatorKey } from '../../operators/operator'
import {
  addOperator,
  createOperatorKey,
  linkOperator,
  removeOperator,
  resetOperator,
  revokeOperatorKey,
  setOperatorRole,
} from '../operators'
import { Id, Instant, instantOf, Name, orNull } from './fields'
import { operation } from './operation'
import type { KeptParts } from './parts'

const role = Type.Union([Type.Literal('viewer'), Type.Literal('staff'), Type.Literal('owner')])
const OperatorName = Type.String({ minLength: 1, maxLength: 40 })
const params = { name: OperatorName }

const OperatorView = Type.Object({
  name: Type.String(),
  role,
  /** They have followed their link. */
  ready: Type.Boolean(),
  created: Type.String(),
})
const Invited = Type.Composite([
  OperatorView,
  Type.Object({
    /** By which they set password and one-time codes, once; told to nobody else. */
    link: Type.String(),
    expires: Type.String(),
  }),
])
const madeKey = {
  id: Id,
  name: Type.String(),
  /** The most that it may; with an operator as maker never more than theirs. */
  role,
  prefix: Type.String(),
  by: Type.String(),
  created: Type.String(),
  expires: orNull(Type.String()),
  revoked: orNull(Type.String()),
}
const OperatorKeyView = Type.Object(madeKey)

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
const ended = { ended: EndedView }

const endedView = ({ keys, lowered, links, looks }: EndedRights): Static<typeof EndedView> => ({
  keys: keys.map((key) => ({ ...key })),
  lowered: lowered.map((key) => ({ ...key })),
  links: [...links],
  looks,
})

const operatorView = ({ name, role, isReady, created }: Operator): Static<typeof OperatorView> => ({
  name,
  role,
  ready: isReady,
  created: new Date(created).toISOString(),
})

const timeOf = (at: Ms | null): string | null => (at === null ? null : new Date(at).toISOString())

const keyView = (key: OperatorKey): Static<typeof OperatorKeyView> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  prefix: key.prefix,
  by: key.by,
  created: new Date(key.created).toISOString(),
  expires: timeOf(key.expires),
  revoked: timeOf(key.revoked),
})

const partsOf = ({ storage, service }: KeptParts) => ({
  store: storage.operators,
  clock: service.clock,
  pepper: storage.pepper,
})

const invited = (
  { service }: KeptParts,
  { operator, token, expires }: Awaited<ReturnType<typeof addOperator>>,
): Static<typeof Invited> => ({
  ...operatorView(operator),
  link: linkUrl(service.operatorUrl(), token),
  expires: new Date(expires).toISOString(),
})

const changedView = ({ operator, ended }: Awaited<ReturnType<typeof removeOperator>>) => ({
  ...operatorView(operator),
  ended: endedView(ended),
})

const people = [
  operation({
    name: 'operator.list',
    method: 'GET',
    path: '/operators',
    role: 'viewer',
    about: 'Operators with their roles, in the order of their names',
    result: Type.Object({ data: Type.Array(OperatorView) }),
    run: async ({ storage }) => ({ data: (await storage.operators.list()).map(operatorView) }),
  }),
  operation({
    name: 'operator.add',
    method: 'POST',
    path: '/operators',
    role: 'owner',
    about: 'Add an operator, who sets a password by the link that is told this once',
    body: { name: OperatorName, role },
    result: Invited,
    run: async (parts, { body }) => invited(parts, await addOperator(partsOf(parts), body)),
  }),
  operation({
    name: 'operator.set',
    method: 'PATCH',
    path: '/operators/{name}',
    role: 'owner',
    about:
      'Give an operator another role, which their keys have at most; links they made end with the role of owner',
    params,
    body: { role },
    result: Type.Composite([OperatorView, Type.Object(ended)]),
    run: async (parts, { params, body }) =>
      changedView(await setOperatorRole(partsOf(parts), params.name, body.role)),
  }),
  operation({
    name: 'operator.remove',
    method: 'DELETE',
    path: '/operators/{name}',
    role: 'owner',
    about:
      'Sign an operator out for good, with the keys and links that they made; the name is never given anew',
    params,
    result: Type.Composite([OperatorView, Type.Object(ended)]),
    run: async (parts, { params }) =>
      changedView(await removeOperator(partsOf(parts), params.name)),
  }),
  operation({
    name: 'operator.reset',
    method: 'POST',
    path: '/operators/{name}/reset',
    role: 'owner',
    about:
      'Forget password, one-time codes and passkeys of an operator, end the keys and links that they made, and make another link',
    params,
    result: Type.Composite([Invited, Type.Object(ended)]),
    async run(parts, { params }) {
      const made = await resetOperator(partsOf(parts), params.name)
      return { ...invited(parts, made), ended: endedView(made.ended) }
    },
  }),
  operation({
    name: 'operator.link',
    method: 'POST',
    path: '/operators/{name}/link',
    role: 'owner',
    about: 'Another link for an operator who has not followed theirs',
    params,
    result: Invited,
    async run(parts, { params }) {
      const { operator, ...made } = await linkOperator(partsOf(parts), params.name)
      if (operator === null) throw new Error('a link of nobody')
      return invited(parts, { operator, ...made })
    },
  }),
] as const

const keys = [
  operation({
    name: 'operator_key.list',
    method: 'GET',
    path: '/operator-keys',
    role: 'viewer',
    about: 'Keys of programs that operate the service, without their secrets, newest first',
    result: Type.Object({
      data: Type.Array(
        Type.Object({
          ...madeKey,
          /** By now; null once it is over. */
          effective_role: orNull(role),
        }),
      ),
    }),
    run: async ({ storage }) => ({
      data: (await storage.operators.keys()).map((key) => ({
        ...keyView(key),
        effective_role: key.effectiveRole,
      })),
    }),
  }),
  operation({
    name: 'operator_key.create',
    method: 'POST',
    path: '/operator-keys',
    role: 'owner',
    about: 'Make a key for a program; its secret is told this once',
    body: {
      name: Name,
      role,
      /** Null: it does not end by itself. */
      expires: orNull(Instant),
    },
    result: Type.Composite([OperatorKeyView, Type.Object({ secret: Type.String() })]),
    async run(parts, { body }) {
      const expires = body.expires === null ? null : instantOf(body.expires, 'expires')
      const wanted = { name: body.name.trim(), role: body.role, expires }
      const { key, secret } = await createOperatorKey(partsOf(parts), wanted)
      return { ...keyView(key), secret }
    },
  }),
  operation({
    name: 'operator_key.revoke',
    method: 'DELETE',
    path: '/operator-keys/{id}',
    role: 'owner',
    about: 'Revoke a key of a program for good, and keys that it made',
    params: { id: Id },
    result: Type.Composite([OperatorKeyView, Type.Object(ended)]),
    async run(parts, { params }) {
      const revoked = await revokeOperatorKey(partsOf(parts), params.id as OperatorKeyId)
      return { ...keyView(revoked.key), ended: endedView(revoked.ended) }
    },
  }),
] as const

export const operatorOperations = [...people, ...keys] as const
