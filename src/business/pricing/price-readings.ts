import { familyOf, type ModelEntry, type PriceLine } from '../../domain/model'
import { costKey, typedSource, type CostPlace } from '../../gateway/catalogue/cards'
import type { PriceCheckRecord } from './check-record'
import type { CostVerdict } from './cost-vote'
import type { SoughtCost, ReportedCosts } from './sources/read-source'
import { unpricedEntries } from './priced-catalogue'
import { catalogueOf, vendorsOf, type ServiceParts } from '../data/service-parts'

/** Reading of one source of public prices. */
export interface SourceReading {
  /** As operators know it: its form, with its place behind it where two are of one. */
  readonly source: string
  readonly address: string
  readonly told: ReportedCosts
  /** Why nothing of it counts; null where it was read. */
  readonly problem: string | null
}

/** A vendor's model whose cost public data may know. */
export interface SoughtPlace extends SoughtCost, CostPlace {
  /** The first model that it is a route of. */
  readonly model: string
}

/** What is sought, by `costKey`; a free model costs nothing, whatever is told. */
export async function soughtPlaces(parts: ServiceParts): Promise<ReadonlyMap<string, SoughtPlace>> {
  return placesOf(parts, await unpricedEntries(await catalogueOf(parts)))
}

/** Same, of models at hand. */
export async function placesOf(
  parts: ServiceParts,
  entries: readonly ModelEntry[],
): Promise<ReadonlyMap<string, SoughtPlace>> {
  const dialects = new Map((await vendorsOf(parts)).map(({ name, dialect }) => [name, dialect]))
  const places = new Map<string, SoughtPlace>()
  for (const entry of entries) {
    if (entry.status === 'discontinued' || entry.isFree) continue
    for (const { vendor, vendorModel } of entry.routes) {
      const dialect = dialects.get(vendor)
      const place = { vendor, vendorModel, model: entry.id, family: familyOf(entry) }
      const key = costKey(place)
      if (dialect !== undefined && !places.has(key)) places.set(key, { ...place, dialect })
    }
  }
  return places
}

/** Whether a check before read the same sources: else nothing is missed that one of them had listed. */
export const sameSources = (
  { sources }: PriceCheckRecord,
  readings: readonly SourceReading[],
): boolean => {
  const addresses = readings.map(({ address }) => address).toSorted()
  return (
    addresses.join(' ') ===
    sources
      .map(({ address }) => address)
      .toSorted()
      .join(' ')
  )
}

/** Sources' votes on one recorded cost. */
export interface JudgedCost {
  readonly place: SoughtPlace
  readonly verdict: CostVerdict
  /** The cost as it was looked at; null where nobody knew one. */
  readonly held: {
    readonly id: number
    readonly source: string
    readonly lines: readonly PriceLine[]
  } | null
  /** Whether a source tells a price of it. */
  readonly isTold: boolean
}

/** Whether an operator typed a cost: no policy replaces it. */
export const isTyped = ({ held }: JudgedCost): boolean =>
  held !== null && held.source.startsWith(typedSource)
