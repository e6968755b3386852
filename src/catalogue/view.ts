import { unixSeconds } from '../domain/clock'
import type { ModelType } from '../domain/model'
import { pricingUnit, pricingView } from '../metering/pricing-view'
import type { Catalogue, Offer } from './catalogue'

/** Models as the wire shows them, as JSON text made once per change of the catalogue. */
export interface ModelViews {
  /** @param type null for all */
  listJson(type: ModelType | null): string
  oneJson(offer: Offer): string
  /** The catalogue was loaded anew. */
  reload(): void
}

export function openModelViews(catalogue: Catalogue): ModelViews {
  let lists = new Map<ModelType | null, string>()
  return {
    listJson(type) {
      let json = lists.get(type)
      if (json === undefined) {
        const offers = catalogue
          .onSale()
          .filter(({ model }) => type === null || model.type === type)
        json = JSON.stringify({ object: 'list', data: offers.map(modelView) })
        lists.set(type, json)
      }
      return json
    },
    oneJson: (offer) => JSON.stringify(modelView(offer)),
    reload() {
      lists = new Map()
    },
  }
}

/** The specification's Model. */
export const modelView = ({ model, card }: Offer) => ({
  id: model.id,
  object: 'model',
  created: unixSeconds(model.created),
  owned_by: model.ownedBy,
  name: model.name,
  type: model.type,
  description: model.description,
  context_length: model.contextLength,
  max_output_tokens: model.maxOutputTokens,
  capabilities: model.capabilities,
  is_free: model.isFree,
  pricing: pricingView(card),
  pricing_unit: pricingUnit(model.type),
})
