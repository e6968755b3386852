import { allModels, emptySum, togetherOf, type Bill, type BilledSum } from './bill'
import { compare, nanosOf, type Comparison } from './compare'
import { daysOfMonth, type BillDay } from './days'
import { findingsOf, reasonsOf, withMoved, type Cell, type BillFinding } from './explain'
import { BillFault, plainText } from './fault'
import type { ModelNames } from './model-names'
import { addOurs, noSum, type OurSum } from './our-sums'
import { dayNumber, type Ms } from '../../domain/clock'
import { nanosPerUsd, type NanoUsd } from '../../domain/money'
import { Exact } from '../../gateway/metering/price-card'
import {
  type BillCheckOptions,
  type BillCheckParts,
  billedDays,
  checkBilledVendors,
  knownNames,
  ourDays,
  type BilledDays,
  type KnownModels,
  type OurDays,
} from './bill-sides'

/** A model, or a model on a day. */
export interface ComparedModel {
  readonly model: string
  readonly comparison: Comparison
}

/** A vendor's bill beside our records. */
export interface BillCheck {
  readonly vendors: readonly string[]
  readonly month: string
  readonly zone: string
  readonly sources: readonly string[]
  /** First and last day that were compared. */
  readonly from: string
  readonly to: string
  readonly tolerance: number
  /** Whether the month and each of its models differ by no more than tolerated. */
  readonly within: boolean
  readonly total: Comparison
  /** The largest difference first. */
  readonly models: readonly ComparedModel[]
  /** In their order. */
  readonly days: readonly (ComparedModel & { readonly day: string })[]
  /** Causes of the difference, the dearest first. */
  readonly findings: readonly BillFinding[]
  readonly notes: readonly string[]
}

/**
 * Compares a vendor's bill with what we recorded, by day and model. Days that agree are compared by
 * their sums; of others the records are read, in short reads.
 * @throws AdminError vendor_not_found
 * @throws BillFault other_month
 */
export async function checkBill(
  parts: BillCheckParts,
  bill: Bill,
  options: BillCheckOptions,
): Promise<BillCheck> {
  const { vendors, month, tolerance, now } = options
  const days = daysOfMonth(month, bill.zone, now).filter(({ day }) => day >= (bill.since ?? ''))
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined)
    throw new BillFault('other_month', `no day of ${month} is over yet`)
  const sums = await parts.storage.bills.days({
    vendors,
    // A day of another zone lies in two of ours.
    fromDay: dayNumber(first.from),
    toDay: dayNumber(last.to - 1),
  })
  await checkBilledVendors(parts, vendors, sums)
  const known = await knownNames(parts, bill, vendors, sums)
  const billed = billedDays(bill, days, known.names)
  const ours = await ourDays(parts, { bill, days, billed, sums, known, options })
  const cells = cellsOf(days, ours, billed)
  const compared = compareCells(cells, bill, tolerance, known.names)
  const findings = await explained(parts, { cells, bill, billed, known, tolerance })
  return {
    vendors,
    month,
    zone: bill.zone,
    sources: bill.sources,
    from: first.day,
    to: last.day,
    tolerance,
    ...compared,
    findings: findings.map((finding) => ({
      ...finding,
      model: finding.model === null ? null : known.names.labelOf(finding.model),
    })),
    notes: [...bill.notes, ...notesOf(bill, days, month)],
  }
}

function notesOf({ zone, last, since }: Bill, days: readonly BillDay[], month: string) {
  const end = days.at(-1)?.day ?? ''
  const running = daysOfMonth(month, zone, Number.MAX_SAFE_INTEGER as Ms).length > days.length
  return [
    ...(since === null
      ? []
      : [`the vendor tells days from ${since} on; earlier ones were left out`]),
    ...(running && since === null ? [`the month goes on: compared up to ${end}`] : []),
    ...(last < end ? [`the bill has nothing behind ${last}`] : []),
    ...(zone === 'UTC' ? [] : [`days are those of ${zone}, as the bill has them`]),
  ]
}

/** Each model on each day that either side knows. */
function cellsOf(days: readonly BillDay[], ours: OurDays, billed: BilledDays): readonly Cell[] {
  return days.flatMap(({ day }) => {
    const [mine, theirs] = [ours.get(day), billed.get(day)]
    const keys = new Set([...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])])
    return [...keys]
      .map((model) => ({
        day,
        model,
        ours: model === allModels ? together(mine) : (mine?.get(model) ?? null),
        billed: theirs?.get(model) ?? null,
      }))
      .filter(({ ours, billed }) => billed !== null || (ours !== null && ours.calls > 0))
  })
}

const together = (models: ReadonlyMap<string, OurSum> | undefined): OurSum =>
  [...(models?.values() ?? [])].reduce(addOurs, noSum)

/** A side that has nothing, told as finely as the bill tells. */
function absent({ dollars, sums }: Bill): BilledSum {
  const counts = [...sums.values()].some((models) =>
    [...models.values()].some(({ calls }) => calls !== null),
  )
  return {
    ...emptySum(),
    usd: dollars === 'by_model' ? new Exact(0) : null,
    calls: counts ? 0 : null,
  }
}

