import type { Capabilities, ModelType, PriceLine, Traits } from '../../domain/model'
import { servedTypes } from './endpoints'
import text from './seed.jsonl' with { type: 'text' }

/** A model with public prices, as the script that gathers them writes it: one line of JSON. */
export interface SeedModel {
  /** The dialect of the vendor that has it. */
  readonly owner: string
  readonly id: string
  readonly type: ModelType
  readonly vendorModel: string
  readonly name: string
  /** Milliseconds since 1970; 0 where nobody says. */
  readonly created: number
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
  readonly capabilities: Capabilities
  readonly traits: Traits
  /** The vendor gives it away; its prices are zero. */
  readonly isFree: boolean
  /** Cost prices: the operator's margin comes on top. */
  readonly lines: readonly PriceLine[]
}

const firstLine = text.slice(0, text.indexOf('\n'))

/** The version of every card made of this seed. */
export const seedVersion: string = (JSON.parse(firstLine) as { version: string }).version

const known = new Map<string, readonly SeedModel[]>()

/**
 * Models with public prices, of one vendor, of those types that an endpoint serves. Only the lines
 * of vendors that are asked for are ever parsed: a start waits for nothing else.
 */
export function seedModels(owner: string): readonly SeedModel[] {
  let models = known.get(owner)
  if (models === undefined)
    known.set(owner, (models = readSeed(owner).filter(({ type }) => servedTypes.has(type))))
  return models
}

/** Models with public prices, of one vendor, of every type. */
export function readSeed(owner: string): readonly SeedModel[] {
  // The lines of an owner stand together, and the owner is what each begins with.
  const start = `\n{"owner":${JSON.stringify(owner)},`
  const models: SeedModel[] = []
  for (let at = text.indexOf(start); at !== -1 && text.startsWith(start, at);) {
    const end = text.indexOf('\n', at + 1)
    models.push(JSON.parse(text.slice(at, end)) as SeedModel)
    at = end
  }
  return models
}

/** Every vendor that has models with public prices, in the order in which plain ids were given. */
export const seedOwners = (): readonly string[] => [
  ...new Set([...text.matchAll(/^\{"owner":"([^"]+)"/gm)].flatMap(([, owner]) => owner ?? [])),
]
