import type { Decimal } from 'decimal.js'
import { Exact } from '../../gateway/metering/price-card'
import { BillFault } from './fault'

/**
 * Units that a bill counts. Coarser than our meters: vendors do not tell text, sound and pictures apart
 * everywhere. `all_input` is input whose cached part is not told, `unit` what nobody named.
 */
const billUnits = [
  'input',
  'cached_input',
  'cache_write',
  'all_input',
  'output',
  'image',
  'video_second',
  'audio_second',
  'character',
  'tool',
  'unit',
] as const
export type BillUnit = (typeof billUnits)[number]
export type BillUnits = Readonly<Partial<Record<BillUnit, number>>>

/** The model of a line that is of all models together. */
export const allModels = ''

/** One line of a vendor's bill; what the vendor does not tell is absent. */
export interface BillLine {
  /** `YYYY-MM-DD` in the zone of the bill. */
  readonly day: string
  /** The vendor's name; null for a charge of no model. */
  readonly model: string | null
  /** Of a charge of no model: what it is for. */
  readonly charge?: string
  readonly calls?: number
  readonly units?: BillUnits
  readonly usd?: Decimal
  /** The unit that the dollars are for, where each has a line of its own. */
  readonly usdFor?: BillUnit | undefined
  /** Half of what the dollars were rounded to. */
  readonly rounding?: Decimal | undefined
}

/** Billed sum of a model on a day. */
export interface BilledSum {
  /** Null where the bill does not count them. */
  calls: number | null
  readonly units: Partial<Record<BillUnit, number>>
  usd: Decimal | null
  readonly usdFor: Partial<Record<BillUnit, Decimal>>
  /** How far rounding may have moved the dollars. */
  rounding: Decimal
}

/** A vendor's bill for a month. */
export interface Bill {
  /** Sources, in words. */
  readonly sources: readonly string[]
  /** Time zone of its days. */
  readonly zone: string
  /** By day, then by the vendor's name of the model. */
  readonly sums: ReadonlyMap<string, ReadonlyMap<string, BilledSum>>
  /** Dollars of no model, by day, then by what they are for. */
  readonly charges: ReadonlyMap<string, ReadonlyMap<string, Decimal>>
  /** First and last day with a line. */
  readonly first: string
  readonly last: string
  /** Whether dollars are told for each model, for all together, or not at all. */
  readonly dollars: 'by_model' | 'together' | 'none'
  /** The first day that the source tells of; null where it tells the whole month. */
  readonly since: string | null
  /** Sentences on what was left out. */
  readonly notes: readonly string[]
}

/** Days × models of one bill: a vendor's month has some thousands. */
const maxSums = 100_000

const zero = new Exact(0)

export const emptySum = (): BilledSum => ({
  calls: null,
  units: {},
  usd: null,
  usdFor: {},
  rounding: zero,
})

/** More than money can hold in nano-dollars. */
const maxUsd = 9e6

/** Adds up the lines of a month, whatever sources they come from. */
export class BillCollector {
  readonly #sums = new Map<string, Map<string, BilledSum>>()
  readonly #charges = new Map<string, Map<string, Decimal>>()
  readonly #sources: string[] = []
  readonly #notes: string[] = []
  #size = 0
  #lines = 0
  #zone: string | null = null
  #since: string | null = null
  #first = ''
  #last = ''
  #otherFirst = ''
  #otherLast = ''
  #others = 0

  /** @param month `YYYY-MM`; lines of other months are counted and left out */
  constructor(readonly month: string) {}

