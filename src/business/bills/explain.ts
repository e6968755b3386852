import type { Decimal } from 'decimal.js'
import { dayMs } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { minus, nanosPerUsd, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import { Exact } from '../../gateway/metering/price-card'
import type { CostCard } from '../../gateway/catalogue/cards'
import { togetherOf, type BilledSum, type BillUnit } from './bill'
import { countsDiffer, differ, nanosOf, sidesOf } from './compare'
import { addOurs, noSum, usualCard, type OurSum } from './our-sums'
import { eachByCard, priceDifferences, type PriceDifference } from './price-differences'
import type { DoubtfulCall } from './contract'

/** Reasons why a bill and our records differ. */
export const findingKinds = [
  /** The vendor bills a model that was never routed to it. */
  'not_routed',
  /** The vendor counts calls that we have no record of. */
  'unknown_calls',
  /** Billed by the vendor alone, beside unanswered calls that may explain it. */
  'failed_billed',
  /** Calls that were cut or counted by us are billed for more than we thought. */
  'cut_billed',
  /** Equal units at another price. */
  'other_price',
  /** Equal calls with other units. */
  'other_units',
  /** We have calls that the vendor does not bill. */
  'calls_not_billed',
  /** The bill has nothing at all of a day. */
  'missing_day',
  /** The bill has a day, but not this model. */
  'missing_model',
  /** Calls that the vendor counts on another day than we. */
  'other_day',
  /** We do not know what our calls cost. */
  'no_cost',
  /** Dollars of no model: searches, storage, containers. */
  'charges',
  /** Our cost has tools in it, which the bill charges apart from the model. */
  'charged_apart',
  /** The bill tells too little to say why. */
  'unexplained',
] as const
export type FindingKind = (typeof findingKinds)[number]

/** One reason for a difference, with the days that have it. */
export interface BillFinding {
  readonly kind: FindingKind
  /** Key of the model; null where it is of none. */
  readonly model: string | null
  /** Of a charge of no model: what it is for. */
  readonly charge: string | null
  readonly days: readonly string[]
  /** Billed less ours; null where the bill has no dollars. */
  readonly usd: NanoUsd | null
  /** Calls that the vendor counts more than we; negative: fewer; null where it counts none. */
  readonly calls: number | null
  /** Units that the vendor counts more than we. */
  readonly units: Readonly<Partial<Record<BillUnit, number>>>
  readonly prices: readonly PriceDifference[]
  /** How many calls of ours may be the reason. */
  readonly suspects: number
  /** Some of them. */
  readonly records: readonly DoubtfulCall[]
}

/** A model on a day, as both sides have it. */
export interface Cell {
  readonly day: string
  readonly model: string
  /** Null where we have no call. */
  readonly ours: OurSum | null
  /** Null where the bill has no line. */
  readonly billed: BilledSum | null
}

/** A reason in one cell. */
interface Reason extends Cell {
  readonly kind: FindingKind
  readonly usd: NanoUsd | null
}

interface ExplainParts {
  /** Percent. */
  readonly tolerance: number
  readonly cards: ReadonlyMap<number, CostCard>
  /** Days that the bill has any line of. */
  readonly billedDays: ReadonlySet<string>
  /** Whether a model is or was routed to this vendor. */
  isRouted(model: string): boolean
  /** Whether the bill tells dollars of each model. */
  readonly dollarsByModel: boolean
  /** Whether it has dollars of no model. */
  readonly hasCharges: boolean
}

/** Reasons for the difference of a cell; their dollars add up to it. */
export function reasonsOf(cell: Cell, parts: ExplainParts): readonly Reason[] {
  const { ours, billed } = cell
  const reason = (kind: FindingKind, usd: NanoUsd | null): Reason => ({ ...cell, kind, usd })
  if (billed === null) {
    if (ours === null || ours.calls === 0) return []
    const usd = parts.dollarsByModel ? minus(zeroUsd, ours.usd) : null
    return [reason(parts.billedDays.has(cell.day) ? 'missing_model' : 'missing_day', usd)]
  }
  const usd = billed.usd === null ? null : nanosOf(billed.usd)
  if (ours === null || ours.calls === 0) {
    if (isNothing(billed)) return []
    if (!parts.isRouted(cell.model)) return [reason('not_routed', usd)]
    return [reason((ours?.unanswered ?? 0) > 0 ? 'failed_billed' : 'unknown_calls', usd)]
  }
  if (usd === null)
    return countsDiffer(ours, billed, parts.tolerance)
      ? [reason(countsKind(ours, billed), null)]
      : []
  return dollarReasons(ours, billed, usd, parts).map((each) => reason(...each))
}

const isNothing = ({ calls, units, usd }: BilledSum): boolean =>
  (calls ?? 0) === 0 &&
  (usd === null || usd.isZero()) &&
  Object.values(units).every((count) => count === 0)

/** Splits dollars into those of other prices and those of other counts. */
function dollarReasons(
  ours: OurSum,
  billed: BilledSum,
  usd: NanoUsd,
  { tolerance, cards, hasCharges }: ExplainParts,
): readonly (readonly [FindingKind, NanoUsd])[] {
  const whole = minus(usd, ours.usd)
  const rounding = nanosOf(billed.rounding)
  const base = Math.max(ours.usd, usd)
  const matters = (part: number) => differ(base, base + part, tolerance, rounding)
  const countsOff = countsDiffer(ours, billed, tolerance)
  if (!matters(whole) && !countsOff) return []
  if (ours.uncosted > 0) return [['no_cost', whole]]
  if (whole < 0 && hasCharges && isByTools(ours)) return [['charged_apart', whole]]
  const card = cards.get(usualCard(ours) ?? -1)
  const share = shareOf(ours, billed, card?.lines ?? null)
  if (share === null) return matters(whole) ? [['unexplained', whole]] : []
  const expected = nanosOf(new Exact(ours.usd).times(share).div(nanosPerUsd))
  const [byPrice, byCount] = [minus(usd, expected), minus(expected, ours.usd)]
  const reasons: (readonly [FindingKind, NanoUsd])[] = []
  // Without units a price is a guess.
  const isTold = Object.keys(sidesOf(ours.units ?? {}, billed.units)).length > 0
  if (matters(byPrice))
    reasons.push([
      isTold ? 'other_price' : 'unexplained',
      matters(byCount) || countsOff ? byPrice : whole,
    ])
  if (matters(byCount) || countsOff)
    reasons.push([countsKind(ours, billed), matters(byPrice) ? byCount : whole])
  // Neither alone is much, both together are.
  return reasons.length > 0 ? reasons : [['unexplained', whole]]
}

/** Whether tools are part of what we think that it costs. */
const isByTools = ({ units }: OurSum): boolean => (units?.tool ?? 0) > 0

function countsKind(ours: OurSum, { calls, units }: BilledSum): FindingKind {
  const more = calls === null ? 0 : calls - ours.calls
  if (more > 0) return ours.unanswered > 0 ? 'failed_billed' : 'unknown_calls'
  if (more < 0) return 'calls_not_billed'
  const grown = Object.values(sidesOf(ours.units ?? {}, units)).some(
    ({ ours, billed }) => billed > ours,
  )
  if (!grown) return 'other_units'
  if (ours.doubtful.calls > 0) return 'cut_billed'
  return calls === null && ours.unanswered > 0 ? 'failed_billed' : 'other_units'
}

/** Ratio of the vendor's units to ours, weighted by price; null where neither tells. */
function shareOf(
  ours: OurSum,
  billed: BilledSum,
  lines: readonly PriceLine[] | null,
): Decimal | null {
  const sides = Object.entries(sidesOf(ours.units ?? {}, billed.units)) as [
    BillUnit,
    { ours: number; billed: number },
  ][]
  if (sides.length === 0)
    return billed.calls === null || ours.calls === 0
      ? null
      : new Exact(billed.calls).div(ours.calls)
  if (sides.every(([, { ours, billed }]) => ours === billed)) return new Exact(1)
  let [counted, told] = [new Exact(0), new Exact(0)]
  for (const [unit, side] of sides) {
    const weight = lines === null ? new Exact(1) : (eachByCard(unit, ours, lines) ?? new Exact(0))
    counted = counted.plus(weight.times(side.ours))
    told = told.plus(weight.times(side.billed))
  }
  return counted.isZero() ? null : told.div(counted)
}

const moving: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'unknown_calls',
  'failed_billed',
  'calls_not_billed',
  'missing_day',
  'missing_model',
])
/** Maximum unexplained share where calls of other days are a reason. */
const maxLeft = 0.1

