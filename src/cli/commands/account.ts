import { InvalidArgumentError, Option, type Command } from 'commander'
import { createAccount, setAccount } from '../../admin/account-change'
import { accountIn } from '../../admin/accounts'
import { closeAccount } from '../../admin/close-account'
import { groupMeant } from '../../admin/groups'
import type { Account } from '../../domain/caller'
import type { AccountId } from '../../domain/ids'
import { showUsd, type NanoUsd, zeroUsd } from '../../domain/money'
import { limitNames, shownRpm, type LimitName } from '../../identity/account-limits'
import type { AccountChange, AccountSummary } from '../../identity/directory'
import type { Storage } from '../../storage/storage'
import { accountAdjustCommand } from './account-adjust'
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
import { requester } from '../kit/operator'
import { printFields, printJson, printLine } from '../kit/output'
import { counted } from '../kit/counted'

interface AccountOptions extends CommonOptions {
  readonly name?: string
  readonly verified?: boolean
  readonly status?: Account['status']
  readonly dailyCap?: NanoUsd | 'none'
  readonly concurrency?: number
  readonly rpm?: number
  readonly maxRequestKb?: number
  readonly noticeFloor?: NanoUsd | 'none'
  readonly unverifiedCeiling?: NanoUsd | 'none'
  /** Name or number of a group, or `none`. */
  readonly group?: string
}

interface SetOptions extends AccountOptions {
  readonly inherit?: readonly LimitName[]
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
    .option('--group <group>', 'group whose prices and limits it has, or none')
    .option(
      '--unverified-ceiling <usd>',
      'maximum dollars in all before verification; none: the service’s own ceiling',
      read.usdOrNone,
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

/** @throws AdminError group_not_found */
async function changeOf(
  { groups }: Pick<Storage, 'groups'>,
  options: AccountOptions,
): Promise<AccountChange> {
  const { group } = options
  const named = group === undefined || group === 'none' ? null : await groupMeant(groups, group)
  return { ...limitsOf(options), ...(group === undefined ? {} : { group: named?.id ?? null }) }
}

const limitsOf = (options: AccountOptions): AccountChange =>
  given({
    name: options.name,
    verified: options.verified,
    status: options.status,
    dailyCap: lifted(options.dailyCap),
    concurrency: options.concurrency,
    requestsPerMinute: options.rpm,
    maxRequestKb: options.maxRequestKb,
    noticeFloor: lifted(options.noticeFloor),
    unverifiedCeiling: lifted(options.unverifiedCeiling),
  }) as AccountChange

/** Limits as options name them. */
const limitOptions: Readonly<Record<LimitName, string>> = {
  dailyCap: 'daily-cap',
  concurrency: 'concurrency',
  requestsPerMinute: 'rpm',
  maxRequestKb: 'max-request-kb',
  unverifiedCeiling: 'unverified-ceiling',
}

function inheritedOf(text: string, earlier: readonly LimitName[] = []): readonly LimitName[] {
  if (text === 'all') return limitNames
  const name = limitNames.find((each) => limitOptions[each] === text)
  if (name === undefined)
    throw new InvalidArgumentError(`One of ${Object.values(limitOptions).join(', ')} or all.`)
  return [...earlier, name]
}

const accountView = (account: AccountSummary) => ({
  id: account.id,
  object: 'account',
  name: account.name,
  status: account.status,
  verified: account.verified,
  balance: { usd: showUsd(account.balance) },
  daily_cap_usd: account.dailyCap === null ? null : showUsd(account.dailyCap),
  notice_floor_usd: account.noticeFloor === null ? null : showUsd(account.noticeFloor),
  unverified_ceiling_usd:
    account.unverifiedCeiling === null ? null : showUsd(account.unverifiedCeiling),
  group: account.groupName,
  own_limits: account.ownLimits.map((name) => limitOptions[name]),
  limits: {
    concurrency: account.concurrency,
    rpm: shownRpm(account.requestsPerMinute),
    max_request_kb: account.maxRequestKb,
  },
  created: new Date(account.created).toISOString(),
})

/** Same, for people: a ceiling that nobody set is none. */
const forPeople = <View extends ReturnType<typeof accountView>>(view: View) => ({
  ...view,
  limits: { ...view.limits, rpm: view.limits.rpm ?? 'none' },
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
      const made = await withNewStorage(options, async (storage) => {
        const change = await changeOf(storage, options)
        const parts = { storage, requester: requester() }
        return await createAccount(parts, { ...change, name: options.name })
      })
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
        const found = await accountIn({ storage }, id)
        const caps = await capsView(storage, { account: found }, options)
        return { ...accountView(found), caps }
      })
      printWithCaps(options.json ? view : forPeople(view), options)
    })

  withSettings(leaf(account, 'set', 'change an account', 'account set 1 --daily-cap 25'))
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .option('--name <name>', 'name, for people', read.name)
    .option(
      '--inherit <limit>',
      'repeatable: a limit that is its group’s again, else the service’s, such as daily-cap, or all',
      inheritedOf,
    )
    .action(async (id: AccountId, options: SetOptions) => {
      const changed = await withStorage(options, async (storage) => {
        const change = await changeOf(storage, options)
        return await setAccount(
          { storage, requester: requester() },
          id,
          change,
          options.inherit ?? [],
        )
      })
      if (options.json) return printJson(accountView(changed))
      printFields(forPeople(accountView(changed)))
    })
}

/** Ends an account for good; its money and calls stay in the ledger. */
function accountCloseCommand(account: Command): void {
  leaf(
    account,
    'close',
    'close an account for good: keys are revoked, its people signed out and forgotten',
    'account close 1 --give-up "Sara"',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .option('--give-up <name>', 'name of the account: what is left of its balance is given up')
    .action(async (id: AccountId, options: CommonOptions & { giveUp?: string }) => {
      const giveUp = options.giveUp ?? null
      const closed = await withStorage(options, ({ closings }) =>
        closeAccount(closings, { account: id, giveUp, held: zeroUsd }),
      )
      if (options.json) return printJson({ object: 'account', id, closed: true, ...closed })
      const { keys, sessions, people } = closed
      printLine(
        `account ${id} is closed: ${counted(keys, 'key')} revoked, ${counted(sessions, 'session')} ended`,
      )
      if (people > 0) printLine(`${people} people belong to no other account: they are forgotten`)
    })
}
