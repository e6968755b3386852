import type { ModelEntry, PriceLine } from '../../domain/model'
import { partialPicture, type Meter } from '../../domain/usage'
import { drawnTokens } from '../../gateway/metering/image-output-tokens'
import { Exact } from '../../gateway/metering/price-card'
import { eachOf, effective, tableUpTo, thresholdsOf } from './price-table'

/** A price that is below what it costs, in dollars for one unit. */
export interface Shortfall {
  readonly meter: Meter
  /** Input tokens above which it is so; null for calls of any size. */
  readonly inputAbove: number | null
  readonly cost: string
  readonly sale: string
}

/** Part of a model that says how its vendor counts pictures. */
type DrawingModel = Pick<ModelEntry, 'traits'> & Partial<Pick<ModelEntry, 'capabilities'>>

/**
 * Prices of a cost card that what is sold does not cover, at any size of a call.
 * @param model whose pictures are counted; none are unless told
 */
export function dearerThan(
  sale: readonly PriceLine[],
  cost: readonly PriceLine[],
  model?: DrawingModel,
): readonly Shortfall[] {
  const below = compared(sale, cost).flatMap(({ meter, threshold, paid, billed }) =>
    paid.lessThan(billed)
      ? {
          meter,
          inputAbove: threshold < 0 ? null : threshold,
          cost: billed.toFixed(),
          sale: paid.toFixed(),
        }
      : [],
  )
  return model === undefined ? below : [...below, ...dearPictures(sale, cost, model)]
}

/**
 * Prices of a picture that are below what its tokens cost. A plain price sells the largest picture of the highest
 * quality too.
 */
function dearPictures(
  sale: readonly PriceLine[],
  cost: readonly PriceLine[],
  { traits, capabilities }: DrawingModel,
): readonly Shortfall[] {
  const billed = effective(tableUpTo(cost, -1), 'output_image')
  const counts = (lines: readonly PriceLine[], meter: Meter) =>
    lines.some((line) => line.meter === meter || line.meter.startsWith(`${meter}:`))
  if (billed === null || counts(cost, 'image') || counts(sale, 'output_image')) return []
  return sale.flatMap((line) => {
    const [base, look] = line.meter.split(':')
    if (base !== 'image' || line.meter === partialPicture) return []
    const named = lookOf(look)
    const sizes = capabilities?.sizes?.filter((size) => size !== 'auto') ?? []
    const looks = named.size === undefined ? sizes.map((size) => ({ ...named, size })) : []
    const tokens =
      traits.pictureTokens ?? Math.max(...(looks.length > 0 ? looks : [named]).map(drawnTokens))
    const [paid, each] = [eachOf(line), eachOf(billed).times(tokens)]
    const { meter } = line
    return paid.lessThan(each)
      ? { meter, inputAbove: null, cost: each.toFixed(), sale: paid.toFixed() }
      : []
  })
}

/** Size and quality that a price is for. @param named such as `high 1024x1024` */
function lookOf(named = ''): { size?: string; quality?: string } {
  const words = named.split(' ')
  const size = words.find((word) => /^\d+x\d+$/.test(word))
  const quality = words.find((word) => word !== '' && word !== size)
  return { ...(size === undefined ? {} : { size }), ...(quality === undefined ? {} : { quality }) }
}

/**
 * The least that is earned on any price, in percent of what it costs, with two decimals.
 * @returns null where all that is billed is nothing
 */
export function leastMargin(sale: readonly PriceLine[], cost: readonly PriceLine[]): string | null {
  const shares = compared(sale, cost)
    .filter(({ billed }) => !billed.isZero())
    .map(({ paid, billed }) => paid.div(billed).minus(1).times(100))
  return shares.length === 0
    ? null
    : Exact.min(...shares)
        .toDecimalPlaces(2)
        .toFixed()
}

function compared(sale: readonly PriceLine[], cost: readonly PriceLine[]) {
  const meters = [...new Set(cost.map(({ meter }) => meter))]
  return thresholdsOf([sale, cost]).flatMap((threshold) => {
    const [paidBy, billedBy] = [tableUpTo(sale, threshold), tableUpTo(cost, threshold)]
    return meters.flatMap((meter) => {
      const [paid, billed] = [effective(paidBy, meter), effective(billedBy, meter)]
      // What is not sold is not charged, and no route is asked for it.
      return paid === null || billed === null
        ? []
        : { meter, threshold, paid: eachOf(paid), billed: eachOf(billed) }
    })
  })
}
