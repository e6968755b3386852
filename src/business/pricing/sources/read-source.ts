import type { ModelFamily } from '../../../domain/model'
import { litellmPrices, litellmRows } from './litellm'
import { modelsDevModels, modelsDevPrices } from './models-dev'
import { portkeyPrices, portkeyRow, voiceFamilies } from './portkey'
import { rowOf, type Row } from './rows'
import type { ReportedPrice } from './told-price'
import { vendorNames, type VendorNames } from './vendor-names'

/** Forms in which public price data come. */
export const sourceFormats = ['litellm', 'models.dev', 'portkey'] as const
export type SourceFormat = (typeof sourceFormats)[number]

/** A vendor's model whose cost is looked for. */
export interface SoughtCost {
  /** Dialect of the vendor. */
  readonly dialect: string
  readonly vendorModel: string
  readonly family: ModelFamily
}

/** Key of a sought cost in maps. */
export const soughtKey = ({ dialect, vendorModel }: Omit<SoughtCost, 'family'>): string =>
  `${dialect} ${vendorModel}`

/** Prices of each model that a source lists, by `soughtKey`; an empty list where it tells no price. */
export type ReportedCosts = ReadonlyMap<string, readonly ReportedPrice[]>

const shapes: Readonly<Record<SourceFormat, (row: Row) => boolean>> = {
  litellm: (row) => typeof row['litellm_provider'] === 'string',
  'models.dev': (row) => typeof row['models'] === 'object' && row['models'] !== null,
  portkey: (row) => typeof row['pricing_config'] === 'object',
}

/** The form of a document by what most of its members look like; null for any other. */
export function formatOf(document: Row): SourceFormat | null {
  const rows = Object.values(document).map(rowOf)
  const half = rows.length / 2
  return (
    sourceFormats.find((format) => rows.filter(shapes[format]).length > half && half > 0) ?? null
  )
}

/** Names of the vendors that public data know, by dialect. */
const namesOf: ReadonlyMap<string, VendorNames> = new Map(
  vendorNames.map((names) => [names.name, names]),
)

/** Names of Portkey's files, by vendor. */
export const portkeyFiles = (dialects: ReadonlySet<string>): readonly string[] =>
  [...namesOf.values()].flatMap(({ name, portkey }) =>
    portkey !== undefined && dialects.has(name) ? portkey : [],
  )

/** Reads the prices of a public source. @param document of the third format, files by their names */
export function readSource(
  format: SourceFormat,
  document: Row,
  sought: readonly SoughtCost[],
): ReportedCosts {
  const find = finders[format](document)
  const told = new Map<string, readonly ReportedPrice[]>()
  for (const cost of sought) {
    const names = namesOf.get(cost.dialect)
    const prices = names === undefined ? null : find(names, cost)
    if (prices !== null) told.set(soughtKey(cost), prices)
  }
  return told
}

/** @returns null for a model that is not listed */
type Find = (names: VendorNames, sought: SoughtCost) => readonly ReportedPrice[] | null

const finders: Readonly<Record<SourceFormat, (document: Row) => Find>> = {
  litellm(document) {
    const rows = litellmRows(document)
    return ({ litellm }, { vendorModel, family }) => {
      for (const vendor of litellm) {
        const row = rows.get(vendor)?.get(vendorModel)
        if (row !== undefined) return litellmPrices(row, family)
      }
      return null
    }
  },
  'models.dev':
    (document) =>
    ({ modelsDev }, { vendorModel, family }) => {
      const models = modelsDevModels(document, modelsDev)
      return Object.hasOwn(models, vendorModel)
        ? modelsDevPrices(rowOf(models[vendorModel]), family)
        : null
    },
  portkey(document) {
    const voices = new Map<string, ReadonlyMap<string, Row>>()
    return ({ name, portkey }, { vendorModel, family }) => {
      if (portkey === undefined) return null
      const file = rowOf(document[portkey])
      let families = voices.get(name)
      if (families === undefined) voices.set(name, (families = voiceFamilies(name, file)))
      const row = families.get(vendorModel) ?? portkeyRow(file, vendorModel)
      return Object.hasOwn(row, 'pricing_config') ? portkeyPrices(row, family) : null
    }
  },
}
