import { finding, type Finding } from '../finding'
import { soldToGroupsBelowCost } from '../../accounts/group-rules'
import { soldBelowCost } from '../../pricing/margins'
import { neverCharged } from '../../pricing/model-prices'
import { pendingPrices } from '../../pricing/proposal-decisions'
import { familyOf, type ModelEntry } from '../../../domain/model'
import { missingPrices } from '../../../gateway/metering/price-card'
import type { Storage } from '../../data/storage'
import { localTime } from '../../../domain/local-time'
import type { ServiceParts } from '../../data/service-parts'

/** A service with all that is kept. */
interface DoctorParts extends ServiceParts {
  readonly storage: Storage
}

const ok = finding('ok')
const warn = finding('warn')

/** Fallbacks, and what names of several models stand for, that nobody sells any more. */
function checkFallbacks(entries: readonly ModelEntry[]): readonly Finding[] {
  const known = entries.filter(({ status }) => status !== 'discontinued')
  const ids = new Set(known.map(({ id }) => id))
  const lost = known.flatMap(({ id, fallbacks = [], aliasOf = [] }) =>
    [...fallbacks, ...aliasOf].filter((each) => !ids.has(each)).map((each) => `${each} of ${id}`),
  )
  if (lost.length === 0) return []
  const advice = 'chapar model set ID --fallbacks … (or --alias-of …)'
  const models = shortened(lost)
  return [
    warn(
      'fallbacks_gone',
      { models },
      {
        check: 'fallbacks',
        found: `no longer sold: ${models}`,
        advice,
      },
    ),
  ]
}

/** Prices of two kinds on one card, of which one is never charged. */
function checkSilentPrices(sold: readonly ModelEntry[]): readonly Finding[] {
  const silent = sold.flatMap((entry) => {
    const keys = neverCharged(entry)
    return keys.length === 0 ? [] : [`${entry.id} (${keys.join(', ')})`]
  })
  if (silent.length === 0) return []
  const models = shortened(silent)
  return [
    warn(
      'prices_silent',
      { models },
      {
        check: 'prices',
        found: `never charged, since other prices of the model are: ${models}`,
        advice: 'chapar model set ID --price KEY=none, for one kind or the other',
      },
    ),
  ]
}

/** Cards of the models on sale, and whether there are any. */
export function checkModels(entries: readonly ModelEntry[]): readonly Finding[] {
  const wanted = entries.filter(({ status, routes }) => status === 'active' && routes.length > 0)
  const lacking = wanted.flatMap((entry) => {
    const { id, card, isFree } = entry
    const missing = card === null ? ['all'] : missingPrices(card, familyOf(entry), isFree)
    return missing.length === 0 ? [] : [`${id} (${missing.join(', ')})`]
  })
  const sold = wanted.length - lacking.length
  const own = wanted.filter(({ routes }) => routes.some(({ vendor }) => vendor !== 'sandbox'))
  const madeUp = wanted.length - own.length
  const advice = 'chapar vendor add, or a key such as OPENAI_API_KEY in the environment'
  return [
    own.length > 0
      ? ok('models', { count: sold }, { check: 'models', found: `${sold} on sale` })
      : warn(
          sold === 0 ? 'models_none' : 'models_sandbox_only',
          { count: sold },
          {
            check: 'models',
            found: sold === 0 ? 'none on sale' : `${sold} on sale, none but the sandbox's`,
            advice,
          },
        ),
    ...(madeUp === 0 || own.length === 0
      ? []
      : [
          warn(
            'sandbox_on_sale',
            { count: madeUp },
            {
              check: 'sandbox',
              found: `${madeUp} models of the sandbox are on sale to every customer: their answers are made up`,
              advice: 'chapar settings set sandbox off',
            },
          ),
        ]),
    ...checkFallbacks(entries),
    ...checkSilentPrices(wanted),
    ...(lacking.length === 0
      ? []
      : [
          warn(
            'prices_missing',
            { models: shortened(lacking) },
            {
              check: 'prices',
              found: `not on sale for want of prices: ${shortened(lacking)}`,
              advice: 'chapar model set ID --price …',
            },
          ),
        ]),
  ]
}

/** Whether a route costs more than its model is sold for, and what waits for a decision. */
export async function checkSalePrices(parts: DoctorParts): Promise<readonly Finding[]> {
  const below = await soldBelowCost(parts)
  const cheap = await soldToGroupsBelowCost(parts)
  const waiting = [...new Set((await pendingPrices(parts)).map(({ model }) => model))]
  return [
    ...(below.length === 0
      ? []
      : [
          warn(
            'below_cost',
            { models: shortened(below) },
            {
              check: 'below cost',
              found: `sold for less than a route costs: ${shortened(below)}`,
              advice: 'chapar model show ID; chapar model set ID --price …, or chapar prices list',
            },
          ),
        ]),
    ...(cheap.length === 0
      ? []
      : [
          warn(
            'group_below_cost',
            { models: shortened(cheap) },
            {
              check: 'below cost',
              found: `sold to a group for less than a route costs: ${shortened(cheap)}`,
              advice: 'chapar group show GROUP; chapar price rules set --group GROUP …',
            },
          ),
        ]),
    ...(waiting.length === 0
      ? []
      : [
          warn(
            'price_changes',
            { models: shortened(waiting) },
            {
              check: 'price changes',
              found: `waiting for a decision: ${shortened(waiting)}`,
              advice: 'chapar prices list; chapar prices approve ID, chapar prices reject ID',
            },
          ),
        ]),
  ]
}

/** Whether the last check of public prices read every source. */
export async function checkPriceSources({ priceChecks }: Storage): Promise<readonly Finding[]> {
  const last = await priceChecks.read()
  if (last === null) return []
  const check = 'public prices'
  const when = localTime(last.at)
  const failed = last.sources.filter(({ problem }) => problem !== null)
  if (failed.length === 0)
    return [ok('public_prices', { when }, { check, found: `checked ${when}` })]
  const why = failed.map(({ name, problem }) => `${name}: ${problem}`).join('; ')
  return [
    warn(
      'public_prices_failed',
      { when, why },
      {
        check,
        found: `checked ${when}; ${why}`,
        advice: 'chapar prices check; chapar settings set prices-sources …',
      },
    ),
  ]
}

const maxShown = 5
const shortened = (names: readonly string[]): string =>
  names.length <= maxShown
    ? names.join(', ')
    : `${names.slice(0, maxShown).join(', ')} and ${names.length - maxShown} more`