/**
 * Calls that lack on one day and are too many on the next are the same calls: days of a vendor may
 * end at another hour, or by the end of a call.
 */
export function withMoved(reasons: readonly Reason[]): readonly Reason[] {
  const models = Map.groupBy(
    reasons.filter(({ kind }) => moving.has(kind)),
    ({ model }) => model,
  )
  const moved = new Set([...models.values()].flatMap((some) => runsOf(some).filter(isEven)).flat())
  return reasons.map((reason) => (moved.has(reason) ? { ...reason, kind: 'other_day' } : reason))
}

/** Reasons of days that follow each other. */
function runsOf(reasons: readonly Reason[]): readonly (readonly Reason[])[] {
  const runs: Reason[][] = []
  let last = Number.NaN
  for (const reason of reasons.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const at = Date.parse(reason.day)
    if (at - last <= dayMs) runs.at(-1)?.push(reason)
    else runs.push([reason])
    last = at
  }
  return runs
}

/** Whether what is more and what is less cancel out. */
function isEven(run: readonly Reason[]): boolean {
  const amounts = run.map(({ usd }) => usd ?? 0)
  const more = amounts.reduce<number>((sum, usd) => sum + Math.max(0, usd), 0)
  const fewer = amounts.reduce<number>((sum, usd) => sum - Math.min(0, usd), 0)
  return Math.min(more, fewer) > 0 && Math.abs(more - fewer) <= maxLeft * Math.max(more, fewer)
}

