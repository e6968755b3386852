import type { Capabilities, PriceLine, Traits } from '../domain/model'
import seed from './seed.json'

/** A model with public prices, as the script that gathers them writes it. */
export interface SeedModel {
  readonly id: string
  /** The dialect of the vendor that has it. */
  readonly owner: string
  readonly vendorModel: string
  readonly name: string
  /** Milliseconds since 1970; 0 where nobody says. */
  readonly created: number
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
  readonly capabilities: Capabilities
  readonly traits: Traits
  /** What it costs us: the operator's margin comes on top. */
  readonly lines: readonly PriceLine[]
}

/** The version of every card made of this seed. */
export const seedVersion: string = seed.version

/** Models with public prices, of one vendor. */
export const seedModels = (owner: string): readonly SeedModel[] =>
  (seed.models as readonly SeedModel[]).filter((model) => model.owner === owner)
