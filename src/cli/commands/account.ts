import { Option, type Command } from 'commander'
import type { Account } from '../../domain/caller'
import type { AccountId } from '../../domain/ids'
import { showUsd, type NanoUsd } from '../../domain/money'
import { noAccountRpm, type AccountChange, type AccountSummary } from '../../identity/directory'
import { accountAdjustCommand } from './account-adjust'
import { accountCloseCommand } from './account-close'
import { accountLedgerCommand } from './account-ledger'
import { capsView, printWithCaps } from './caps-view'
import {
  branch,
  given,
  leaf,
  lifted,
  read,
  withNewStorage,
  withStorage,
  type CommonOptions,
} from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printFields, printJson, printLine } from '../kit/output'

interface AccountOptions extends CommonOptions {
  readonly name?: string
  readonly verified?: boolean
  readonly status?: Account['status']
  readonly dailyCap?: NanoUsd | 'none'
  readonly concurrency?: number
  readonly rpm?: number
  readonly maxRequestKb?: number
  readonly noticeFloor?: NanoUsd | 'none'
}

const withSettings = (command: Command): Command =>
  command
    .option(
      '--verified',
      'the holder’s identity is verified: lifts the ceiling before verification',
    )
    .option('--no-verified', 'the holder’s identity is not verified')
    .addOption(
      new Option('--status <state>', 'suspended accounts are refused').choices([
        'active',
        'suspended',
      ]),
    )
    .option('--daily-cap <usd>', 'maximum dollars per day (UTC), or none', read.usdOrNone)
    .option('--concurrency <n>', 'maximum requests at once', read.count)
    .option('--rpm <n>', 'maximum requests per minute of each key', read.count)
    .option('--max-request-kb <n>', 'maximum size of a request body', read.count)
    .option(
      '--notice-floor <usd>',
      'balance below which a notice is sent; none: the service’s own floor',
      read.usdOrNone,
    )

const changeOf = (options: AccountOptions): AccountChange =>
  given({
    name: options.name,
    verified: options.verified,
    status: options.status,
    dailyCap: lifted(options.dailyCap),
    concurrency: options.concurrency,
    requestsPerMinute: options.rpm,
    maxRequestKb: options.maxRequestKb,
    noticeFloor: lifted(options.noticeFloor),
  }) as AccountChange

const accountView = (account: AccountSummary) => ({
  id: account.id,
  object: 'account',
  name: account.name,
  status: account.status,
  verified: account.verified,
  balance: { usd: showUsd(account.balance) },
  daily_cap_usd: account.dailyCap === null ? null : showUsd(account.dailyCap),
  notice_floor_usd: account.noticeFloor === null ? null : showUsd(account.noticeFloor),
  limits: {
    concurrency: account.concurrency,
    rpm: account.requestsPerMinute,
    max_request_kb: account.maxRequestKb,
  },
  created: new Date(account.created).toISOString(),
})

/** Same, for people: a ceiling that nobody set is none. */
const forPeople = <View extends ReturnType<typeof accountView>>(view: View) => ({
  ...view,
  limits: { ...view.limits, rpm: view.limits.rpm === noAccountRpm ? 'none' : view.limits.rpm },
})

const form: ListForm<ReturnType<typeof accountView>> = {
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
  cells: (each) => [
    String(each.id),
    each.name,
    each.status,
    each.verified ? 'yes' : 'no',
    `$${each.balance.usd}`,
  ],
}

export function accountCommand(program: Command): void {
  const account = branch(program, 'account', 'Manage accounts')
  accountAdjustCommand(account)
  accountLedgerCommand(account)
  accountCloseCommand(account)

  withSettings(
    leaf(account, 'create', 'create an account', 'account create --name Sara --verified'),
  )
    .requiredOption('--name <name>', 'name, for people', read.name)
    .action(async (options: AccountOptions & { name: string }) => {
      const change = changeOf(options)
      const made = await withNewStorage(options, ({ directory }) =>
        directory.createAccount({ ...change, name: options.name }),
      )
      if (options.json) return printJson(accountView(made))
      printLine(`account ${made.id} (${made.name})`)
      printLine(
        `next: chapar topup ${made.id} 10 · chapar project create --account ${made.id} --name web`,
      )
    })

  withCsv(leaf(account, 'list', 'list accounts with their balances', 'account list')).action(
    async (options: ListOptions) =>
      printList(
        options,
        (await withStorage(options, ({ directory }) => directory.listAccounts())).map(accountView),
        form,
      ),
  )

  leaf(account, 'show', 'show one account, and what is spent of its caps', 'account show 1')
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .action(async (id: AccountId, options: CommonOptions) => {
      const view = await withStorage(options, async (storage) => {
        const found = await storage.directory.findAccount(id)
        if (found === null) throw new RangeError(`there is no account ${id}`)
        const caps = await capsView(storage, { account: found }, options)
        return { ...accountView(found), caps }
      })
      printWithCaps(options.json ? view : forPeople(view), options)
    })

  withSettings(leaf(account, 'set', 'change an account', 'account set 1 --daily-cap 25'))
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .option('--name <name>', 'name, for people', read.name)
    .action(async (id: AccountId, options: AccountOptions) => {
      const changed = await withStorage(options, ({ directory }) =>
        directory.setAccount(id, changeOf(options)),
      )
      if (options.json) return printJson(accountView(changed))
      printFields(forPeople(accountView(changed)))
    })
}
