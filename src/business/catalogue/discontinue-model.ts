import type { Route } from '../../domain/model'
import type { PriceChanges } from '../pricing/contract'
import { modelNamed } from '../pricing/model-prices'
import type { ServiceParts } from '../data/service-parts'

/**
 * Takes a model from sale for good: clients are told that it was sold before.
 * @throws AdminError model_not_found
 */
export async function discontinueModel(parts: ServiceParts, id: string): Promise<void> {
  await parts.storage.catalogue.saveModel(await discontinuedModel(parts, id), [])
}

/** Saved form of a model that is taken from sale. @throws AdminError model_not_found */
export async function discontinuedModel(
  parts: ServiceParts,
  id: string,
): Promise<NonNullable<PriceChanges['saved']>[number]> {
  const { card: _, created: __, aliases: ___, ...entry } = await modelNamed(parts, id)
  const routes = await ownRoutes(parts, id)
  return { ...entry, routes, status: 'discontinued' }
}

/** Those the operator gave; a model without any keeps those of the public catalogue. */
export const ownRoutes = async ({ storage }: ServiceParts, id: string): Promise<readonly Route[]> =>
  (await storage.catalogue.models()).find((entry) => entry.id === id)?.routes ?? []
