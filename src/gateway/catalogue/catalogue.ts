import type { GroupId } from '../../domain/ids'
import type { ModelEntry, ModelFamily, PriceCard, Route } from '../../domain/model'
import type { ErrorCode } from '../../errors/codes'
import type { CompiledCard } from '../metering/price-card'
import type { GroupSale } from './cards'

/** A model on sale: active, with a complete card and at least one route. */
export interface Offer {
  readonly model: ModelEntry
  readonly card: PriceCard
  readonly rates: CompiledCard
  /** Prices that were approved for later. */
  readonly next?: PriceCard
  /** In the order of preference; those cooling down last. */
  readonly routes: readonly Route[]
  /** Code that every call is refused with, where clients test for that. */
  readonly refusal?: ErrorCode
  /** Tried in this order where this one gives no answer; fallbacks of their own are not. */
  readonly fallbacks?: readonly Offer[]
  /** It and its fallbacks answer for another id: whichever can. */
  readonly standsIn?: true
  /** How the name of several models is shown that it stands in for. */
  readonly shown?: Offer
}

/** A model for tests of clients: as another one, but for how it fails. */
interface FailingModel {
  /** Id of the model that it is like. */
  readonly like: string
  /** Its own id, which tells the family also where the asked one does not. */
  readonly id: string
  readonly vendorModel: string
  /** Raised by ourselves; null where the vendor fails. */
  readonly refusal: ErrorCode | null
}

/** @param family of the model, where an id stands for one of each; null: of any */
export type FindFailing = (id: string, family: ModelFamily | null) => FailingModel | null

/** Models on sale, in memory, at what they cost accounts of no group. */
export interface Catalogue extends SoldModels {
  /** Models at the prices of a group's accounts; made when it is loaded. */
  of(group: GroupId | null): SoldModels
  /**
   * Replaces everything at once.
   * @param next prices that were approved for later, by model
   * @param groups prices of groups that have their own
   */
  load(
    entries: readonly ModelEntry[],
    next?: ReadonlyMap<string, PriceCard>,
    groups?: ReadonlyMap<GroupId, GroupSale>,
  ): void
}

/** Models on sale at their prices. */
export interface SoldModels {
  /** Every active model with a complete card, sorted by id. */
  onSale(): readonly Offer[]
  /** Offers of model lists: every offer, and again under each alias that is listed. Sorted by id. */
  listed(): readonly Offer[]
  /**
   * The model with exactly this id or alias, whatever its state; failing ones too, which are in no list.
   * @param family of the model, where an id stands for one of each; null: of any
   */
  find(id: string, family?: ModelFamily | null): CatalogueItem | null
}

/** A model of the catalogue, with its offer where it is on sale. */
export interface CatalogueItem {
  readonly model: ModelEntry
  /** Null when it may not be sold: off, discontinued, no complete card, or no route. */
  readonly offer: Offer | null
  /** Offer that answers calls while this one is off: the first of its fallbacks, the others behind it. */
  readonly instead?: Offer
}
