import type { ModelEntry, PriceLine, VendorConfig } from '../../domain/model'
import type { KnownCost } from './cards'
import type { AssembleParts } from './assemble'
import { seedModels, seedVersion } from './seed'

/** Name of public prices as a source of costs. */
export const seedSource = seedVersion.replace('-', ' ')

const nothing: readonly PriceLine[] = (['input', 'output'] as const).map((meter) => ({
  meter,
  unit: 'million',
  price: '0',
}))

/** Known vendor costs, from the program's seed or plain: servers of this machine bill nothing. */
export const knownCosts = ({
  vendors,
  local,
}: Pick<AssembleParts, 'vendors' | 'local'>): readonly KnownCost[] => [
  ...vendors.flatMap(({ name, dialect }) =>
    seedModels(dialect).map(({ vendorModel, lines }) => ({
      vendor: name,
      vendorModel,
      source: seedSource,
      lines,
    })),
  ),
  ...local.map(({ vendor, id }) => ({
    vendor,
    vendorModel: id,
    source: 'local',
    lines: nothing,
  })),
]

/**
 * The vendor by whose margin earlier releases sold a model with public prices: the first that is on.
 */
export function pricedBy(
  vendors: readonly VendorConfig[],
): (model: ModelEntry['id']) => string | null {
  const first = new Map<string, string>()
  for (const { name, dialect } of vendors.toSorted((a, b) => Number(b.active) - Number(a.active)))
    for (const { id } of seedModels(dialect)) if (!first.has(id)) first.set(id, name)
  return (model) => first.get(model) ?? null
}
