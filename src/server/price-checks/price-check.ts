import { judgePrices, checkRecordOf, type PriceCheck } from '../../business/pricing/price-check'
import { soughtPlaces } from '../../business/pricing/price-readings'
import type { ServiceParts } from '../../business/data/service-parts'
import type { Clock } from '../../domain/clock'
import type { PricePolicy } from '../../gateway/settings/price-settings'
import type { Storage } from '../../business/data/storage'
import { readSources, type SourceWays } from './price-sources'

interface PriceCheckParts extends ServiceParts {
  readonly storage: ServiceParts['storage'] & Pick<Storage, 'priceChecks'>
}

interface PriceCheckOptions {
  /** Addresses and files. */
  readonly sources: readonly string[]
  /** Whether these are all that are set: only then a model can be missed. */
  readonly whole: boolean
  readonly policy: PricePolicy
  readonly ways: SourceWays
  readonly clock: Clock
}

/** Reads public prices and proposes what they tell otherwise than what is on record. */
export async function checkPrices(
  parts: PriceCheckParts,
  { sources, whole, policy, ways, clock }: PriceCheckOptions,
): Promise<PriceCheck> {
  const { priceChecks } = parts.storage
  const readings = await readSources(sources, [...(await soughtPlaces(parts)).values()], ways)
  const last = whole ? await priceChecks.read() : null
  const check = await judgePrices(parts, readings, { policy, last })
  if (whole) await priceChecks.write(checkRecordOf(readings, check, last, clock.now()))
  return check
}
