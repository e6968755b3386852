import { billLines, billReport, findingView } from '../../admin/bill-report'
import type { BillCheck } from '../../admin/bill-check'
import type { BillUnit } from '../../bills/bill'
import type { Comparison } from '../../bills/compare'
import type { BillFinding } from '../../bills/explain'
import { showUsd, type NanoUsd } from '../../domain/money'
import { counted } from '../kit/counted'
import type { ListOptions } from '../kit/listing'
import { printJson, printLine, printStream, printTable } from '../kit/output'
import { findingWords } from './bill-words'

interface ViewOptions extends ListOptions {
  readonly group: 'model' | 'day'
}

/** Prints what a check found. */
export async function showBill(check: BillCheck, options: ViewOptions): Promise<void> {
  const { vendors, zone, sources, from, to } = check
  if (options.json) {
    const { notes, ...report } = billReport(check)
    const findings = check.findings.map((each) => ({
      ...findingView(each),
      message: findingWords(each),
    }))
    return printJson({ object: 'bill.check', ...report, findings, notes })
  }
  if (options.csv) return await printStream(billLines(check))
  printLine(`${vendors.join(' and ')}, ${from} to ${to} (${zone}): ${sources.join(', ')}`)
  printLine()
  printTable(tableOf(check, options.group))
  if (check.findings.length > 0) printLine()
  for (const finding of check.findings) printLine(`${signOf(finding)} ${findingWords(finding)}`)
  printLine()
  for (const note of check.notes) printLine(`· ${note}`)
  printLine(verdictOf(check))
}

function verdictOf({ within, tolerance, total, models, findings }: BillCheck): string {
  if (within)
    return `✓ within ${tolerance} %${findings.length > 0 ? ' in all, but for what is said above' : ''}`
  const off = models.filter(({ comparison }) => comparison.beyond).length
  const what = [...(total.beyond ? ['the month'] : []), ...(off > 0 ? [counted(off, 'model')] : [])]
  const verb = what.length > 1 || off > 1 ? 'differ' : 'differs'
  return `✗ ${what.join(' and ')} ${verb} by more than ${tolerance} %`
}

/** Whether more is billed than we know. */
const signOf = ({ usd, calls }: BillFinding): string => ((usd ?? calls ?? 0) < 0 ? '−' : '+')

const dollars = (amount: NanoUsd | null): string => (amount === null ? '–' : showUsd(amount))
const count = (value: number | null): string => (value === null ? '–' : String(value))
const percentText = ({ percent, difference }: Comparison): string =>
  percent === null ? (difference === null ? '–' : 'new') : percent.toFixed(2)

const tokens = ['input', 'cached_input', 'cache_write', 'all_input', 'output'] as const

/** Tokens of a side; null where it tells none. */
function tokensOf({ units }: Comparison, side: 'ours' | 'billed'): number | null {
  const told = tokens.flatMap((unit: BillUnit) => units[unit]?.[side] ?? [])
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0)
}

function tableOf(check: BillCheck, group: 'model' | 'day'): readonly (readonly string[])[] {
  // Where there are no dollars, tokens are what is compared.
  const byTokens = check.total.usd.billed === null
  const rows = group === 'model' ? check.models : check.days
  const cells = (comparison: Comparison): readonly string[] => [
    count(comparison.calls.ours),
    count(comparison.calls.billed),
    ...(byTokens
      ? [count(tokensOf(comparison, 'ours')), count(tokensOf(comparison, 'billed'))]
      : []),
    dollars(comparison.usd.ours),
    dollars(comparison.usd.billed),
    dollars(comparison.difference),
    `${percentText(comparison)}${comparison.beyond ? ' ✗' : ''}`,
  ]
  const day = group === 'day'
  return [
    [
      ...(day ? ['DAY'] : []),
      'MODEL',
      'CALLS',
      'BILLED',
      ...(byTokens ? ['TOKENS', 'BILLED'] : []),
      'OUR COST',
      'BILLED',
      'DIFFERENCE',
      '%',
    ],
    ...rows.map((row) => [
      ...('day' in row ? [row.day as string] : []),
      row.model,
      ...cells(row.comparison),
    ]),
    [...(day ? [''] : []), 'all', ...cells(check.total)],
  ]
}
