import { cachedTokens, inputTokens, outputTokens } from '../../domain/usage'
import type { Refund } from '../../domain/video-job'
import type { Batch } from '../store'

/** Columns of a day's row that say whose it is. */
export type DayPlace = readonly [project: number, day: number, key: number, model: string]

/** Columns that are added up. */
export type DayColumns = [
  requests: number,
  errors: number,
  input: number,
  output: number,
  cached: number,
  cost: number,
]

interface Day {
  readonly place: DayPlace
  readonly columns: DayColumns
}

/** Days that reports are made of: what of some calls is not yet in the database. */
export class DaySums {
  #all: Day[] = []
  /** By key, which is of one project, and model. There is one day, around midnight two. */
  readonly #found = new Map<number, Map<string, Day[]>>()

  get size(): number {
    return this.#all.length
  }

  /** The sums of a day, zero where it is new. */
  #of({ project, key }: Pick<Refund, 'project' | 'key'>, model: string, day: number): DayColumns {
    let models = this.#found.get(key)
    if (models === undefined) this.#found.set(key, (models = new Map<string, Day[]>()))
    const days = models.get(model)
    for (const { place, columns } of days ?? []) {
      const [, itsDay] = place
      if (itsDay === day) return columns
    }
    const one: Day = { place: [project, day, key, model], columns: [0, 0, 0, 0, 0, 0] }
    this.#all.push(one)
    if (days === undefined) models.set(model, [one])
    else days.push(one)
    return one.columns
  }

  /** @param day in which it began */
  add({ opening, ending }: Batch['ended'][number], day: number): void {
    const sums = this.#of(opening, opening.model, day)
    sums[0]++
    if (ending.status === 'error') sums[1]++
    sums[2] += wholeCount(inputTokens(ending.usage))
    sums[3] += wholeCount(outputTokens(ending.usage))
    sums[4] += wholeCount(cachedTokens(ending.usage))
    sums[5] += ending.cost
  }

  /**
   * @param day in which its call began
   * @param errors 1 where the call counts as an error from now on, else 0
   */
  giveBack(refund: Refund, model: string, day: number, errors: number): void {
    const sums = this.#of(refund, model, day)
    sums[1] += errors
    sums[5] -= refund.amount
  }

  write(row: (place: DayPlace, columns: DayColumns) => void): void {
    for (const { place, columns } of this.#all) row(place, columns)
  }

  clear(): void {
    this.#all = []
    this.#found.clear()
  }
}

/** A count that is no number must not keep a whole group of charges from being written. */
export const wholeCount = (count: number): number =>
  Number.isFinite(count) ? Math.round(count) : 0
