import type { Static } from '@sinclair/typebox'
import { keyFields } from '../../../domain/fields/key-fields'
import { cell, type CommandForm } from '../../operations/command'
import type { KeyView, KeyWithCaps, MadeKeyView } from './key-view'

const which = { name: 'key', about: 'id or prefix of the key', as: 'place', kind: 'key' } as const

type OneKey = CommandForm<Static<typeof KeyView>>

const formerNames = ({ state }: Static<typeof KeyView>) => ({ status: state })

const oneKey = { params: { id: which }, object: 'key', formerNames }

const every = {
  allowed_models: [{ flag: '--allow-all-models', about: 'allow every model', value: null }],
  allowed_addresses: [{ flag: '--allow-all-addresses', about: 'allow every address', value: null }],
} as const

/** In the order that files had; a field more comes last. */
const columns = [
  ...new Set([
    'id',
    'name',
    'prefix',
    'project',
    'account',
    'status',
    'rpm_limit',
    'spend_limit_usd',
    'spent_usd',
    'allowed_models',
    'allowed_addresses',
    'expires_at',
    ...Object.values(keyFields).map(({ wire }) => wire),
  ]),
]

const list: CommandForm<{ readonly data: readonly Static<typeof KeyView>[] }> = {
  words: 'key list',
  about: 'list keys, without their secrets',
  example: 'key list --project 1',
  object: 'key',
  formerNames,
  list: {
    pages: 'after',
    columns,
    heading: ['ID', 'NAME', 'PREFIX', 'PROJECT', 'STATUS', 'RPM', 'SPENT', 'LIMIT', 'EXPIRES'],
    cells: (key) => [
      String(key.id),
      key.name,
      `${key.prefix}…`,
      String(key.project),
      key.state,
      cell.some(key.rpm_limit),
      cell.usd(key.spent_usd),
      cell.usd(key.spend_limit_usd),
      cell.some(key.expires_at),
    ],
  },
}

const show: CommandForm<Static<typeof KeyWithCaps>> = {
  words: 'key show',
  about: 'show one key without its secret, and what is spent of its caps',
  example: 'key show 1',
  ...oneKey,
}

const create: CommandForm<Static<typeof MadeKeyView>> = {
  words: 'key create',
  about: 'create a key and show its secret, once',
  example: 'key create --project 1 --name laptop --rpm 60 --spend-limit 5',
  params: { id: { name: 'project', about: 'project it belongs to', as: 'option' } },
  object: 'key',
  formerNames: (key) => ({ ...formerNames(key), key: key.secret }),
  // KEY=$(chapar key create …) is the secret alone.
  said: ({ id, name, secret, base_url }) => ({
    stdout: [secret],
    stderr: [
      `key ${id} (${name}). This is the only time that it is shown.`,
      ...(base_url === null ? [] : [`address: ${base_url}`]),
    ],
  }),
}

const set: OneKey = {
  words: 'key set',
  about: 'change a key',
  example: 'key set 1 --spend-limit 20',
  ...oneKey,
  flags: every,
}

const switches: readonly OneKey[] = (
  [
    ['disable', 'switch a key off', false],
    ['enable', 'switch a key on', true],
  ] as const
).map(([word, about, on]) => ({
  words: `key ${word}`,
  about,
  example: `key ${word} 1`,
  ...oneKey,
  body: { on },
}))

const revoke: OneKey = {
  words: 'key revoke',
  example: 'key revoke 1',
  ...oneKey,
}

/** Commands of operations on keys. */
export const keyCommands = { list, show, create, set, switches, revoke }
