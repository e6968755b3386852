import { Option, type Command } from 'commander'
import { dayNumber } from '../../domain/clock'
import { minus, plus, showUsd, zeroUsd } from '../../domain/money'
import { profitGroups, type ProfitGroup, type ProfitSum } from '../../domain/report'
import { csvLine } from '../../domain/csv-line'
import { leaf, withStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine, printTable } from '../kit/output'
import { spanOf, withSpan, type SpanOptions } from '../kit/span'

interface ProfitOptions extends CommonOptions, SpanOptions {
  readonly group: ProfitGroup
  readonly csv?: true
}

/** `profit`: what customers paid, what vendors bill, and what is left. */
export function profitCommand(program: Command): void {
  withSpan(
    leaf(
      program,
      'profit',
      'Show what was charged, what it cost and what is left, by whole days (UTC)',
      'profit --since 30d --group vendor',
    ),
  )
    .addOption(
      new Option('--group <what>', 'one line for each').choices(profitGroups).default('day'),
    )
    .option('--csv', 'print comma-separated values')
    .action(show)
}

async function show(options: ProfitOptions): Promise<void> {
  const { from, to } = spanOf(options)
  const { group } = options
  const query = { group, fromDay: dayNumber(from), toDay: dayNumber(to - 1) }
  const sums = await withStorage(options, ({ profits }) => profits.profit(query))
  const total = sums.reduce(together, none)
  if (options.json)
    return printJson({
      object: 'profit',
      group,
      total: profitView(total),
      data: sums.map((sum) => ({ key: sum.key, ...profitView(sum) })),
    })
  const rows = [...sums, ...(options.csv ? [] : [total])].map((sum) => [
    sum.key === '' ? 'none' : sum.key,
    ...Object.values(profitView(sum)).map((value) => (value === null ? '' : String(value))),
  ])
  const head = [group, ...Object.keys(profitView(none))]
  if (options.csv) for (const row of [head, ...rows]) printLine(csvLine(row))
  else printTable([headings(group), ...rows.map((row) => row.map((cell) => cell || '–'))])
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
