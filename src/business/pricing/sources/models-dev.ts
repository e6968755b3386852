import type { ModelFamily } from '../../../domain/model'
import type { Meter } from '../../../domain/usage'
import { rowOf, rowsOf, wholeOf, stringsOf, type Row } from './rows'
import { toldPrice, type ReportedPrice } from './told-price'

/*
 * models.dev: vendors with their models, in dollars per million tokens.
 * https://models.dev/api.json, July 2026.
 */

const costFields: readonly (readonly [Meter, readonly string[]])[] = [
  ['input', ['input']],
  ['cached_input', ['cache_read', 'cached_input']],
  ['cache_write_5m', ['cache_write', 'cached_write']],
  ['output', ['output']],
  ['input_audio', ['input_audio']],
  ['output_audio', ['output_audio']],
]

/** Prices of a row of models.dev; of a model that puts out nothing but audio its output is audio. */
export function modelsDevPrices(fact: Row, family: ModelFamily): readonly ReportedPrice[] {
  if (family === 'chat') return tokenPrices(fact)
  const isHeard = stringsOf(rowOf(fact['modalities'])['output']).join() === 'audio'
  return family === 'audio_tts' && isHeard
    ? tokenPrices(fact).map((told) =>
        told.meter === 'output' ? { ...told, meter: 'output_audio' } : told,
      )
    : []
}

function tokenPrices(fact: Row): readonly ReportedPrice[] {
  const cost = rowOf(fact['cost'])
  const at = (row: Row, inputAbove: number | null) =>
    costFields.flatMap(([meter, names]) => {
      const name = names.find((each) => row[each] !== undefined && row[each] !== null)
      return name === undefined
        ? []
        : toldPrice(row[name], 1, { meter, unit: 'million', inputAbove })
    })
  const tiers = rowsOf(cost['tiers']).flatMap((tier) => {
    const size = wholeOf(rowOf(tier['tier'])['size'])
    return size === null ? [] : at(tier, size)
  })
  return [...at(cost, null), ...tiers]
}

/** The models of one vendor, by the vendor's own names. */
export const modelsDevModels = (document: Row, vendor: string): Row =>
  rowOf(rowOf(document[vendor])['models'])
