import { Type } from '@sinclair/typebox'
import { dayLines } from '../bill-report'
import type { CheckedBill } from './bill-fields'
import { findingWords } from './bill-words'
import { cell, counted, type CommandForm } from '../../operations/command'
import { asOption } from '../../operations/from-fields'

type Compared = CheckedBill['total']

/** The last line: whether the bill differs by more than tolerated. */
function verdictOf(bill: CheckedBill): string {
  const { within_tolerance: isWithin, tolerance_percent: percent, total, models, findings } = bill
  if (isWithin)
    return `✓ within ${percent} %${findings.length > 0 ? ' in all, but for what is said above' : ''}`
  const off = models.filter((each) => each.beyond_tolerance).length
  const what = [
    ...(total.beyond_tolerance ? ['the month'] : []),
    ...(off > 0 ? [counted(off, 'model')] : []),
  ]
  const verb = what.length > 1 || off > 1 ? 'differ' : 'differs'
  return `✗ ${what.join(' and ')} ${verb} by more than ${percent} %`
}

/** Whether more is billed than we know. */
const signOf = ({ usd, calls }: CheckedBill['findings'][number]): string =>
  Number(usd ?? calls ?? 0) < 0 ? '−' : '+'

const percentText = ({ difference_percent: percent, difference_usd: difference }: Compared) =>
  percent ?? (difference === null ? '–' : 'new')

const tokens = ['input', 'cached_input', 'cache_write', 'all_input', 'output'] as const

/** Tokens of a side; null where it tells none. */
function tokensOf({ units }: Compared, side: 'ours' | 'billed'): number | null {
  const told = tokens.flatMap((unit) => units[unit]?.[side] ?? [])
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0)
}

function tableOf(bill: CheckedBill, isByDay: boolean): readonly (readonly string[])[] {
  // Where there are no dollars, tokens are what is compared.
  const byTokens = bill.total.billed_usd === null
  const cells = (compared: Compared): readonly string[] => [
    cell.some(compared.calls),
    cell.some(compared.billed_calls),
    ...(byTokens
      ? [cell.some(tokensOf(compared, 'ours')), cell.some(tokensOf(compared, 'billed'))]
      : []),
    cell.some(compared.usd),
    cell.some(compared.billed_usd),
    cell.some(compared.difference_usd),
    `${percentText(compared)}${compared.beyond_tolerance ? ' ✗' : ''}`,
  ]
  const rows = isByDay
    ? bill.days.map((each) => [each.day, each.model, ...cells(each)])
    : bill.models.map((each) => [each.model, ...cells(each)])
  return [
    [
      ...(isByDay ? ['DAY'] : []),
      'MODEL',
      'CALLS',
      'BILLED',
      ...(byTokens ? ['TOKENS', 'BILLED'] : []),
      'OUR COST',
      'BILLED',
      'DIFFERENCE',
      '%',
    ],
    ...rows,
    [...(isByDay ? [''] : []), 'all', ...cells(bill.total)],
  ]
}

const shown: CommandForm<CheckedBill> = {
  words: 'bill check',
  about:
    'compare a vendor’s bill with our records, by day and model; exits 1 where they differ by more than tolerated',
  example:
    'bill check --vendor openai --month 2026-10 --file cost.csv --file usage.csv\n  chapar bill check --vendor openai --month 2026-10 --fetch --key-stdin < admin-key',
  object: 'bill.check',
  fails: (bill) => !bill.within_tolerance,
  file: ({ days }) => dayLines(days),
  subject({ csv: _, ...report }) {
    const findings = report.findings.map((each) => ({ ...each, message: findingWords(each) }))
    return { ...report, findings }
  },
  said(bill, { group }) {
    const { vendors, from, to, zone, sources, findings, notes } = bill
    return {
      stdout: [
        `${vendors.join(' and ')}, ${from} to ${to} (${zone}): ${sources.join(', ')}`,
        '',
        tableOf(bill, group === 'day'),
        ...(findings.length > 0 ? [''] : []),
        ...findings.map((each) => `${signOf(each)} ${findingWords(each)}`),
        '',
        ...notes.map((note) => `· ${note}`),
        verdictOf(bill),
      ],
    }
  },
}

/** Command of both checks: of exports, and of what a vendor's API tells. */
export const billCheckCommand: CommandForm<CheckedBill> = {
  ...shown,
  options: {
    group: asOption(Type.String({ default: 'model' }), 'one line for each', {
      option: 'group <what>',
      choices: ['model', 'day'],
    }),
  },
  oneOf: ['file'],
  uploads: 'file',
  instead: {
    flag: '--fetch',
    about: 'ask the vendor: OpenAI, Anthropic, OpenRouter',
    conflicts: ['file', 'columns'],
    operation: 'bill.fetch',
    adds: ['key'],
    form: shown,
  },
}