function compareCells(cells: readonly Cell[], bill: Bill, tolerance: number, names: ModelNames) {
  const nothing = absent(bill)
  const of = (some: readonly Cell[]) =>
    compare(
      some.reduce((sum, { ours }) => addOurs(sum, ours ?? noSum), noSum),
      togetherOf([
        ...some.flatMap(({ billed }) => billed ?? []),
        ...(some.some(({ billed }) => billed !== null) ? [] : [nothing]),
      ]),
      tolerance,
    )
  const named = cells.filter(({ model }) => model !== allModels)
  const charged = chargedUsd(bill, cells)
  const models = [...Map.groupBy(named, ({ model }) => model)]
    .map(([key, some]) => ({
      model: names.labelOf(key),
      comparison: withTools(of(some), some, charged),
    }))
    .sort((a, b) => sizeOf(b.comparison) - sizeOf(a.comparison))
  const total = compareTotal(cells, bill, tolerance)
  return {
    total,
    models,
    days: cells.map((cell) => ({
      day: cell.day,
      model: names.labelOf(cell.model),
      comparison: of([cell]),
    })),
    within: !total.beyond && models.every(({ comparison }) => !comparison.beyond),
  }
}

/** Tools are in our cost of a model, and apart from it on some bills: that is no difference of the model. */
function withTools(comparison: Comparison, cells: readonly Cell[], charged: NanoUsd): Comparison {
  const { difference } = comparison
  const hasTools = cells.some(({ ours }) => (ours?.units?.tool ?? 0) > 0)
  const isApart = hasTools && difference !== null && difference < 0 && -difference <= charged
  return isApart ? { ...comparison, beyond: false } : comparison
}

/** Dollars of no model on the days that are compared. */
function chargedUsd({ charges }: Bill, cells: readonly Cell[]): NanoUsd {
  const compared = new Set(cells.map(({ day }) => day))
  const all = [...charges].flatMap(([day, named]) => (compared.has(day) ? [...named.values()] : []))
  return nanosOf(all.reduce((sum, usd) => sum.plus(usd), new Exact(0)))
}

const sizeOf = ({ difference, usd }: Comparison): number => Math.abs(difference ?? usd.ours ?? 0)

/** The month: models, what is told of all together, and charges of none. */
function compareTotal(cells: readonly Cell[], bill: Bill, tolerance: number): Comparison {
  const named = cells.filter(({ model }) => model !== allModels)
  const charged = new Exact(chargedUsd(bill, cells)).div(nanosPerUsd)
  const billed = togetherOf([
    ...cells.flatMap(({ billed }) => billed ?? []),
    ...(charged.isZero() ? [] : [{ ...emptySum(), usd: charged }]),
  ])
  const ours = named.reduce((sum, each) => addOurs(sum, each.ours ?? noSum), noSum)
  return compare(ours, billed, tolerance)
}

interface ExplainedParts {
  readonly cells: readonly Cell[]
  readonly bill: Bill
  readonly billed: BilledDays
  readonly known: KnownModels
  readonly tolerance: number
}

/** Causes of the differences, the dearest first. */
async function explained(
  { storage }: BillCheckParts,
  { cells, bill, billed, known, tolerance }: ExplainedParts,
): Promise<readonly BillFinding[]> {
  const ids = new Set(cells.flatMap(({ ours }) => [...(ours?.cards.keys() ?? [])]))
  const cards = await storage.bills.cards([...ids])
  const reasons = cells.flatMap((cell) =>
    reasonsOf(cell, {
      tolerance,
      cards,
      billedDays: new Set(billed.keys()),
      isRouted: (model) => model === allModels || known.routed.has(model),
      dollarsByModel: bill.dollars === 'by_model',
      hasCharges: bill.charges.size > 0,
    }),
  )
  const found = [...findingsOf(withMoved(reasons), { cards, tolerance }), ...chargesOf(bill, cells)]
  return found.sort((a, b) => Math.abs(b.usd ?? 0) - Math.abs(a.usd ?? 0))
}

/** Dollars of no model, by what they are for. */
function chargesOf({ charges }: Bill, cells: readonly Cell[]): readonly BillFinding[] {
  const compared = new Set(cells.map(({ day }) => day))
  const all = [...charges].flatMap(([day, named]) =>
    compared.has(day) ? Array.from(named, ([charge, usd]) => ({ day, charge, usd })) : [],
  )
  return Array.from(
    Map.groupBy(all, ({ charge }) => charge),
    ([charge, some]) => ({
      kind: 'charges' as const,
      model: null,
      charge: plainText(charge),
      days: some.map(({ day }) => day).sort(),
      usd: nanosOf(some.reduce((sum, { usd }) => sum.plus(usd), new Exact(0))),
      calls: null,
      units: {},
      prices: [],
      suspects: 0,
      records: [],
    }),
  )
}
