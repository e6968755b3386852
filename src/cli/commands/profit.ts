import { Option, type Command } from 'commander'
import { dayNumber } from '../../domain/clock'
import { minus, plus, showUsd, zeroUsd } from '../../domain/money'
import {
  profitGroups,
  profitOrders,
  profitScores,
  type ProfitGroup,
  type ProfitOrder,
  type ProfitReports,
  type ProfitSum,
} from '../../domain/report'
import { csvLine } from '../../domain/csv-line'
import { leaf, withStorage } from '../kit/leaf'
import { limitOf, withLimit, type LongListOptions } from '../kit/listing'
import { printJson, printLine, printTable } from '../kit/output'
import { spanOf, withSpan, type SpanOptions } from '../kit/span'

interface ProfitOptions extends LongListOptions, SpanOptions {
  readonly group: ProfitGroup
  readonly sort?: ProfitOrder
}

/** `profit`: what customers paid, what vendors bill, and what is left. */
export function profitCommand(program: Command): void {
  withLimit(
    withSpan(
      leaf(
        program,
        'profit',
        'Show what was charged, what it cost and what is left, by whole days (UTC)',
        'profit --since 30d --group account --sort margin',
      ),
    ).addOption(
      new Option('--group <what>', 'one line for each').choices(profitGroups).default('day'),
    ),
    'accounts: show only the first',
  )
    .addOption(
      new Option('--sort <by>', 'most of it first (default: charged)').choices(profitOrders),
    )
    .action(show)
}

async function show(options: ProfitOptions): Promise<void> {
  const { from, to } = spanOf(options)
  const { group } = options
  if (group !== 'account' && (options.limit ?? options.sort) !== undefined)
    throw new RangeError('--limit and --sort are of --group account')
  const days = { fromDay: dayNumber(from), toDay: dayNumber(to - 1) }
  const { sums, total, hasMore } = await withStorage(options, ({ profits }) =>
    readProfit(profits, days, options),
  )
  if (options.json)
    return printJson({
      object: 'profit',
      group,
      total: profitView(total),
      data: sums.map((sum) => ({ key: sum.key, ...profitView(sum) })),
      has_more: hasMore,
    })
  const rows = [...sums, ...(options.csv ? [] : [total])].map((sum) => [
    sum.key === '' ? 'none' : sum.key,
    ...Object.values(profitView(sum)).map((value) => (value === null ? '' : String(value))),
  ])
  const head = [group, ...Object.keys(profitView(none))]
  if (options.csv) for (const row of [head, ...rows]) printLine(csvLine(row))
  else printTable([headings(group), ...rows.map((row) => row.map((cell) => cell || '–'))])
  if (hasMore && !options.csv)
    printLine(`… more accounts: --limit ${2 * sums.length}, or --csv for all`)
}

interface ShownProfit {
  readonly sums: readonly ProfitSum[]
  /** Of those that are not shown too. */
  readonly total: ProfitSum
  readonly hasMore: boolean
}

async function readProfit(
  profits: ProfitReports,
  days: { readonly fromDay: number; readonly toDay: number },
  options: ProfitOptions,
): Promise<ShownProfit> {
  const { group, sort: order = 'charged' } = options
  const max = limitOf(options)
  if (group !== 'account' || max === Number.MAX_SAFE_INTEGER) {
    const all = await profits.profit({ ...days, group })
    const scoreOf = profitScores[order]
    const sums =
      group === 'account' ? all.toSorted((one, other) => scoreOf(other) - scoreOf(one)) : all
    return { sums, total: sums.reduce(together, none), hasMore: false }
  }
  const found = await profits.topAccounts({ ...days, order, max: max + 1 })
  // As short as the list of vendors is, however many accounts there are.
  const byVendor = await profits.profit({ ...days, group: 'vendor' })
  return {
    sums: found.slice(0, max),
    total: byVendor.reduce(together, none),
    hasMore: found.length > max,
  }
}

const headings = (group: ProfitGroup): readonly string[] => [
  group.toUpperCase(),
  'CALLS',
  'CHARGED',
  'REFUNDED',
  'VENDOR COST',
  'MARGIN',
  'MARGIN %',
  'WITHOUT COST',
]

const none: ProfitSum = {
  key: 'all',
  calls: 0,
  charged: zeroUsd,
  refunded: zeroUsd,
  vendorCost: zeroUsd,
  uncosted: 0,
}

const together = (a: ProfitSum, b: ProfitSum): ProfitSum => ({
  key: a.key,
  calls: a.calls + b.calls,
  charged: plus(a.charged, b.charged),
  refunded: plus(a.refunded, b.refunded),
  vendorCost: plus(a.vendorCost, b.vendorCost),
  uncosted: a.uncosted + b.uncosted,
})

function profitView({ calls, charged, refunded, vendorCost, uncosted }: ProfitSum) {
  const earned = minus(charged, refunded)
  const margin = minus(earned, vendorCost)
  return {
    calls,
    charged_usd: showUsd(charged),
    refunded_usd: showUsd(refunded),
    vendor_cost_usd: showUsd(vendorCost),
    margin_usd: showUsd(margin),
    margin_percent: earned === 0 ? null : ((margin / earned) * 100).toFixed(2),
    calls_without_cost: uncosted,
  }
}
