import { InvalidArgumentError, type Command } from 'commander'
import {
  createRedeemCodes,
  revokeRedeemCodes,
  type FreshRedeemCode,
} from '../../admin/redeem-codes'
import { redeemHash } from '../../app/payment-desk'
import { systemClock, type Ms } from '../../domain/clock'
import { showUsd, type NanoUsd } from '../../domain/money'
import { shownRedeemCode, type RedeemCode, type RedeemCodeId } from '../../payments/redeem-codes'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import {
  limitOf,
  printList,
  printShown,
  shownOf,
  withCsv,
  withLimit,
  type ListForm,
  type ListOptions,
  type LongListOptions,
} from '../kit/listing'
import { operator } from '../kit/operator'
import { printError, printJson, printLine } from '../kit/output'
import { counted } from '../kit/counted'

interface CreateOptions extends ListOptions {
  readonly usd: NanoUsd
  readonly count?: number
  readonly batch?: string
  readonly expires?: Ms
}

interface RevokeOptions extends CommonOptions {
  readonly batch?: string
}

export function codeCommand(program: Command): void {
  const code = branch(program, 'code', 'Manage redeem codes, for sale outside of the web app')

  withCsv(
    leaf(
      code,
      'create',
      'make codes that are worth dollars once; they are printed now and never again',
      'code create --usd 10 --count 50 --csv > codes.csv',
    ),
  )
    .requiredOption('--usd <amount>', 'what each is worth', read.usd)
    .option('--count <n>', 'how many (default: 1)', read.count)
    .option('--batch <name>', 'what they are known by together (default: the time)', read.name)
    .option('--expires <when>', 'a date, or a span such as 90d; else they never do', readExpiry)
    .action(create)

  withLimit(leaf(code, 'list', 'list codes and what became of them, newest first', 'code list'))
    .option('--batch <name>', 'only of this batch')
    .action(list)

  leaf(
    code,
    'revoke',
    'end codes that nobody has redeemed: one, or a batch',
    'code revoke 12\n  chapar code revoke --batch newroz',
  )
    .argument('[id]', 'number of the code', read.id<RedeemCodeId>)
    .option('--batch <name>', 'every code of this batch')
    .action(revoke)
}

const spanMs = { h: 3_600_000, d: 86_400_000 } as const

function readExpiry(text: string): Ms {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  if (unit === 'h' || unit === 'd') return (systemClock.now() + Number(count) * spanMs[unit]) as Ms
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('A date such as 2027-01-31 or a span such as 90d is needed.')
  return at as Ms
}

function stateOf({ redeemed, revoked, expires }: RedeemCode): string {
  if (redeemed !== null) return 'redeemed'
  if (revoked !== null) return 'revoked'
  return expires !== null && expires <= systemClock.now() ? 'expired' : 'unused'
}

const instant = (time: Ms | null): string | null =>
  time === null ? null : new Date(time).toISOString()

const codeView = (code: RedeemCode) => ({
  id: code.id,
  batch: code.batch,
  usd: showUsd(code.amount),
  ending: code.ending,
  state: stateOf(code),
  created: instant(code.created),
  expires: instant(code.expires),
  redeemed: instant(code.redeemed?.at ?? null),
  account: code.redeemed?.account ?? null,
  by: code.by,
})

const freshView = ({ code, ...kept }: FreshRedeemCode) => ({
  id: kept.id,
  batch: kept.batch,
  usd: showUsd(kept.amount),
  code: shownRedeemCode(code),
  expires: instant(kept.expires),
})

const freshForm: ListForm<ReturnType<typeof freshView>> = {
  columns: ['id', 'batch', 'usd', 'code', 'expires'],
  heading: ['CODE', 'DOLLARS', 'EXPIRES', 'ID'],
  cells: (each) => [each.code, `$${each.usd}`, each.expires ?? '–', String(each.id)],
}

async function create(options: CreateOptions): Promise<void> {
  const { usd: amount, count = 1, batch = null, expires = null } = options
  const made = await withStorage(options, ({ redeemCodes: store, pepper }) =>
    createRedeemCodes(
      { store, clock: systemClock, hashOf: redeemHash(pepper) },
      { amount, count, batch, expires, by: operator() },
    ),
  )
  await printList(options, made.map(freshView), freshForm)
  // Beside the codes themselves, which may go to a file.
  if (!options.json)
    printError(
      `${counted(made.length, 'code')} of batch ${made[0]?.batch}: keep the digits, nobody can read them again`,
    )
}

const form: ListForm<ReturnType<typeof codeView>> = {
  columns: [
    'id',
    'batch',
    'usd',
    'ending',
    'state',
    'created',
    'expires',
    'redeemed',
    'account',
    'by',
  ],
  heading: ['ID', 'BATCH', 'DOLLARS', 'ENDS IN', 'STATE', 'REDEEMED', 'ACCOUNT'],
  cells: (each) => [
    String(each.id),
    each.batch,
    `$${each.usd}`,
    each.ending,
    each.state,
    each.redeemed ?? '–',
    each.account === null ? '–' : String(each.account),
  ],
}

async function list(options: LongListOptions & { readonly batch?: string }): Promise<void> {
  const { batch = null } = options
  // One more tells whether there are more.
  const max = Math.min(limitOf(options), Number.MAX_SAFE_INTEGER - 1) + 1
  const all = await withStorage(options, ({ redeemCodes }) =>
    redeemCodes.list({ batch, before: null, max }),
  )
  return await printShown(options, shownOf(all.map(codeView), options), form)
}

async function revoke(id: RedeemCodeId | undefined, options: RevokeOptions): Promise<void> {
  const { batch } = options
  if ((id === undefined) === (batch === undefined))
    throw new RangeError('say which: a number, or --batch')
  const which = id === undefined ? { batch: batch ?? '' } : { id }
  const revoked = await withStorage(options, ({ redeemCodes }) =>
    revokeRedeemCodes(redeemCodes, which),
  )
  if (options.json) return printJson({ object: 'redeem_codes', revoked })
  printLine(`${counted(revoked, 'code')} revoked`)
}
