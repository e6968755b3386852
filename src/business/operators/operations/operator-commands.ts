import type { Static } from '@sinclair/typebox'
import { cell, type CommandForm } from '../../operations/command'
import {
  endedLines,
  type ChangedOperator,
  type InvitedView,
  type ListedOperatorKey,
  type MadeOperatorKey,
  type OperatorLink,
  type OperatorView,
  type ResetOperator,
  type RevokedOperatorKey,
} from './operator-view'

type Of<Schema extends { readonly static: unknown }> = CommandForm<Schema['static']>
type Rows<Row extends { readonly static: unknown }> = CommandForm<{
  readonly data: readonly Row['static'][]
}>

const which = {
  name: 'name',
  about: 'name of the operator',
  as: 'place',
  kind: 'text',
} as const

const oneOperator = { params: { name: which }, object: 'operator' }
/** Form of commands that print a link, with the operator under its former name. */
const oneLink = {
  object: 'operator_link',
  formerNames: ({ name }: Static<typeof OperatorView>) => ({ operator: name }),
}

/** The link alone, and beside it for whom it is. */
const saidLink = (
  { operator, link }: Pick<Static<typeof OperatorLink>, 'operator' | 'link'>,
  more: readonly string[] = [],
) => ({
  stdout: [link],
  stderr: [
    `whoever opens it ${operator === null ? 'becomes the first owner' : `is ${operator}`}: once, within 30 minutes`,
    ...more,
  ],
})

const add: Of<typeof InvitedView> = {
  words: 'operator add',
  about: 'add an operator, who follows a link',
  example: 'operator add sara --role staff',
  places: { name: '<name>' },
  ...oneLink,
  makesFolder: true,
  said: ({ name, link }) => saidLink({ operator: name, link }),
}

const list: Rows<typeof OperatorView> = {
  words: 'operator list',
  about: 'list operators with their roles',
  example: 'operator list',
  object: 'operator',
  list: {
    pages: null,
    columns: ['name', 'role', 'ready', 'created'],
    heading: ['NAME', 'ROLE', 'READY', 'CREATED'],
    cells: (each) => [each.name, each.role, cell.yes(each.ready), each.created],
  },
}

const set: Of<typeof ChangedOperator> = {
  words: 'operator set',
  about: 'give an operator another role',
  example: 'operator set sara --role owner',
  ...oneOperator,
  said: ({ ended, ...fields }) => ({ fields, stdout: endedLines(ended) }),
}

const remove: Of<typeof ChangedOperator> = {
  words: 'operator remove',
  about: 'sign an operator out for good; the name is never given anew',
  example: 'operator remove sara',
  ...oneOperator,
  formerNames: () => ({ removed: true }),
  said: ({ name, ended }) => ({
    stdout: [`${name} is signed out, and signs in no more`, ...endedLines(ended)],
  }),
}

const reset: Of<typeof ResetOperator> = {
  words: 'operator reset',
  about: 'forget password, one-time codes and passkeys of an operator, and print another link',
  example: 'operator reset sara',
  params: { name: which },
  ...oneLink,
  said: ({ name, link, ended }) => saidLink({ operator: name, link }, endedLines(ended)),
}

const link: Of<typeof OperatorLink> = {
  words: 'operator link',
  about: 'print another link for the first operator, or for one who has not followed theirs',
  example: 'operator link',
  places: { name: '[name]' },
  object: 'operator_link',
  makesFolder: true,
  said: (made) => saidLink(made),
}

/** Commands of operations on operators. */
export const operatorCommands = { add, list, set, remove, reset, link }

const createKey: Of<typeof MadeOperatorKey> = {
  words: 'operator key create',
  about: 'make a key and show its secret, once',
  example: 'operator key create --name deploys --role staff --expires 90d',
  object: 'operator_key',
  formerNames: ({ secret }) => ({ key: secret }),
  makesFolder: true,
  said: ({ id, name, role, secret }) => ({
    stdout: [secret],
    stderr: [`key ${id} (${name}, ${role}). This is the only time that it is shown.`],
  }),
}

const listKeys: Rows<typeof ListedOperatorKey> = {
  words: 'operator key list',
  about: 'list keys, without their secrets',
  example: 'operator key list',
  object: 'operator_key',
  list: {
    pages: null,
    columns: [
      'id',
      'name',
      'role',
      'effective_role',
      'prefix',
      'by',
      'created',
      'expires',
      'revoked',
    ],
    heading: ['ID', 'NAME', 'ROLE', 'PREFIX', 'BY', 'EXPIRES', 'REVOKED'],
    cells: (key) => [
      String(key.id),
      key.name,
      key.effective_role ?? 'over',
      `${key.prefix}…`,
      key.by,
      cell.some(key.expires),
      cell.some(key.revoked),
    ],
  },
}

const revokeKey: Of<typeof RevokedOperatorKey> = {
  words: 'operator key revoke',
  about: 'revoke a key for good',
  example: 'operator key revoke 1',
  params: { id: { name: 'key', about: 'id of the key', as: 'place' } },
  object: 'operator_key',
  said: ({ name, prefix, ended }) => ({
    stdout: [`${name} (${prefix}…) is revoked`, ...endedLines(ended)],
  }),
}

/** Commands of operations on keys of programs. */
export const operatorKeyCommands = { create: createKey, list: listKeys, revoke: revokeKey }
