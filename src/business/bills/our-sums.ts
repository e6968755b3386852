import { plus, zeroUsd, type NanoUsd } from '../../domain/money'
import { addUnits, type BillUnit, type BillUnits } from './bill'
import type { BilledDay, DoubtfulCall, RecordedSum } from './contract'

/** Our sums of a model on a day. */
export interface OurSum {
  readonly calls: number
  readonly usd: NanoUsd
  /** Calls whose cost nobody knows. */
  readonly uncosted: number
  /** Null where only the sums of the day were read. */
  readonly units: BillUnits | null
  /** Calls that were cut, failed or counted by us, and what we think that they cost. */
  readonly doubtful: { readonly calls: number; readonly usd: NanoUsd }
  /** Calls that nobody answered, and nobody bills as far as we know. */
  readonly unanswered: number
  /** Calls by the number of the cost card that they are priced by. */
  readonly cards: ReadonlyMap<number, number>
  /** Some of the doubtful and unanswered ones. */
  readonly named: readonly DoubtfulCall[]
}

export const noSum: OurSum = {
  calls: 0,
  usd: zeroUsd,
  uncosted: 0,
  units: null,
  doubtful: { calls: 0, usd: zeroUsd },
  unanswered: 0,
  cards: new Map(),
  named: [],
}

/** Sums of a day as a sum of a model. */
export const ofDay = ({ calls, vendorCost, uncosted }: BilledDay): OurSum => ({
  ...noSum,
  calls,
  usd: vendorCost,
  uncosted,
})

/** Records that are alike as a sum of a model. */
export function ofRecords(sum: RecordedSum): OurSum {
  const { calls, status, estimated, known, card, units, vendorCost, uncosted } = sum
  if (!known) return { ...noSum, units: {}, unanswered: calls }
  const isDoubtful = status !== 'success' || estimated
  return {
    ...noSum,
    calls,
    usd: vendorCost,
    uncosted,
    units,
    doubtful: isDoubtful ? { calls, usd: vendorCost } : noSum.doubtful,
    cards: card === null ? noSum.cards : new Map([[card, calls]]),
  }
}

/** Both together; units of one are unknown where those of a part are. */
export function addOurs(a: OurSum, b: OurSum): OurSum {
  const cards = new Map(a.cards)
  for (const [card, calls] of b.cards) cards.set(card, calls + (cards.get(card) ?? 0))
  return {
    calls: a.calls + b.calls,
    usd: plus(a.usd, b.usd),
    uncosted: a.uncosted + b.uncosted,
    units: addedUnits(a, b),
    doubtful: {
      calls: a.doubtful.calls + b.doubtful.calls,
      usd: plus(a.doubtful.usd, b.doubtful.usd),
    },
    unanswered: a.unanswered + b.unanswered,
    cards,
    named: [...a.named, ...b.named],
  }
}

function addedUnits(a: OurSum, b: OurSum): BillUnits | null {
  if (a === noSum || b === noSum) return a.units ?? b.units
  if (a.units === null || b.units === null) return null
  const units: Partial<Record<BillUnit, number>> = { ...a.units }
  addUnits(units, b.units)
  return units
}

/** The card that most calls are priced by. */
export function usualCard({ cards }: OurSum): number | null {
  let usual: number | null = null
  for (const [card, calls] of cards) if (calls > (cards.get(usual ?? -1) ?? -1)) usual = card
  return usual
}

/** Dollars as a share of others, in percent; null where there are none. */
export const percentBetween = (part: NanoUsd, whole: NanoUsd): number | null =>
  whole === 0 ? (part === 0 ? 0 : null) : (part / Math.abs(whole)) * 100
