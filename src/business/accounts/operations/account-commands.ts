import type { Static } from '@sinclair/typebox'
import type { AccountView, WholeAccountView } from './account-view'
import { cell, type CommandForm } from '../../operations/command'

type Viewed = Static<typeof AccountView>
type OneAccount = CommandForm<Viewed>

const which = { name: 'account', about: 'id of the account', as: 'place' } as const

const flags = {
  verified: [
    { flag: '--no-verified', about: 'the holder’s identity is not verified', value: false },
  ],
} as const

const formerNames = (view: Viewed) => ({
  balance: { usd: view.balance_usd },
  limits: {
    concurrency: view.concurrency,
    rpm: view.rpm,
    max_request_kb: view.max_request_kb,
  },
})

const oneAccount = { params: { id: which }, object: 'account', formerNames }

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'account list',
  about: 'list accounts with their balances',
  example: 'account list',
  object: 'account',
  formerNames,
  list: {
    pages: 'before',
    columns: [
      'id',
      'name',
      'status',
      'verified',
      'balance.usd',
      'daily_cap_usd',
      'notice_floor_usd',
      'limits.concurrency',
      'limits.rpm',
      'limits.max_request_kb',
      'created',
    ],
    heading: ['ID', 'NAME', 'STATUS', 'VERIFIED', 'BALANCE'],
    cells: (account) => [
      String(account.id),
      account.name,
      account.status,
      cell.yes(account.verified),
      cell.usd(account.balance_usd),
    ],
  },
}

const show: CommandForm<Static<typeof WholeAccountView>> = {
  words: 'account show',
  about: 'show one account, and what is spent of its caps',
  example: 'account show 1',
  ...oneAccount,
}

const create: OneAccount = {
  words: 'account create',
  about: 'create an account',
  example: 'account create --name Sara --verified',
  flags,
  object: 'account',
  formerNames,
  makesFolder: true,
  said: ({ id, name }) => ({
    stdout: [
      `account ${id} (${name})`,
      `next: chapar topup ${id} 10 · chapar project create --account ${id} --name web`,
    ],
  }),
}

const set: OneAccount = {
  words: 'account set',
  about: 'change an account',
  example: 'account set 1 --daily-cap 25',
  ...oneAccount,
  flags,
}

/** Commands of operations on accounts. */
export const accountCommands = { list, show, create, set }
