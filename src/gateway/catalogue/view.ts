import { unixSeconds } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import type { ModelType } from '../../domain/model'
import { pricingUnit, pricingView } from '../metering/pricing-view'
import type { Catalogue, Offer, SoldModels } from './catalogue'

/** Models as the wire shows them, as JSON text made once per change of the catalogue. */
export interface ModelViews {
  /** @param type null for all */
  listJson(type: ModelType | null): string
  oneJson(offer: Offer): string
  /** JSON of a model for clients of the Messages format. */
  messagesJson(offer: Offer): string
  /** Drops every text; also happens by itself once the catalogue holds other offers. */
  reload(): void
}

/** Models as the wire shows them to accounts of each group. */
export interface GroupViews extends ModelViews {
  /** @param group null for accounts of none, and for nobody */
  of(group: GroupId | null): ModelViews
}

export function openGroupViews(catalogue: Catalogue): GroupViews {
  const everybody = openModelViews(catalogue)
  /** Gone with the prices that they show. */
  let ofGroups = new WeakMap<SoldModels, ModelViews>()
  return {
    ...everybody,
    of(group) {
      const sold = catalogue.of(group)
      if (sold === catalogue.of(null)) return everybody
      let views = ofGroups.get(sold)
      if (views === undefined) ofGroups.set(sold, (views = openModelViews(sold)))
      return views
    },
    reload() {
      everybody.reload()
      ofGroups = new WeakMap()
    },
  }
}

export function openModelViews(catalogue: SoldModels): ModelViews {
  let listed: readonly Offer[] | null = null
  let lists = new Map<ModelType | null, string>()
  let single = new WeakMap<Offer, string>()
  let ofMessages = new WeakMap<Offer, string>()

  const oneJson = (offer: Offer): string => {
    let json = single.get(offer)
    if (json === undefined) single.set(offer, (json = JSON.stringify(modelView(offer))))
    return json
  }
  return {
    listJson(type) {
      const now = catalogue.listed()
      if (now !== listed) {
        listed = now
        lists = new Map()
      }
      let json = lists.get(type)
      if (json === undefined) {
        const shown = now.filter(({ model }) => type === null || model.type === type)
        json = `{"object":"list","data":[${shown.map(oneJson).join(',')}]}`
        lists.set(type, json)
      }
      return json
    },
    oneJson,
    messagesJson(offer) {
      let json = ofMessages.get(offer)
      if (json === undefined) ofMessages.set(offer, (json = JSON.stringify(messagesModel(offer))))
      return json
    },
    reload() {
      listed = null
      single = new WeakMap()
      ofMessages = new WeakMap()
    },
  }
}

/** Capabilities that every model tells, also that it lacks them; any other that is absent does not apply. */
const lacking = { streaming: false, tools: false, json: false, vision: false } as const

/** The specification's Model, and since when its prices hold and which come next, where that is known. */
export const modelView = ({ model, card, next }: Pick<Offer, 'model' | 'card' | 'next'>) => ({
  id: model.id,
  object: 'model',
  created: unixSeconds(model.created),
  owned_by: model.ownedBy,
  name: model.name,
  type: model.type,
  description: model.description,
  context_length: model.contextLength,
  max_output_tokens: model.maxOutputTokens,
  capabilities: { ...lacking, ...model.capabilities },
  is_free: model.isFree,
  pricing: pricingView(card),
  pricing_unit: pricingUnit(model.type, card),
  pricing_updated_at: card.validFrom > 0 ? unixSeconds(card.validFrom) : null,
  ...(model.aliasOf === undefined ? {} : { alias_of: model.aliasOf }),
  ...(model.fallbacks === undefined ? {} : { fallbacks: model.fallbacks }),
  ...(next === undefined
    ? {}
    : { pricing_next: { from: unixSeconds(next.validFrom), pricing: pricingView(next) } }),
})

/**
 * A model as clients of the Messages format expect it, and what we tell besides. Two of our names
 * mean something else there and have others.
 */
function messagesModel(offer: Offer) {
  const { id, name, created, contextLength, maxOutputTokens } = offer.model
  const { object: _, created: _created, type, capabilities, ...ours } = modelView(offer)
  return {
    ...ours,
    type: 'model',
    id,
    display_name: name,
    created_at: new Date(created).toISOString(),
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    max_input_tokens: contextLength,
    max_tokens: maxOutputTokens,
    capabilities: null,
    model_type: type,
    model_capabilities: capabilities,
  }
}
