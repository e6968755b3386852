import { familyOf, type ModelFamily } from '../../domain/model'
import type { NanoUsd } from '../../domain/money'
import { partialPicture, variantMeters, type Meter, type Units } from '../../domain/usage'
import { ceilingPrice } from '../../gateway/metering/price'
import { billedUnits, hasRate, type RateTable } from '../../gateway/metering/price-card'
import type { SoldModel } from './sold-model'

/** Units of a usual call, by what a model is sold by: the first whose meters all have a price. */
const usualUnits: Readonly<Record<ModelFamily, readonly Units[]>> = {
  chat: [{ input: 1000, output: 500 }],
  realtime: [{ input_audio: 1000, output_audio: 1000 }],
  embedding: [{ input: 1000 }],
  image: [{ image: 1 }, { input: 100, output_image: 1000 }],
  audio_stt: [{ audio_second: 60 }, { input_audio: 1000, output: 200 }],
  audio_tts: [{ character: 1000 }, { input: 250, output_audio: 1000 }],
  video: [{ video_second: 1 }],
  music: [{ request: 1 }],
  moderation: [{ request: 1 }, { input: 1000 }],
}

/** Price of a usual call: what lists of models are sorted by. */
export function usualPrice(model: SoldModel): NanoUsd {
  const { rates } = model
  for (const units of usualUnits[familyOf(model)]) {
    const priced = pricedAs(units, rates.base)
    if (priced !== null) return ceilingPrice(billedUnits(priced, rates), rates)
  }
  // A free model may have no price at all.
  return ceilingPrice({}, rates)
}

/** @returns null where one of the meters has no price */
function pricedAs(units: Units, rates: RateTable): Units | null {
  const priced: Partial<Record<Meter, number>> = {}
  for (const [name, count] of Object.entries(units) as [Meter, number][]) {
    const meter = hasRate(rates, name) ? name : cheapestVariant(name, rates)
    if (meter === null) return null
    priced[meter] = count
  }
  return priced
}

/** @returns null where a meter has no variants, or none has a price */
function cheapestVariant(meter: Meter, rates: RateTable): Meter | null {
  if (!variantMeters.some((each) => each === meter)) return null
  const variants = Object.keys(rates).filter(
    (name): name is Meter => name.startsWith(`${meter}:`) && name !== partialPicture,
  )
  const rateOf = (name: Meter) => rates[name] ?? 0
  return variants.toSorted((a, b) => rateOf(a) - rateOf(b))[0] ?? null
}
