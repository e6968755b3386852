import type { Key, Project } from '../domain/caller'
import type { ModelAlias, ModelType } from '../domain/model'
import type { NanoUsd } from '../domain/money'
import { matchesModel } from '../identity/model-patterns'
import { ceilingPrice } from '../metering/price'
import { hasRate, type CompiledCard } from '../metering/price-card'

/** A model on sale, as pages need it. */
export interface SoldModel {
  readonly id: string
  readonly type: ModelType
  readonly ownedBy: string
  readonly aliases?: readonly ModelAlias[]
  readonly rates: CompiledCard
  /** Its answers are made up, for trying. */
  readonly isSandbox: boolean
}

/** A short question and its answer. */
const shortCall = { input: 50, output: 150 } as const
const meters = ['input', 'output'] as const

/** A free model may have no price at all. */
const priceOf = ({ rates }: SoldModel): NanoUsd =>
  ceilingPrice(
    Object.fromEntries(
      meters.filter((each) => hasRate(rates.base, each)).map((each) => [each, shortCall[each]]),
    ),
    rates,
  )

/**
 * The model to try a key with: one of the sandbox where that is on, else the cheapest for text that
 * key and project allow; null where they allow none.
 */
export function cheapestModel(
  models: readonly SoldModel[],
  key: Pick<Key, 'allowedModels'>,
  project: Pick<Project, 'allowedModels'>,
): SoldModel | null {
  const isAllowed = (model: SoldModel): boolean =>
    [key.allowedModels, project.allowedModels].every(
      (allowed) => allowed === null || matchesModel(allowed, model),
    )
  const [first] = models
    .filter((model) => model.type === 'chat' && isAllowed(model))
    .toSorted((a, b) => Number(b.isSandbox) - Number(a.isSandbox) || priceOf(a) - priceOf(b))
  return first ?? null
}
