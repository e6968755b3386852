import type { Budget, BudgetedCall } from './budget'
import { collecting } from './collected-answer'
import type { Asking } from './dispatch'
import type { CallBody, Endpoint, Estimate } from './endpoint'
import { isCollectable, type PreparedCall } from './prepare'
import type { Offer } from '../catalogue/catalogue'
import { maxUsd } from '../../domain/money'
import type { Hold } from '../../ledger/ledger'
import { price } from '../metering/price'
import { billedUnits } from '../metering/price-card'

/**
 * How vendors are asked where the money may end before the answer does: for no more than it pays for,
 * and for a stream also where the client wants the answer whole.
 */
export function cappedDispatch<Body extends CallBody>(
  endpoint: Endpoint<Body>,
  { body, estimate, offer }: PreparedCall<Body>,
  { hold }: Pick<BudgetedCall, 'hold'>,
  budget: Budget,
): Asking<Body> {
  const { lowers, collects } = endpoint
  const choices = lowers?.choices(body) ?? 1
  const tokens = lowers === undefined ? null : payableTokens(hold, { estimate, choices }, offer)
  const asking = withCeiling(endpoint, tokens)
  if (collects === undefined || !isCollectable(endpoint, body)) return asking
  return collecting(asking, collects, {
    budget,
    ceilingFor: ({ traits }) =>
      // One that the client named is no end of the money.
      tokens !== null && lowers?.can(body, traits, tokens) === true ? tokens * choices : null,
  })
}

/**
 * An endpoint whose vendors are told a ceiling where the client named none: output that a vendor
 * shows to nobody, and tells of at the end alone, then ends where the money does too.
 */
const withCeiling = <Body extends CallBody>(
  { lowers, ...asking }: Pick<Endpoint<Body>, 'lowers'> & Asking<Body>,
  tokens: number | null,
): Asking<Body> => {
  if (tokens === null || lowers === undefined) return asking
  return {
    ...asking,
    ask(body, target, call) {
      if (!lowers.can(body, target.traits, tokens)) return asking.ask(body, target, call)
      const maxOutputTokens = Math.min(target.maxOutputTokens ?? tokens, tokens)
      return asking.ask(lowers.to(body, tokens), { ...target, maxOutputTokens }, call)
    },
  }
}

/** A price is measured over so many tokens, since that of one is rounded. */
const measuredTokens = 1_000_000
/** The most that is asked of a model that thinks and whose maximum nobody knows: all take as much. */
const safeCeiling = 32_768

/**
 * Output tokens that the money of a metered call pays for in each of its choices, beside the input that
 * it was held for. Never fewer than it was held for.
 * @returns null where that is no less than the model puts out anyway, or output has no price by the token
 */
function payableTokens(
  hold: Hold,
  { estimate, choices }: { readonly estimate: Estimate; readonly choices: number },
  { model, rates }: Offer,
): number | null {
  const { usual, prompts } = estimate
  const { output: held, output_audio: spoken, ...rest } = usual
  if (held === undefined || spoken !== undefined) return null
  const costOf = (output: number) => price(billedUnits({ ...rest, output }, rates), rates, prompts)
  const beside = costOf(0)
  const perToken = (costOf(measuredTokens) - beside) / measuredTokens
  if (perToken <= 0) return null
  const money = hold.chargeable(maxUsd)
  const least = Math.floor(held / choices)
  const tokens = Math.max(least, Math.floor((money - beside) / perToken / choices))
  const most = model.maxOutputTokens
  if (most !== null) return tokens < most ? tokens : null
  // A ceiling above the model's own is refused: what is shown is counted as it comes without one.
  const reasons = model.traits.reasoning === true || model.capabilities.reasoning === true
  return reasons ? Math.max(least, Math.min(tokens, safeCeiling)) : null
}