/** Reasons of one kind and model as one finding, the dearest first. */
export function findingsOf(
  reasons: readonly Reason[],
  { cards, tolerance }: Pick<ExplainParts, 'cards' | 'tolerance'>,
): readonly BillFinding[] {
  const groups = Map.groupBy(reasons, ({ kind, model }) =>
    kind === 'missing_day' ? kind : `${kind} ${model}`,
  )
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : findingOf(first, group, { cards, tolerance })
  })
}

function findingOf(
  { kind, model }: Reason,
  group: readonly Reason[],
  { cards, tolerance }: Pick<ExplainParts, 'cards' | 'tolerance'>,
): BillFinding {
  const ours = group.reduce((sum, each) => addOurs(sum, each.ours ?? noSum), noSum)
  const billed = togetherOf(group.flatMap((each) => each.billed ?? []))
  const told = group.flatMap(({ usd }) => usd ?? [])
  const units = Object.entries(sidesOf(ours.units ?? {}, billed.units))
    .map(([unit, side]) => [unit, side.billed - side.ours] as const)
    .filter(([, more]) => more !== 0)
  const card = cards.get(usualCard(ours) ?? -1)
  const isMissing = kind === 'missing_day' || kind === 'missing_model'
  return {
    kind,
    model: kind === 'missing_day' ? null : model,
    charge: null,
    days: [...new Set(group.map(({ day }) => day))].sort(),
    usd: told.length === 0 ? null : told.reduce(plus, nanoUsd(0)),
    calls: isMissing ? -ours.calls : billed.calls === null ? null : billed.calls - ours.calls,
    units: Object.fromEntries(units),
    prices: kind === 'other_price' ? priceDifferences(ours, billed, card, tolerance) : [],
    suspects:
      kind === 'failed_billed' ? ours.unanswered : kind === 'cut_billed' ? ours.doubtful.calls : 0,
    records: recordsOf(kind, ours),
  }
}

const maxRecords = 10

function recordsOf(kind: FindingKind, { named }: OurSum): readonly DoubtfulCall[] {
  if (kind === 'failed_billed')
    return named.filter(({ vendorCost }) => vendorCost === null).slice(0, maxRecords)
  if (kind === 'cut_billed')
    return named.filter(({ vendorCost }) => vendorCost !== null).slice(0, maxRecords)
  return []
}
