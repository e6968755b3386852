import type { ModelMargins, RouteMargin } from '../../admin/margins'
import { dayOf } from '../../domain/clock'
import type { PriceCard } from '../../domain/model'
import { pricingView } from '../../metering/pricing-view'
import type { Shortfall } from '../../pricing/shortfall'
import { localTime } from '../../domain/local-time'
import { printLine, printTable } from '../kit/output'

/** Prints margins for people, below the fields of the model. */
export function printMargins({ next, routes }: ModelMargins): void {
  if (next !== null) printLine(`from ${localTime(next.validFrom)} on: ${pricesText(next)}`)
  const known = routes.filter(({ cost }) => cost !== null)
  if (known.length > 0) {
    printLine()
    printTable([
      ['ROUTE', 'COST (USD)', 'SOURCE', 'SINCE', 'LEAST MARKUP'],
      ...known.map(({ vendor, vendorModel, cost, marginPercent }) => [
        `${vendor}:${vendorModel}`,
        cost === null ? '–' : pricesText(cost),
        cost?.source ?? '–',
        cost === null ? '–' : dayOf(cost.validFrom),
        marginPercent === null ? '–' : `${marginPercent}%`,
      ]),
    ])
  }
  for (const { vendor, vendorModel, nextCost } of routes)
    if (nextCost !== null) {
      const from = localTime(nextCost.validFrom)
      printLine(`from ${from} on ${vendor}:${vendorModel} costs ${pricesText(nextCost)}`)
    }
  printBelowCost(routes)
}

/** One line for each route that is sold below its cost; nothing where there is none. */
function printBelowCost(routes: readonly RouteMargin[]): void {
  for (const { vendor, vendorModel, below } of routes)
    if (below.length > 0)
      printLine(`! sold below cost by ${vendor}:${vendorModel}: ${below.map(text).join(', ')}`)
}

const text = ({ meter, inputAbove, cost, sale }: Shortfall): string =>
  `${meter}${inputAbove === null ? '' : ` above ${inputAbove} tokens`} for ${sale}, costs ${cost}`

/** A card on one line. */
const pricesText = (card: PriceCard): string =>
  Object.entries(pricingView(card))
    .map(([key, price]) => `${key} ${price}`)
    .join(' · ')
