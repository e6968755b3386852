import { Type, type Static } from '@sinclair/typebox'
import type { Ms } from '../../../domain/clock'
import type { OperatorKeyId } from '../../../domain/ids'
import { linkUrl } from '../setup-links'
import { operatorFields } from '../../../domain/fields/operator-fields'
import {
  addOperator,
  createOperatorKey,
  linkOperator,
  removeOperator,
  resetOperator,
  revokeOperatorKey,
  setOperatorRole,
} from '../operator-rules'
import { Id, Instant, instantOf, Name, orNull } from '../../operations/fields'
import { asOption, describe, settable } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { operatorCommands, operatorKeyCommands } from './operator-commands'
import {
  ChangedOperator,
  endedView,
  InvitedView,
  ListedOperatorKey,
  MadeOperatorKey,
  operatorKeyView,
  OperatorLink,
  OperatorView,
  operatorView,
  ResetOperator,
  RevokedOperatorKey,
} from './operator-view'
import type { KeptParts } from '../../operations/parts'

const { name, role, ...fields } = settable(operatorFields)
const told = { name: Type.Optional(name, false), role: Type.Optional(role, false), ...fields }
const params = { name: Type.String({ minLength: 1, maxLength: 40 }) }

const partsOf = ({ storage, service }: KeptParts) => ({
  store: storage.operators,
  clock: service.clock,
  pepper: storage.pepper,
})

const linkView = ({ service }: KeptParts, token: string, expires: Ms) => ({
  link: linkUrl(service.operatorUrl(), token),
  expires: new Date(expires).toISOString(),
})

const invited = (
  parts: KeptParts,
  { operator, token, expires }: Awaited<ReturnType<typeof addOperator>>,
): Static<typeof InvitedView> => ({
  ...operatorView(operator),
  ...linkView(parts, token, expires),
})

const changedView = ({ operator, ended }: Awaited<ReturnType<typeof removeOperator>>) => ({
  ...operatorView(operator),
  ended: endedView(ended),
})

const people = [
  operation({
    name: 'operator.add',
    method: 'POST',
    path: '/operators',
    role: 'owner',
    about: 'Add an operator, who sets a password by the link that is told this once',
    body: told,
    result: InvitedView,
    commands: [operatorCommands.add],
    run: async (parts, { body }) => invited(parts, await addOperator(partsOf(parts), body)),
  }),
  operation({
    name: 'operator.list',
    method: 'GET',
    path: '/operators',
    role: 'viewer',
    about: 'Operators with their roles, in the order of their names',
    result: Type.Object({ data: Type.Array(OperatorView) }),
    commands: [operatorCommands.list],
    run: async ({ storage }) => ({ data: (await storage.operators.list()).map(operatorView) }),
  }),
  operation({
    name: 'operator.set',
    method: 'PATCH',
    path: '/operators/{name}',
    role: 'owner',
    about:
      'Give an operator another role, which their keys have at most; links they made end with the role of owner',
    params,
    body: { role: told.role },
    result: ChangedOperator,
    commands: [operatorCommands.set],
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
    result: ChangedOperator,
    commands: [operatorCommands.remove],
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
    result: ResetOperator,
    commands: [operatorCommands.reset],
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
    result: InvitedView,
    async run(parts, { params }) {
      const { operator, ...made } = await linkOperator(partsOf(parts), params.name)
      if (operator === null) throw new Error('a link of nobody')
      return invited(parts, { operator, ...made })
    },
  }),
  operation({
    name: 'operator.invite',
    method: 'POST',
    path: '/operators/links',
    role: 'owner',
    about: 'Another link for the first operator, or for one who has not followed theirs',
    body: {
      name: describe(name, 'name of the operator (default: the first owner)'),
    },
    result: OperatorLink,
    commands: [operatorCommands.link],
    async run(parts, { body }) {
      const { operator, token, expires } = await linkOperator(partsOf(parts), body.name ?? null)
      return {
        operator: operator?.name ?? null,
        role: operator?.role ?? 'owner',
        ...linkView(parts, token, expires),
      }
    },
  }),
] as const

const keys = [
  operation({
    name: 'operator_key.create',
    method: 'POST',
    path: '/operator-keys',
    role: 'owner',
    about: 'Make a key for a program; its secret is told this once',
    body: {
      name: asOption(Name, 'name, for people', { kind: 'name' }),
      role: told.role,
      expires: asOption(orNull(Instant), 'a date, a span such as 90d, or null', {
        kind: 'instant',
        option: 'expires <when>',
        nullable: true,
      }),
    },
    result: MadeOperatorKey,
    commands: [operatorKeyCommands.create],
    async run(parts, { body }) {
      const expires = body.expires === null ? null : instantOf(body.expires, 'expires')
      const wanted = { name: body.name.trim(), role: body.role, expires }
      const { key, secret } = await createOperatorKey(partsOf(parts), wanted)
      return { ...operatorKeyView(key), secret }
    },
  }),
  operation({
    name: 'operator_key.list',
    method: 'GET',
    path: '/operator-keys',
    role: 'viewer',
    about: 'Keys of programs that operate the service, without their secrets, newest first',
    result: Type.Object({ data: Type.Array(ListedOperatorKey) }),
    commands: [operatorKeyCommands.list],
    run: async ({ storage }) => ({
      data: (await storage.operators.keys()).map((key) => ({
        ...operatorKeyView(key),
        effective_role: key.effectiveRole,
      })),
    }),
  }),
  operation({
    name: 'operator_key.revoke',
    method: 'DELETE',
    path: '/operator-keys/{id}',
    role: 'owner',
    about: 'Revoke a key of a program for good, and keys that it made',
    params: { id: Id },
    result: RevokedOperatorKey,
    commands: [operatorKeyCommands.revoke],
    async run(parts, { params }) {
      const revoked = await revokeOperatorKey(partsOf(parts), params.id as OperatorKeyId)
      return { ...operatorKeyView(revoked.key), ended: endedView(revoked.ended) }
    },
  }),
] as const

export const operatorOperations = [...people, ...keys] as const
