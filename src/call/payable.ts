import type { Offer } from '../catalogue/catalogue'
import { mostUsd } from '../domain/money'
import type { Units } from '../domain/usage'
import type { Hold } from '../ledger/ledger'
import { price } from '../metering/price'
import { billedUnits } from '../metering/price-card'

/** A price is measured over so many tokens, since that of one is rounded. */
const measuredTokens = 1_000_000
/** The most that is asked of a model that thinks and whose maximum nobody knows: all take as much. */
const safeCeiling = 32_768

/**
 * Output tokens that the money of a metered call pays for in each of its choices, beside the input that
 * it was held for. Never fewer than it was held for.
 * @returns null where that is no less than the model puts out anyway, or output has no price by the token
 */
export function payableTokens(
  hold: Hold,
  { usual, choices }: { readonly usual: Units; readonly choices: number },
  { model, rates }: Offer,
): number | null {
  const { output: held, output_audio: spoken, ...rest } = usual
  if (held === undefined || spoken !== undefined) return null
  const costOf = (output: number) => price(billedUnits({ ...rest, output }, rates), rates)
  const beside = costOf(0)
  const perToken = (costOf(measuredTokens) - beside) / measuredTokens
  if (perToken <= 0) return null
  const money = hold.chargeable(mostUsd)
  const least = Math.floor(held / choices)
  const tokens = Math.max(least, Math.floor((money - beside) / perToken / choices))
  const most = model.maxOutputTokens
  if (most !== null) return tokens < most ? tokens : null
  // A ceiling above the model's own is refused: what is shown is counted as it comes without one.
  const reasons = model.traits.reasoning === true || model.capabilities.reasoning === true
  return reasons ? Math.max(least, Math.min(tokens, safeCeiling)) : null
}
