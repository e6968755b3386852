import type { Static } from '@sinclair/typebox'
import { showPhone, type Phone } from '../../../domain/phone'
import type { CommandForm } from '../../operations/command'
import type { PersonView, PhoneMoveView } from './user-view'

type Move = Static<typeof PhoneMoveView>

const which = { name: 'person', about: 'id of the person', as: 'place' } as const

const list: CommandForm<{ readonly data: readonly Static<typeof PersonView>[] }> = {
  words: 'person list',
  about: 'list people, phones masked',
  example: 'person list --phone 09123456789',
  object: 'person',
  list: {
    pages: 'after',
    columns: ['id', 'phone', 'created'],
    heading: ['ID', 'PHONE', 'CREATED'],
    cells: ({ id, phone, created }) => [String(id), phone ?? '–', created],
  },
}

const inAccount = (account: number) => `(account ${account})`

function leftLines({ email, webhooks, invitations, members }: Move): readonly string[] {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['their e-mail address stays', email === null ? [] : [email]],
    [
      'webhooks that they set stay',
      webhooks.map(({ account, url }) => `${url} ${inAccount(account)}`),
    ],
    [
      'open invitations by them end then',
      invitations.map(({ phone, role, account }) => `${phone} as ${role} ${inAccount(account)}`),
    ],
    [
      'members by their invitations stay',
      members.map(({ person, phone, role, account }) =>
        [`person ${person}`, phone ?? '–', `as ${role}`, inAccount(account)].join(' '),
      ),
    ],
  ]
  return lines
    .filter(([, all]) => all.length > 0)
    .map(([what, all]) => `${what}: ${all.join(', ')}`)
}

function keyLines({ keys, keys_revoked }: Move): readonly string[] {
  if (keys.length === 0) return []
  const names = keys
    .map(({ id, name, account }) => `${id} ${name} ${inAccount(account)}`)
    .join(', ')
  return [
    keys_revoked
      ? `keys that they made are revoked: ${names}`
      : `keys that they made go on working: ${names}; --revoke-keys ends them`,
  ]
}

const move: CommandForm<Move> = {
  words: 'person move',
  about: 'give a person another number in 24 hours, in which they can object',
  example: 'person move 7 --to 09123456789',
  params: { id: which },
  flags: {
    phone: [
      {
        flag: '--away',
        about: 'the number belongs to somebody else by now: take it away',
        value: null,
        isAlone: true,
      },
    ],
  },
  object: 'phone_move',
  said(moved) {
    const { person, to, due } = moved
    const what = to === null ? 'loses the number' : `signs in by ${showPhone(to as Phone)}`
    return {
      stdout: [
        `person ${person} ${what} from ${due} on; sessions and passkeys end then`,
        `the app tells them; take it back: chapar person keep ${person}`,
        ...leftLines(moved),
        ...keyLines(moved),
      ],
    }
  },
}

const keep: CommandForm<{ readonly person: number; readonly canceled: boolean }> = {
  words: 'person keep',
  about: 'take a move back',
  example: 'person keep 7',
  params: { id: which },
  object: 'phone_move',
  said: ({ person }) => ({ stdout: [`person ${person} keeps the number`] }),
}

const unlock: CommandForm<{
  readonly number: string
  readonly codes: number
  readonly wrong: number
}> = {
  words: 'person unlock',
  about: 'lift what stands for a number at sign-in: codes of the hour, wrong ones of the day',
  example: 'person unlock 09123456789',
  places: { phone: '<phone>' },
  object: 'sign_in_limits',
  said: ({ number, codes, wrong }) => ({
    stdout: [
      `${number} may ask for a new code`,
      `codes that hold no more: ${codes}; wrong ones forgotten: ${wrong}`,
    ],
  }),
}

/** Commands of operations on people who sign in. */
export const personCommands = { list, move, keep, unlock }
