import type { Comparison } from './compare'
import type { BillFinding } from './explain'
import type { CsvCell } from '../../domain/csv-line'
import { showUsd } from '../../domain/money'
import type { BillCheck, ComparedModel } from './bill-check'

/** A comparison for programs. */
const comparisonView = ({ calls, units, usd, difference, percent, beyond }: Comparison) => ({
  calls: calls.ours,
  billed_calls: calls.billed,
  usd: usd.ours === null ? null : showUsd(usd.ours),
  billed_usd: usd.billed === null ? null : showUsd(usd.billed),
  difference_usd: difference === null ? null : showUsd(difference),
  difference_percent: percent === null ? null : percent.toFixed(2),
  units: Object.fromEntries(
    Object.entries(units).map(([unit, { ours, billed }]) => [unit, { ours, billed }]),
  ),
  beyond_tolerance: beyond,
})

/** One reason for a difference, for programs. */
const findingView = (finding: BillFinding) => ({
  kind: finding.kind,
  model: finding.model,
  charge: finding.charge,
  days: [...finding.days],
  usd: finding.usd === null ? null : showUsd(finding.usd),
  calls: finding.calls,
  units: { ...finding.units } as Record<string, number>,
  prices: finding.prices.map((price) => ({ ...price })),
  suspects: finding.suspects,
  requests: finding.records.map(({ id, status, error, vendorCost }) => ({
    id,
    status,
    error,
    vendor_cost_usd: vendorCost === null ? null : showUsd(vendorCost),
  })),
})

/** A model of a bill for programs. */
const billedModelView = ({ model, comparison }: ComparedModel) => ({
  model,
  ...comparisonView(comparison),
})

const dayColumns = [
  'day',
  'model',
  'calls',
  'billed_calls',
  'usd',
  'billed_usd',
  'difference_usd',
  'difference_percent',
  'beyond_tolerance',
] as const

/** Days of a check as lines of a file, the head first. */
export const dayLines = (
  days: readonly Readonly<Record<(typeof dayColumns)[number], CsvCell>>[],
): readonly (readonly CsvCell[])[] => [
  dayColumns,
  ...days.map((row) => dayColumns.map((name) => row[name])),
]

/** Findings of a check, for programs. */
export const billReport = (check: BillCheck) => ({
  vendors: [...check.vendors],
  month: check.month,
  zone: check.zone,
  sources: [...check.sources],
  from: check.from,
  to: check.to,
  tolerance_percent: check.tolerance,
  within_tolerance: check.within,
  total: comparisonView(check.total),
  models: check.models.map(billedModelView),
  days: check.days.map((each) => ({ day: each.day, ...billedModelView(each) })),
  findings: check.findings.map(findingView),
  notes: [...check.notes],
})
