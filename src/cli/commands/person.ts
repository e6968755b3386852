import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { checkRole } from '../../admin/access-rules'
import { planPhoneMove, revokeKeysOf } from '../../admin/phone-moves'
import { systemClock } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import { maskEmail, maskWebhook } from '../../notices/holder/masks'
import type { Person } from '../../people/person'
import type { LeftByPerson } from '../../people/phone-moves'
import { maskPhone, parsePhone, showPhone, type Phone } from '../../people/phone'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { localTime } from '../kit/local-time'
import { requester } from '../kit/operator'
import { printJson, printLine } from '../kit/output'

interface MoveOptions extends CommonOptions {
  readonly to?: Phone
  readonly away?: true
  readonly revokeKeys?: true
}

function readPhone(text: string): Phone {
  const phone = parsePhone(text)
  if (phone === null) throw new InvalidArgumentError('An Iranian mobile number is needed.')
  return phone
}

const personView = ({ id, phone, created }: Person) => ({
  id,
  object: 'person',
  phone: phone === null ? null : maskPhone(phone),
  created: new Date(created).toISOString(),
})

export function personCommand(program: Command): void {
  const person = branch(program, 'person', 'manage people who sign in to the web app')

  withCsv(leaf(person, 'list', 'list people, phones masked', 'person list --phone 09123456789'))
    .option('--phone <number>', 'only who signs in by it', readPhone)
    .action(list)

  leaf(
    person,
    'move',
    'give a person another number in 24 hours, in which they can object',
    'person move 7 --to 09123456789',
  )
    .argument('<person>', 'id of the person', read.id<PersonId>)
    .option('--to <number>', 'the new number', readPhone)
    .option('--away', 'the number belongs to somebody else by now: take it away')
    .option('--revoke-keys', 'revoke the keys that the person made, at once and for good')
    .action(move)

  leaf(person, 'keep', 'take a move back', 'person keep 7')
    .argument('<person>', 'id of the person', read.id<PersonId>)
    .action(async (id: PersonId, options: CommonOptions) => {
      const kept = await withStorage(options, ({ phoneMoves }) => phoneMoves.cancel(id))
      if (!kept) throw new RangeError(`no move of person ${id} is waiting`)
      if (options.json) return printJson({ object: 'phone_move', person: id, canceled: true })
      printLine(`person ${id} keeps the number`)
    })

  leaf(
    person,
    'unlock',
    'lift what stands for a number at sign-in: codes of the hour, wrong ones of the day',
    'person unlock 09123456789',
  )
    .argument('<phone>', 'the number', readPhone)
    .action(unlock)
}

async function unlock(phone: Phone, options: CommonOptions): Promise<void> {
  const { codes, wrong } = await withStorage(options, ({ signInLimits }) =>
    signInLimits.unlock(phone),
  )
  if (options.json)
    return printJson({ object: 'sign_in_limits', phone: maskPhone(phone), codes, wrong })
  printLine(`${showPhone(phone)} may ask for a new code`)
  printLine(`codes that hold no more: ${codes}; wrong ones forgotten: ${wrong}`)
}

async function list(options: ListOptions & { phone?: Phone }): Promise<void> {
  // An operator who sees phones masked must not try them.
  if (options.phone !== undefined) checkRole(requester(), 'staff')
  const all = await withStorage(options, ({ phoneMoves }) =>
    phoneMoves.people(options.phone ?? null),
  )
  await printList(options, all.map(personView), form)
}

const form: ListForm<ReturnType<typeof personView>> = {
  columns: ['id', 'phone', 'created'],
  heading: ['ID', 'PHONE', 'CREATED'],
  cells: ({ id, phone, created }) => [String(id), phone ?? '–', created],
}

/** As operators see addresses of customers: masked. */
const leftView = ({ email, webhooks, invitations, members }: LeftByPerson) => ({
  email: email === null ? null : maskEmail(email),
  webhooks: webhooks.map(({ account, url }) => ({ account, url: maskWebhook(url) })),
  invitations: invitations.map(({ phone, ...rest }) => ({ ...rest, phone: maskPhone(phone) })),
  members: members.map(({ phone, ...rest }) => ({
    ...rest,
    phone: phone === null ? null : maskPhone(phone),
  })),
})

function printLeft({ email, webhooks, invitations, members }: ReturnType<typeof leftView>): void {
  const inAccount = (account: AccountId) => `(account ${account})`
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
  for (const [what, all] of lines) if (all.length > 0) printLine(`${what}: ${all.join(', ')}`)
}

async function move(person: PersonId, options: MoveOptions): Promise<void> {
  const { to, away, revokeKeys = false, json } = options
  if ((to === undefined) === (away === undefined))
    throw new RangeError('say the new number by --to, or --away')
  const phone = to ?? null
  const { due, keys, left } = await withStorage(options, async (storage) => {
    const { phoneMoves: store } = storage
    const planned = await planPhoneMove(
      { store, requester: requester(), now: systemClock.now() },
      { person, phone },
    )
    const made = revokeKeys ? revokeKeysOf(storage, person) : store.keys(person)
    return { ...planned, keys: await made, left: await store.left(person, systemClock.now()) }
  })
  if (json)
    return printJson({
      object: 'phone_move',
      person,
      due: new Date(due).toISOString(),
      keys,
      keys_revoked: revokeKeys,
      ...leftView(left),
    })
  const what = phone === null ? 'loses the number' : `signs in by ${showPhone(phone)}`
  printLine(`person ${person} ${what} from ${localTime(due)} on; sessions and passkeys end then`)
  printLine(`the app tells them; take it back: chapar person keep ${person}`)
  printLeft(leftView(left))
  if (keys.length === 0) return
  const names = keys.map(({ id, name, account }) => `${id} ${name} (account ${account})`).join(', ')
  printLine(
    revokeKeys
      ? `keys that they made are revoked: ${names}`
      : `keys that they made go on working: ${names}; --revoke-keys ends them`,
  )
}
