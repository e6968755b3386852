import { familyOf, type EndpointName, type ModelFamily, type ModelType } from '../../domain/model'
import { GatewayError } from '../../errors/gateway-error'
import type { CatalogueItem, Offer, SoldModels } from './catalogue'
import { endpoints, pathOf } from './endpoints'

/** Model and vendor that a client's model name asks for. */
interface Named {
  readonly item: CatalogueItem
  /** Only this vendor's routes; null for any. */
  readonly vendor: string | null
}

/**
 * The offer behind an id for an endpoint: plain, as `vendor/model`, or with a route prefix
 * `vendor:model`; both of the latter choose the vendor where it has the model. While a model is off
 * it is that of its first fallback.
 * @throws model_not_found | model_discontinued | model_temporarily_unavailable | model_endpoint_mismatch
 */
export function resolve(
  catalogue: SoldModels,
  endpoint: EndpointName,
  type: ModelType,
  id: string,
): Offer {
  const served = endpoint === 'realtime' ? 'realtime' : type
  const offer = offerOf(catalogue, id, served, (item) => item.instead)
  const family = familyOf(offer.model)
  if (family === served) return offer
  const { path } = endpoints[endpoint]
  const facts = { model: id, type: family, endpoint: path, servedAt: pathOf(family) }
  throw new GatewayError('model_endpoint_mismatch', facts, { param: 'model' })
}

/**
 * The first model of a type on sale. Never the sandbox's: what it says is made up, and must be
 * asked for by name.
 * @throws model_not_found
 */
export function resolveFirst(catalogue: SoldModels, type: ModelType): Offer {
  const first = catalogue
    .onSale()
    .find(
      ({ model, routes }) =>
        model.type === type && routes.some(({ vendor }) => vendor !== 'sandbox'),
    )
  if (first === undefined) throw refusal('model_not_found', type)
  return first
}

/**
 * The offer behind an id, of whatever type.
 * @param served family that is asked for, where an id stands for a model of each
 * @throws model_not_found | model_discontinued | model_temporarily_unavailable
 */
export const resolveAny = (
  catalogue: SoldModels,
  id: string,
  served: ModelFamily | null = null,
): Offer => offerOf(catalogue, id, served, () => undefined)

/** @param whileOff what is taken for a model that is off; undefined for nothing */
function offerOf(
  catalogue: SoldModels,
  id: string,
  served: ModelFamily | null,
  whileOff: (item: CatalogueItem) => Offer | undefined,
): Offer {
  const named = find(catalogue, id, served)
  if (named === null) throw notFound(catalogue, id)
  const { item, vendor } = named
  if (item.model.status === 'discontinued') throw refusal('model_discontinued', id)
  if (item.model.status === 'off') {
    const instead = whileOff(item)
    if (instead !== undefined) return instead
    throw refusal('model_temporarily_unavailable', id)
  }
  if (item.offer === null) throw refusal('model_not_found', id)
  return vendor === null ? item.offer : by(item.offer, vendor)
}

function find(catalogue: SoldModels, id: string, served: ModelFamily | null): Named | null {
  const exact = catalogue.find(id, served)
  return exact === null ? findAtVendor(catalogue, id) : { item: exact, vendor: null }
}

function findAtVendor(catalogue: SoldModels, id: string): Named | null {
  for (const mark of ['/', ':']) {
    const cut = id.indexOf(mark)
    if (cut <= 0) continue
    const vendor = id.slice(0, cut)
    const item = catalogue.find(id.slice(cut + 1))
    if (item === null) continue
    if (item.model.routes.some((route) => route.vendor === vendor)) return { item, vendor }
    if (mark === '/' && item.model.ownedBy === vendor) return { item, vendor: null }
  }
  return null
}

/** Offers cut down to one vendor's routes, made once: as many as there are routes, gone with the offer. */
const restricted = new WeakMap<Offer, Map<string, Offer>>()

function by(offer: Offer, vendor: string): Offer {
  let known = restricted.get(offer)
  if (known === undefined) restricted.set(offer, (known = new Map<string, Offer>()))
  let cut = known.get(vendor)
  if (cut === undefined) {
    cut = { ...offer, routes: offer.routes.filter((route) => route.vendor === vendor) }
    known.set(vendor, cut)
  }
  return cut
}

function notFound(catalogue: SoldModels, model: string): GatewayError {
  const near = nearestId(model, catalogue.onSale())
  const facts = near === null ? { model } : { model, near }
  return new GatewayError('model_not_found', facts, { param: 'model' })
}

const refusal = (
  code: 'model_not_found' | 'model_discontinued' | 'model_temporarily_unavailable',
  model: string,
) => new GatewayError(code, { model }, { param: 'model' })

/** Longer ids are no slips of somebody who types. */
const maxIdLength = 64
/** Letters that may be wrong, missing or too many. */
const maxWrong = 3

/** The id on sale that is written most like another one; null where none is near. */
function nearestId(id: string, offers: readonly Offer[]): string | null {
  if (id.length > maxIdLength) return null
  const asked = plain(id)
  let nearest: string | null = null
  // A short id is soon like any other.
  let fewest = Math.min(maxWrong, Math.floor(asked.length / 4)) + 1
  for (const { model } of offers) {
    const sold = plain(model.id)
    if (Math.abs(sold.length - asked.length) >= fewest) continue
    const wrong = distance(asked, sold, fewest)
    if (wrong >= fewest) continue
    fewest = wrong
    nearest = model.id
  }
  return nearest
}

/** As it is heard: without case, and without what parts its words. */
const plain = (id: string): string => id.toLowerCase().replace(/[\s._:/-]+/g, '')

/** Letters to change, add or leave out (Levenshtein). @param most no more of them are counted */
function distance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const here = Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next.push(here)
      least = Math.min(least, here)
    }
    if (least >= most) return most
    row = next
  }
  return row[b.length] ?? 0
}
