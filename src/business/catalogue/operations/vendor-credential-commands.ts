import type { Static } from '@sinclair/typebox'
import { cell, type CommandForm } from '../../operations/command'
import type { CredentialView, SignedVendor } from './vendor-views'
import { balanceText } from './vendor-words'

const vendor = { name: 'vendor', about: 'name of the vendor', as: 'place', kind: 'text' } as const
const which = {
  name: 'name',
  about: 'name of the credential',
  as: 'place',
  kind: 'text',
} as const

type Signed = Static<typeof SignedVendor>

export const credentialList: NonNullable<
  CommandForm<{ readonly data: readonly Static<typeof CredentialView>[] }>['list']
> = {
  pages: null,
  columns: ['name', 'api_key', 'active', 'state', 'cooling_until', 'balance', 'checked'],
  heading: ['CREDENTIAL', 'KEY', 'STATE', 'COOLING UNTIL', 'BALANCE', 'CHECKED'],
  cells: (each) => [
    each.name,
    cell.some(each.api_key),
    each.state,
    cell.some(each.cooling_until),
    each.balance === null ? '–' : balanceText(each.balance),
    cell.some(each.checked),
  ],
}

const list: CommandForm<{ readonly data: readonly Static<typeof CredentialView>[] }> = {
  words: 'vendor credential list',
  about: 'list the credentials of a vendor, without their keys',
  example: 'vendor credential list openai',
  params: { name: vendor },
  object: 'vendor.credential',
  list: credentialList,
}

const changedOf = ({ credentials, credential }: Signed) =>
  credentials.find(({ name }) => name === credential)

const add: CommandForm<Signed> = {
  words: 'vendor credential add',
  example: 'vendor credential add openai second --api-key-stdin < key',
  params: { name: vendor },
  places: { name: '[name]' },
  object: 'vendor.credential',
  subject: (signed) => ({ vendor: signed.name, ...changedOf(signed) }),
  said: (signed) => ({
    stdout: [
      `${signed.name} has the credential ${signed.credential} (${changedOf(signed)?.api_key ?? '…'})`,
    ],
  }),
}

/** A command that says which credentials are left to sign calls. */
const changing = (done: string): Omit<CommandForm<Signed>, 'words' | 'example'> => ({
  params: { name: vendor, credential: which },
  object: 'list',
  subject: ({ credentials }) => ({ data: credentials }),
  said: ({ name, credential, credentials }) => ({
    stdout: [
      `credential ${credential} of ${name} ${done}; calls are signed by ${credentials
        .filter(({ active }) => active)
        .map((each) => each.name)
        .join(', ')}`,
    ],
  }),
})

const switches: readonly CommandForm<Signed>[] = (
  [
    [
      'off',
      'sign no more calls with a credential; video jobs that it ordered are looked after',
      false,
    ],
    ['on', 'sign calls with a credential again', true],
  ] as const
).map(([word, about, active]) => ({
  ...changing(`switched ${word}`),
  words: `vendor credential ${word}`,
  about,
  example: `vendor credential ${word} openai default`,
  body: { active },
  takes: [],
}))

const set: CommandForm<Signed> = {
  ...changing('has another key'),
  words: 'vendor credential set',
  about: 'give a credential another key; video jobs that it ordered are looked after with that one',
  example: 'vendor credential set openai second --api-key-stdin < key',
  needs: ['api_key'],
}

const remove: CommandForm<Signed> = {
  ...changing('removed'),
  words: 'vendor credential remove',
  example: 'vendor credential remove openai second',
}

/** Commands of operations on credentials of vendors. */
export const credentialCommands = { add, list, switches, set, remove }
