import type { ModelEntry, PriceCard, Route } from '../domain/model'
import type { CompiledCard } from '../metering/price-card'

/** A model on sale: active, with a complete card and at least one route. */
export interface Offer {
  readonly model: ModelEntry
  readonly card: PriceCard
  readonly rates: CompiledCard
  /** In the order of preference; those cooling down last. */
  readonly routes: readonly Route[]
}

/** What is on sale, in memory. */
export interface Catalogue {
  /** Every active model with a complete card, sorted by id. */
  onSale(): readonly Offer[]
  /** What lists of models show: every offer, and again under each alias that is listed. Sorted by id. */
  listed(): readonly Offer[]
  /** The model with exactly this id or alias, whatever its state. */
  find(id: string): CatalogueItem | null
  /** Replaces everything at once. */
  load(entries: readonly ModelEntry[]): void
}

export interface CatalogueItem {
  readonly model: ModelEntry
  /** Null when it may not be sold: off, discontinued, no complete card, or no route. */
  readonly offer: Offer | null
}
