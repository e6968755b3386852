import type { ModelEntry, PriceCard } from '../../domain/model'
import type { CompiledCard } from '../../gateway/metering/price-card'

type Described =
  | 'id'
  | 'type'
  | 'name'
  | 'ownedBy'
  | 'description'
  | 'contextLength'
  | 'maxOutputTokens'
  | 'capabilities'
  | 'traits'
  | 'isFree'
  | 'aliases'

/** A model on sale, as pages need it. */
export interface SoldModel extends Pick<ModelEntry, Described> {
  readonly card: PriceCard
  readonly rates: CompiledCard
  /** Prices that were approved for later. */
  readonly next?: PriceCard
  /** Its answers are made up, for trying. */
  readonly isSandbox: boolean
}
