import { familyOf, type ModelEntry, type PriceCard, type PriceLine } from '../../domain/model'
import { widerMeters } from '../../domain/usage'
import { compileCard } from '../metering/price-card'
import { lineKey } from './cards'
import type { CatalogueItem, Offer } from './catalogue'

/**
 * An item with the offers that are tried after its own. What is not on sale by now is left out, as is
 * a model of another family; fallbacks have no fallbacks, so that a circle ends.
 * @param find the item of an id or alias, without its fallbacks
 */
export function withFallbacks(
  item: CatalogueItem,
  find: (id: string) => CatalogueItem | undefined,
): CatalogueItem {
  const { model, offer } = item
  const ids = model.aliasOf ?? model.fallbacks
  if (ids === undefined) return item
  const named = ids.flatMap((id) => find(id) ?? [])
  const others = [...new Set(named.flatMap((each) => each.offer ?? []))].filter(
    (other) => other !== offer && familyOf(other.model) === familyOf(model),
  )
  if (model.aliasOf !== undefined) return nameOf(model, named, others)
  const [first, ...more] = others
  if (first === undefined) return item
  const sold = { ...model, fallbacks: others.map((other) => other.model.id) }
  if (offer !== null) return { model: sold, offer: { ...offer, model: sold, fallbacks: others } }
  return model.status === 'off'
    ? { ...item, instead: { ...first, fallbacks: more, standsIn: true } }
    : item
}

/** A name of several models: what it sells is the first of them, with the others behind it. */
function nameOf(
  model: ModelEntry,
  named: readonly CatalogueItem[],
  members: readonly Offer[],
): CatalogueItem {
  const [first, ...more] = members
  if (model.status !== 'active') return { model, offer: null }
  if (first === undefined) {
    const rests = named.some((each) => each.model.status === 'off')
    return { model: rests ? { ...model, status: 'off' } : model, offer: null }
  }
  const shown = rowOf(model, [first, ...more])
  return { model: shown.model, offer: { ...first, fallbacks: more, standsIn: true, shown } }
}

/** A name as lists show it: what any of its models can, for no more than the dearest costs. */
function rowOf(name: ModelEntry, members: readonly Offer[]): Offer {
  const models = members.map(({ model }) => model)
  const contexts = models.map(({ contextLength }) => contextLength)
  const outputs = models.flatMap(({ maxOutputTokens }) => maxOutputTokens ?? [])
  const card = dearest(members.map((member) => member.card))
  const model: ModelEntry = {
    ...name,
    type: models[0]?.type ?? name.type,
    // The longest prompt goes to whichever can take it; a ceiling has to suit them all.
    contextLength: contexts.every((each) => each !== null) ? Math.max(...contexts) : null,
    maxOutputTokens: outputs.length === 0 ? null : Math.min(...outputs),
    capabilities: Object.assign({}, ...models.toReversed().map(able)) as ModelEntry['capabilities'],
    isFree: models.every(({ isFree }) => isFree),
    card,
    aliasOf: models.map(({ id }) => id),
  }
  return { model, card, rates: compileCard(card), routes: [] }
}

/** Capabilities of a model that fallbacks are compared by. */
const able = ({ capabilities }: ModelEntry) =>
  Object.fromEntries(Object.entries(capabilities).filter(([, can]) => can !== false))

/** The highest price of each meter in any of the cards. */
function dearest(cards: readonly PriceCard[]): PriceCard {
  const lines = new Map<string, PriceLine>()
  for (const line of cards.flatMap((card) => card.lines)) {
    if (lines.has(lineKey(line))) continue
    const prices = cards.flatMap((card) => chargedIn(card, line) ?? [])
    const price = prices.reduce((most, each) => (Number(each) > Number(most) ? each : most))
    lines.set(lineKey(line), { ...line, price })
  }
  const since = Math.max(...cards.map(({ validFrom }) => validFrom)) as PriceCard['validFrom']
  return { version: '', validFrom: since, lines: [...lines.values()] }
}

/** Price of a meter by a card: by its own price of it, or as what it is a case of. */
function chargedIn({ lines }: PriceCard, { meter, unit, when }: PriceLine): string | null {
  for (const each of [meter, ...widerMeters(meter)]) {
    const priced = lines.filter((line) => line.meter === each && line.unit === unit)
    const found =
      priced.find((line) => line.when?.inputAbove === when?.inputAbove) ??
      priced.find((line) => line.when === undefined)
    if (found !== undefined) return found.price
  }
  return null
}
