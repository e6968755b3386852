import type { Key, Project } from '../../domain/caller'
import type { NanoUsd } from '../../domain/money'
import { ceilingPrice } from '../../gateway/metering/price'
import { hasRate } from '../../gateway/metering/price-card'
import { isAllowedModel } from './allowed-model'
import type { SoldModel } from './sold-model'

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
  const isAllowed = isAllowedModel(key, project)
  const [first] = models
    .filter((model) => model.type === 'chat' && isAllowed(model))
    .toSorted((a, b) => Number(b.isSandbox) - Number(a.isSandbox) || priceOf(a) - priceOf(b))
  return first ?? null
}
