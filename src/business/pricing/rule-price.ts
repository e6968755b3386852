import { familyOf, type ModelEntry, type PriceLine } from '../../domain/model'
import { Exact, unitsIn } from '../../gateway/metering/price-card'
import { lineKey } from '../../gateway/catalogue/cards'
import { eachOf, effective, tableUpTo, thresholdsOf } from './price-table'
import { decidingRule, ruleFor, type PricingRule } from '../../domain/pricing-rules'

/** Cost of one route to a model, in the order of preference. */
export interface RouteCost {
  readonly vendor: string
  readonly lines: readonly PriceLine[]
}

/** Sale price of a model, and the rule that decides it. */
export interface RulePrice {
  readonly lines: readonly PriceLine[]
  readonly rule: number
}

/** Part of a model that a price by rule looks at. */
export type PricedModel = Pick<ModelEntry, 'id' | 'type' | 'ownedBy' | 'isFree' | 'traits'>

/**
 * The price of a model by its rules: each route's cost under the narrowest rule for that route, then
 * the basis, meter by meter.
 * @param costs of those routes whose cost is known
 * @returns null where no cost is known, or the price is one that must be typed
 */
export function rulePrice(
  model: PricedModel,
  costs: readonly RouteCost[],
  rules: readonly PricingRule[],
): RulePrice | null {
  const ruled = costs.map((cost) => ({ cost, rule: ruleFor(rules, model, cost.vendor) }))
  const deciding = decidingRule(ruled.map(({ rule }) => rule))
  if (deciding === null || deciding.basis === 'typed') return null
  const used = deciding.basis === 'first' ? ruled.slice(0, 1) : ruled
  const cards = used.map(({ cost, rule }) => markedUp(cost.lines, rule, model))
  return { lines: highestOf(cards), rule: deciding.id }
}

/** A card under a rule. */
export function markedUp(
  lines: readonly PriceLine[],
  rule: PricingRule,
  model: PricedModel,
): readonly PriceLine[] {
  if (model.isFree) return lines
  const factor = new Exact(rule.markupPercent).div(100).plus(1)
  const { digits } = rule
  const marked =
    factor.equals(1) && digits === null
      ? lines
      : lines.map((line) => {
          const price = new Exact(line.price).times(factor)
          const rounded =
            digits === null ? price : price.toSignificantDigits(digits, Exact.ROUND_UP)
          return { ...line, price: rounded.toFixed() }
        })
  // A socket is one call of many answers, which nobody counts.
  return rule.feePerCall === null || familyOf(model) === 'realtime'
    ? marked
    : withFee(marked, rule.feePerCall)
}

function withFee(lines: readonly PriceLine[], fee: string): readonly PriceLine[] {
  if (!lines.some(({ meter }) => meter === 'request'))
    return [...lines, { meter: 'request', unit: 'each', price: fee }]
  return lines.map((line) =>
    line.meter === 'request'
      ? {
          ...line,
          price: new Exact(fee).times(unitsIn[line.unit]).plus(line.price).toFixed(),
        }
      : line,
  )
}

/**
 * The highest price of each meter among several cards, at every size of a call: whatever route
 * answers, what it sells for covers it.
 */
export function highestOf(cards: readonly (readonly PriceLine[])[]): readonly PriceLine[] {
  const [only, ...others] = cards
  if (only === undefined) return []
  if (others.every((lines) => lines === only)) return only
  const meters = [...new Set(cards.flatMap((lines) => lines.map(({ meter }) => meter)))]
  const highest: PriceLine[] = []
  for (const threshold of thresholdsOf(cards)) {
    const below = tableUpTo(highest, threshold)
    const tables = cards.map((lines) => tableUpTo(lines, threshold))
    for (const meter of meters) {
      const best = dearest(tables.flatMap((table) => effective(table, meter) ?? []))
      const held = below.get(meter)
      if (best === null || (held !== undefined && eachOf(held).equals(eachOf(best)))) continue
      const { unit, price } = best
      const line = { meter, unit, price }
      highest.push(threshold < 0 ? line : { ...line, when: { inputAbove: threshold } })
    }
  }
  return highest
}

const dearest = (lines: readonly PriceLine[]): PriceLine | null =>
  lines.reduce<PriceLine | null>(
    (held, line) => (held === null || eachOf(line).greaterThan(eachOf(held)) ? line : held),
    null,
  )

/** Whether two cards ask the same for everything, however they are written. */
export function sameLines(a: readonly PriceLine[], b: readonly PriceLine[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  const other = new Map(b.map((line) => [lineKey(line), line]))
  return a.every((line) => {
    const found = other.get(lineKey(line))
    if (found === undefined) return false
    return (
      (found.price === line.price && found.unit === line.unit) || eachOf(found).equals(eachOf(line))
    )
  })
}