  /**
   * Announces where the next lines come from.
   * @throws BillFault mixed_zones
   */
  begin(source: string, zone: string): void {
    if (this.#zone !== null && this.#zone !== zone)
      throw new BillFault(
        'mixed_zones',
        `${source} has days of ${zone}, what was read before it days of ${this.#zone}: they do not add up`,
      )
    this.#zone = zone
    this.#sources.push(source)
  }

  /** Says that the source tells nothing of earlier days. */
  coverFrom(day: string): void {
    this.#since = day
  }

  note(sentence: string): void {
    this.#notes.push(sentence)
  }

  /** @returns whether the line is of the month @throws BillFault too_large */
  add(line: BillLine): boolean {
    if (!line.day.startsWith(this.month)) {
      this.#others++
      if (this.#otherFirst === '' || line.day < this.#otherFirst) this.#otherFirst = line.day
      if (line.day > this.#otherLast) this.#otherLast = line.day
      return false
    }
    this.#lines++
    if (this.#first === '' || line.day < this.#first) this.#first = line.day
    if (line.day > this.#last) this.#last = line.day
    if (line.model === null) this.#addCharge(line)
    else addLine(this.#sumOf(line.day, line.model), line)
    return true
  }

  #sumOf(day: string, model: string): BilledSum {
    const models = this.#of(this.#sums, day)
    let sum = models.get(model)
    if (sum === undefined) {
      this.#grow()
      models.set(model, (sum = emptySum()))
    }
    return sum
  }

  #addCharge({ day, charge, usd }: BillLine): void {
    if (usd === undefined || usd.isZero()) return
    const charges = this.#of(this.#charges, day)
    const name = charge ?? ''
    const earlier = charges.get(name)
    if (earlier === undefined) this.#grow()
    charges.set(name, earlier === undefined ? usd : earlier.plus(usd))
  }

  /** @throws BillFault too_large */
  #checkTotal(): void {
    const sums = togetherOf([...this.#sums.values()].flatMap((models) => [...models.values()]))
    const charges = [...this.#charges.values()].flatMap((named) => [...named.values()])
    const total = charges.reduce((sum, usd) => sum.plus(usd.abs()), sums.usd ?? zero)
    if (total.abs().greaterThan(maxUsd))
      throw new BillFault(
        'too_large',
        `the bill comes to $${total.toFixed(2)}: is the amount column the right one?`,
      )
  }

  #of<Value>(days: Map<string, Map<string, Value>>, day: string): Map<string, Value> {
    let found = days.get(day)
    if (found === undefined) days.set(day, (found = new Map<string, Value>()))
    return found
  }

  #grow(): void {
    if (++this.#size > maxSums)
      throw new BillFault(
        'too_large',
        `the bill has more than ${maxSums} pairs of day and model: is the model column the right one?`,
      )
  }

  /** Beside dollars of models, those of none are a charge. */
  #chargeTogether(): void {
    for (const [day, models] of this.#sums) {
      const sum = models.get(allModels)
      if (sum === undefined || sum.usd === null) continue
      this.#addCharge({ day, model: null, charge: 'of no model', usd: sum.usd })
      sum.usd = null
    }
  }

  /** @throws BillFault no_lines | other_month */
  bill(): Bill {
    if (this.#lines === 0 && this.#others > 0)
      throw new BillFault(
        'other_month',
        `the bill has nothing of ${this.month}: it goes from ${this.#otherFirst} to ${this.#otherLast}`,
      )
    if (this.#lines === 0)
      throw new BillFault('no_lines', `the bill has no lines for ${this.month}`)
    const left =
      this.#others === 0 ? [] : [`${this.#others} lines of other months were left out of the bill`]
    this.#checkTotal()
    const named = [...this.#sums.values()].flatMap((models) =>
      [...models].flatMap(([model, sum]) => (model === allModels || sum.usd === null ? [] : sum)),
    )
    if (named.length > 0) this.#chargeTogether()
    const together = [...this.#sums.values()].some((models) => models.get(allModels)?.usd)
    return {
      sources: this.#sources,
      zone: this.#zone ?? 'UTC',
      sums: this.#sums,
      charges: this.#charges,
      first: this.#first,
      last: this.#last,
      since: this.#since,
      dollars: named.length > 0 ? 'by_model' : together ? 'together' : 'none',
      notes: [...this.#notes, ...left],
    }
  }
}

function addLine(sum: BilledSum, { calls, units, usd, usdFor, rounding }: BillLine): void {
  if (calls !== undefined) sum.calls = (sum.calls ?? 0) + calls
  if (units !== undefined) addUnits(sum.units, units)
  if (usd === undefined) return
  sum.usd = sum.usd === null ? usd : sum.usd.plus(usd)
  if (usdFor !== undefined) sum.usdFor[usdFor] = (sum.usdFor[usdFor] ?? zero).plus(usd)
  if (rounding !== undefined) sum.rounding = sum.rounding.plus(rounding)
}

/** Adds counts to others, in place. */
export function addUnits(into: Partial<Record<BillUnit, number>>, units: BillUnits): void {
  for (const [unit, count] of Object.entries(units) as [BillUnit, number][])
    if (count !== 0) into[unit] = (into[unit] ?? 0) + count
}

/** Several sums as one. */
export function togetherOf(sums: readonly BilledSum[]): BilledSum {
  const all = emptySum()
  for (const { calls, units, usd, usdFor, rounding } of sums) {
    if (calls !== null) all.calls = (all.calls ?? 0) + calls
    addUnits(all.units, units)
    if (usd !== null) all.usd = all.usd === null ? usd : all.usd.plus(usd)
    for (const [unit, amount] of Object.entries(usdFor) as [BillUnit, Decimal][])
      all.usdFor[unit] = (all.usdFor[unit] ?? zero).plus(amount)
    all.rounding = all.rounding.plus(rounding)
  }
  return all
}
