import type { PriceLine } from '../../domain/model'
import { countedMeter, isTokenMeter, variantMeters, type Meter } from '../../domain/usage'
import { Exact, unitsIn } from '../../gateway/metering/price-card'
import { lineKey } from '../../gateway/catalogue/cards'
import { eachOf } from './price-table'
import type { ReportedPrice } from './sources/told-price'

/** Prices of one source for one vendor's model. */
export interface PriceSource {
  readonly source: string
  readonly prices: readonly ReportedPrice[]
}

/** A price of a cost card that sources tell otherwise, or anew. */
export interface MovedCost {
  readonly meter: Meter
  /** Input tokens above which it holds; null for calls of any size. */
  readonly inputAbove: number | null
  /** Sources that tell the new price. */
  readonly agree: readonly string[]
  /** Sources that tell another price. */
  readonly differ: readonly string[]
}

/** Why a price that a source tells is not believed. */
type DoubtReason = 'no price' | 'zero' | 'too high' | 'too far from what it was'

/** A price that is not believed: what its source tells of this model changes nothing. */
export interface RejectedQuote {
  readonly source: string
  readonly meter: Meter
  /** Null where it is no price at all. */
  readonly told: string | null
  readonly reason: DoubtReason
}

/** Verdict of all sources on the cost of one vendor's model. */
export interface CostVerdict {
  /** The whole card as it would be; null where nothing moves. */
  readonly lines: readonly PriceLine[] | null
  readonly moved: readonly MovedCost[]
  readonly doubts: readonly RejectedQuote[]
}

/** Dollars for a million tokens or characters, or for one of anything else, above which nobody sells. */
const maxDollars = 1000
const unitOf = (meter: Meter): number =>
  isTokenMeter(countedMeter(meter)) || meter === 'character' ? 1_000_000 : 1
/** A price that is so many times another one is of another unit: cents for dollars, thousands for millions. */
const maxFactor = 50

/**
 * Price that most sources tell, meter by meter; of as many, what the first of them tells. What no source
 * tells stays as it is. A price that the card does not have is added when two sources tell the same,
 * or when the first to know the model does; never the price of a size.
 * @param held nothing where no cost is known yet
 * @param voices in the order of preference
 */
export function costVote(held: readonly PriceLine[], voices: readonly PriceSource[]): CostVerdict {
  const heldBy = new Map(held.map((line) => [lineKey(line), line]))
  const doubts: RejectedQuote[] = []
  const believed = voices.flatMap(({ source, prices }) => {
    const found = doubtsOf(source, prices, heldBy)
    doubts.push(...found)
    const lines = found.length > 0 ? [] : prices.flatMap(believable)
    return lines.length === 0 ? [] : { source, lines: new Map(lines.map((l) => [lineKey(l), l])) }
  })
  const moved: MovedCost[] = []
  const lines = new Map(heldBy)
  for (const key of new Set(believed.flatMap((voice) => [...voice.lines.keys()]))) {
    const before = heldBy.get(key)
    const winner = mostReported(believed, key, before)
    if (winner === null || (before !== undefined && isSame(before, winner.line))) continue
    if (before === undefined && !mayBeAdded(winner, believed[0]?.source, heldBy.size === 0))
      continue
    const { agree, differ } = winner
    const { meter, when } = winner.line
    lines.set(key, winner.line)
    moved.push({ meter, inputAbove: when?.inputAbove ?? null, agree, differ })
  }
  return { lines: moved.length === 0 ? null : [...lines.values()], moved, doubts }
}

interface BelievedVoice {
  readonly source: string
  readonly lines: ReadonlyMap<string, PriceLine>
}

interface Told {
  readonly line: PriceLine
  readonly agree: readonly string[]
  readonly differ: readonly string[]
}

function mostReported(
  voices: readonly BelievedVoice[],
  key: string,
  held: PriceLine | undefined,
): Told | null {
  const told = voices.flatMap(({ source, lines }) => {
    const line = lines.get(key) ?? confirming(lines, key, held)
    return line === undefined ? [] : { source, line }
  })
  let most: Told | null = null
  for (const { line } of told) {
    const agree = told.filter((each) => isSame(each.line, line)).map(({ source }) => source)
    if (most !== null && most.agree.length >= agree.length) continue
    const differ = told.map(({ source }) => source).filter((source) => !agree.includes(source))
    most = { line, agree, differ }
  }
  return most
}

/** One price for all sizes says nothing of a size, unless it is the one that the card has for it. */
function confirming(
  lines: BelievedVoice['lines'],
  key: string,
  held: PriceLine | undefined,
): PriceLine | undefined {
  const meter = variantMeters.find((each) => key.startsWith(`${each}:`))
  const plain = meter === undefined ? undefined : lines.get(lineKey({ meter }))
  return plain !== undefined && held !== undefined && isSame(plain, held) ? held : undefined
}

const isSame = (a: PriceLine, b: PriceLine): boolean =>
  (a.price === b.price && a.unit === b.unit) || eachOf(a).equals(eachOf(b))

const mayBeAdded = ({ line, agree }: Told, first: string | undefined, isNew: boolean): boolean =>
  (isNew || isTokenMeter(countedMeter(line.meter))) && (agree.length > 1 || agree[0] === first)

const believable = ({ price, ...line }: ReportedPrice): readonly PriceLine[] =>
  price === null || new Exact(price).isZero() ? [] : [{ ...line, price }]

/** Doubts about a source's prices; a zero is a gap, unless a model lives by that price. */
function doubtsOf(
  source: string,
  prices: readonly ReportedPrice[],
  heldBy: ReadonlyMap<string, PriceLine>,
): readonly RejectedQuote[] {
  return prices.flatMap((told): readonly RejectedQuote[] => {
    const reason = doubtIn(told, heldBy.get(lineKey(told)))
    return reason === null ? [] : [{ source, meter: told.meter, told: told.price, reason }]
  })
}

function doubtIn(
  { meter, unit, price }: ReportedPrice,
  held: PriceLine | undefined,
): DoubtReason | null {
  if (price === null) return 'no price'
  // Nearly all; numbers of thousands of models are felt.
  if (price === held?.price && unit === held.unit) return null
  const each = new Exact(price).div(unitsIn[unit])
  const before = held === undefined ? null : eachOf(held)
  if (each.isZero())
    return before !== null && !before.isZero() && mainMeters.has(meter) ? 'zero' : null
  if (each.times(unitOf(meter)).greaterThan(maxDollars)) return 'too high'
  if (before === null || before.isZero()) return null
  const factor = each.div(before)
  return factor.greaterThan(maxFactor) || factor.lessThan(new Exact(1).div(maxFactor))
    ? 'too far from what it was'
    : null
}

const mainMeters: ReadonlySet<Meter> = new Set<Meter>([
  'input',
  'output',
  'image',
  'audio_second',
  'character',
  'video_second',
  'output_audio',
  'request',
])
