import { openCatalogue } from '../../gateway/catalogue/open-catalogue'
import type { ModelEntry, VendorConfig } from '../../domain/model'
import { pricedCatalogue, type CatalogueParts } from '../pricing/priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'
import { vendorNamed } from './vendors'

/** A route to a vendor, with the model that it serves. */
export interface VendorRoute {
  readonly model: string
  readonly vendorModel: string
  /** Lower is tried first. */
  readonly priority: number
  /** Share among routes of the same priority. */
  readonly weight: number
  readonly isOnSale: boolean
  /** Without this vendor the model is not on sale. */
  readonly isOnly: boolean
}

/**
 * Routes to a vendor, by model.
 * @throws AdminError vendor_not_found
 */
export async function vendorRoutes(
  parts: ServiceParts,
  name: string,
): Promise<readonly VendorRoute[]> {
  const vendor = await vendorNamed(parts, name)
  const catalogue = await catalogueOf(parts)
  const { entries } = await pricedCatalogue(catalogue)
  const sold = soldIds(entries)
  const soldWithout = soldIds((await pricedCatalogue(without(catalogue, vendor))).entries)
  return entries
    .filter(({ aliasOf }) => aliasOf === undefined)
    .flatMap(({ id, routes }) =>
      routes
        .filter((route) => route.vendor === name)
        .map(({ vendorModel, priority, weight }) => {
          const isOnSale = sold.has(id)
          const isOnly = isOnSale && !soldWithout.has(id)
          return { model: id, vendorModel, priority, weight, isOnSale, isOnly }
        }),
    )
    .toSorted((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : 0))
}

const without = (catalogue: CatalogueParts, { name }: VendorConfig): CatalogueParts => ({
  ...catalogue,
  vendors: catalogue.vendors.map((each) =>
    each.name === name ? { ...each, active: false } : each,
  ),
})

function soldIds(entries: readonly ModelEntry[]): ReadonlySet<string> {
  const catalogue = openCatalogue()
  catalogue.load(entries)
  return new Set(catalogue.onSale().map(({ model }) => model.id))
}
