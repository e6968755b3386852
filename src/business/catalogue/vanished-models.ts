import type { ModelEntry } from '../../domain/model'
import { causeOf } from '../pricing/causes'
import { costKey } from '../../gateway/catalogue/cards'
import type { PriceCheckRecord } from '../pricing/check-record'
import { soughtKey } from '../pricing/sources/read-source'
import { sameSources, type SoughtPlace, type SourceReading } from '../pricing/price-readings'

/** Models that public data list no more, and those that they list. */
export interface ListedModels {
  /** Why it is proposed to discontinue them, by model. */
  readonly vanished: ReadonlyMap<string, string>
  readonly listed: ReadonlySet<string>
  /** How many vanished at once, where that is too many to be believed. */
  readonly unbelieved: number
}

/** So many may end between two checks, and of many models a tenth. */
const believedEnds = 10
const believedShare = 0.1

/**
 * A model vanished when each of its routes was listed before by the same sources, all of them were
 * read, and none lists one. What no source ever listed is an operator's own.
 */
export function endsOf(
  entries: readonly ModelEntry[],
  places: ReadonlyMap<string, SoughtPlace>,
  readings: readonly SourceReading[],
  last: PriceCheckRecord | null,
): ListedModels {
  const now = new Set(readings.flatMap(({ told }) => [...told.keys()]))
  const before = new Set(last?.seen)
  const keysOf = ({ routes }: ModelEntry) =>
    routes.map((route) => {
      const place = places.get(costKey(route))
      return place === undefined ? '' : soughtKey(place)
    })
  const sold = entries.filter(({ status }) => status !== 'discontinued')
  const listed = new Set(
    sold.filter((entry) => keysOf(entry).some((key) => now.has(key))).map(({ id }) => id),
  )
  const complete =
    last !== null &&
    readings.every(({ problem }) => problem === null) &&
    sameSources(last, readings)
  const gone = complete
    ? sold.filter((entry) => {
        const keys = keysOf(entry)
        return keys.length > 0 && keys.every((key) => before.has(key) && !now.has(key))
      })
    : []
  if (gone.length > Math.max(believedEnds, sold.length * believedShare))
    return { vanished: new Map(), listed, unbelieved: gone.length }
  const names = readings.map(({ source }) => source).join(', ')
  const cause = causeOf('not_listed', { sources: names })
  return { vanished: new Map(gone.map(({ id }) => [id, cause])), listed, unbelieved: 0 }
}
