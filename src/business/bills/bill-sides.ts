import { allModels, togetherOf, type Bill, type BilledSum } from './bill'
import { compare, countsDiffer } from './compare'
import type { BillDay } from './days'
import { openModelNames, type ModelNames } from './model-names'
import { addOurs, noSum, ofDay, ofRecords, type OurSum } from './our-sums'
import type { BilledDay } from './contract'
import type { Ms } from '../../domain/clock'
import type { Storage } from '../data/storage'
import { AdminError } from '../operations/admin-error'
import { pricedCatalogue } from '../pricing/priced-catalogue'
import { catalogueOf, vendorsOf, type ServiceParts } from '../data/service-parts'

export interface BillCheckParts extends ServiceParts {
  readonly storage: Pick<Storage, 'catalogue' | 'prices' | 'settings' | 'bills'>
}

export interface BillCheckOptions {
  /** Vendors that one bill is of: several, where they are keys of one organization. */
  readonly vendors: readonly string[]
  /** `YYYY-MM` */
  readonly month: string
  /** Percent. */
  readonly tolerance: number
  readonly now: Ms
}

/** Our side by day and key of the model. */
export type OurDays = ReadonlyMap<string, ReadonlyMap<string, OurSum>>

/** A bill by day and key of the model. */
export type BilledDays = ReadonlyMap<string, ReadonlyMap<string, BilledSum>>

/** Names of models on both sides, and what is known of ours. */
export interface KnownModels {
  readonly names: ModelNames
  /** Keys of models that are or were routed to these vendors. */
  readonly routed: ReadonlySet<string>
  /** Our ids of models that these vendors may have been asked for. */
  readonly ids: readonly string[]
  /** The key of a model by our id; null where its routes have several. */
  keyOfId(id: string): string | null
}

/**
 * Refuses a name that no vendor has, nor had: of one that was removed since there are records.
 * @throws AdminError vendor_not_found
 */
export async function checkBilledVendors(
  parts: BillCheckParts,
  vendors: readonly string[],
  sums: readonly BilledDay[],
): Promise<void> {
  const known = new Set([
    ...(await vendorsOf(parts)).map(({ name }) => name),
    ...sums.map(({ vendor }) => vendor),
  ])
  const unknown = vendors.find((name) => !known.has(name))
  if (unknown !== undefined) throw new AdminError('vendor_not_found', { vendor: unknown })
}

export async function knownNames(
  parts: BillCheckParts,
  bill: Bill,
  vendors: readonly string[],
  sums: readonly BilledDay[],
): Promise<KnownModels> {
  const routes = new Map<string, readonly string[]>()
  for (const { id, routes: all } of (await pricedCatalogue(await catalogueOf(parts))).entries) {
    const own = all.flatMap(({ vendor, vendorModel }) =>
      vendors.includes(vendor) ? [vendorModel] : [],
    )
    if (own.length > 0) routes.set(id, own)
  }
  const used = new Set(sums.map(({ model }) => model))
  const namesOf = (id: string): readonly string[] =>
    routes.get(id) ?? [id.replace(/^[^/]+\//, ''), id]
  const billed = [...bill.sums.values()].flatMap((models) => [...models.keys()])
  const names = openModelNames(
    [...used].flatMap((id) => namesOf(id)),
    billed,
  )
  const routed = [...routes.values()].flat()
  const usedKeys = [...used].flatMap((id) => namesOf(id))
  return {
    names,
    routed: new Set([...routed, ...usedKeys].map((name) => names.keyOf(name))),
    ids: [...new Set([...routes.keys(), ...used])],
    keyOfId(id) {
      const own = routes.get(id)
      if (own === undefined) {
        const [bare = id] = namesOf(id)
        return names.keyOf(billed.includes(id) ? id : bare)
      }
      const keys = new Set(own.map((name) => names.keyOf(name)))
      const [key] = keys
      return keys.size === 1 && key !== undefined ? key : null
    },
  }
}

/** The bill by day and key of the model; days that are not compared are left out. */
export function billedDays(
  { sums }: Bill,
  days: readonly BillDay[],
  names: ModelNames,
): BilledDays {
  return new Map(
    days.flatMap(({ day }) => {
      const models = sums.get(day)
      if (models === undefined) return []
      const byKey = Map.groupBy(models, ([model]) =>
        model === allModels ? allModels : names.keyOf(model),
      )
      return [
        [
          day,
          new Map(Array.from(byKey, ([key, all]) => [key, togetherOf(all.map(([, sum]) => sum))])),
        ],
      ]
    }),
  )
}

interface OurDaysParts {
  readonly bill: Bill
  readonly days: readonly BillDay[]
  readonly billed: BilledDays
  readonly sums: readonly BilledDay[]
  readonly known: KnownModels
  readonly options: BillCheckOptions
}

/** Our side: sums of days, and records of those that differ by them. */
export async function ourDays(parts: BillCheckParts, all: OurDaysParts): Promise<OurDays> {
  const { bill, days, billed, sums, known, options } = all
  const { vendors, tolerance } = options
  const ours = new Map(days.map(({ day }) => [day, new Map<string, OurSum>()]))
  // Sums of days know our ids and UTC days only.
  let bySums = bill.zone === 'UTC'
  for (const sum of sums) {
    const key = known.keyOfId(sum.model)
    if (key === null) bySums = false
    else addTo(ours.get(sum.day), key, ofDay(sum))
  }
  const toRead = days.filter(
    ({ day }) => !bySums || !agrees(ours.get(day), billed.get(day), bill, tolerance),
  )
  for (const { day, from, to } of toRead) {
    const calls = await parts.storage.bills.calls({ vendors, models: known.ids, from, to })
    const models = new Map<string, OurSum>()
    ours.set(day, models)
    const keyOf = (id: string, vendorModel: string | null): string =>
      vendorModel === null ? (known.keyOfId(id) ?? id) : known.names.keyOf(vendorModel)
    for (const sum of calls.sums) addTo(models, keyOf(sum.model, sum.vendorModel), ofRecords(sum))
    for (const call of calls.doubtful)
      addTo(models, keyOf(call.model, call.vendorModel), { ...noSum, units: {}, named: [call] })
  }
  return ours
}

function addTo(models: Map<string, OurSum> | undefined, key: string, sum: OurSum): void {
  models?.set(key, addOurs(models.get(key) ?? noSum, sum))
}

/** Whether a day need not be looked at closer. */
function agrees(
  ours: ReadonlyMap<string, OurSum> | undefined,
  billed: ReadonlyMap<string, BilledSum> | undefined,
  { dollars }: Bill,
  tolerance: number,
): boolean {
  // Nothing that records could tell.
  if (billed === undefined) return true
  if (dollars !== 'by_model') return false
  for (const key of new Set([...(ours?.keys() ?? []), ...billed.keys()])) {
    const [mine, theirs] = [ours?.get(key), billed.get(key)]
    if (mine === undefined || theirs === undefined) return false
    if (compare(mine, theirs, tolerance).beyond || countsDiffer(mine, theirs, tolerance))
      return false
  }
  return true
}
