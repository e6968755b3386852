import type { Route } from '../domain/model'
import { modelNamed } from './model-prices'
import type { ServiceParts } from './service-parts'

/**
 * Takes a model from sale for good: clients are told that it was sold before.
 * @throws AdminError model_not_found
 */
export function discontinueModel(parts: ServiceParts, id: string): void {
  const { card: _, created: __, aliases: ___, ...entry } = modelNamed(parts, id)
  const routes = ownRoutes(parts, id)
  parts.storage.catalogue.saveModel({ ...entry, routes, status: 'discontinued' }, [])
}

/** Those the operator gave; a model without any keeps those of the public catalogue. */
export const ownRoutes = ({ storage }: ServiceParts, id: string): readonly Route[] =>
  storage.catalogue.models().find((entry) => entry.id === id)?.routes ?? []
