import type { Ms } from '../../domain/clock'
import type { ModelAlias, ModelEntry, PriceCard, PriceLine, VendorConfig } from '../../domain/model'
import type { CardMaker } from './cards'

/** Store of models that an operator added or changed; they win over the seed, id by id. */
export interface CatalogueStore {
  models(): Promise<readonly ModelEntry[]>
  /** One of them, without reading the others; null where there is none. */
  model(id: string): Promise<ModelEntry | null>
  /** The prices of a model in this version; null when they were never kept. */
  card(model: string, version: string): Promise<PriceCard | null>
  /** How the card of this version came to be; null when it was never kept. */
  cardMaker(model: string, version: string): Promise<CardMaker | null>
  /** Persists built-in price cards, so that old charges stay itemisable. */
  keepCards(entries: readonly ModelEntry[]): Promise<void>
  /**
   * Adds the model, or replaces it whole, keeping its earlier cards.
   * @param lines new prices make a new card; none keep the card it has
   */
  saveModel(
    model: Omit<ModelEntry, 'card' | 'created' | 'aliases'>,
    lines: readonly PriceLine[],
  ): Promise<ModelEntry>
  removeModel(id: string): Promise<void>
  aliases(): Promise<readonly ModelAlias[]>
  alias(id: string): Promise<ModelAlias | null>
  saveAlias(alias: ModelAlias): Promise<void>
  /** @returns false when there was none */
  removeAlias(id: string): Promise<boolean>
  vendors(): Promise<readonly VendorConfig[]>
  vendor(name: string): Promise<VendorConfig | null>
  saveVendor(vendor: VendorConfig): Promise<void>
  removeVendor(name: string): Promise<void>
  /** Grows with every change to models or vendors, by whatever process. */
  version(): Promise<number>
  /** Factor `actual / estimated` prompt tokens per model. */
  calibrations(): Promise<ReadonlyMap<string, number>>
  saveCalibrations(factors: ReadonlyMap<string, number>, now: Ms): Promise<void>
}
