import type { Budget, BudgetedCall } from './budget'
import { collecting } from './collected-answer'
import type { Asking } from './dispatch'
import type { CallBody, Endpoint } from './endpoint'
import { payableTokens } from './payable'
import { isCollectable, type PreparedCall } from './prepare'

/**
 * How vendors are asked where the money may end before the answer does: for no more than it pays for,
 * and for a stream also where the client wants the answer whole.
 */
export function meteredAsking<Body extends CallBody>(
  endpoint: Endpoint<Body>,
  { body, estimate, offer }: PreparedCall<Body>,
  { hold }: Pick<BudgetedCall, 'hold'>,
  budget: Budget,
): Asking<Body> {
  const { lowers, collects } = endpoint
  const choices = lowers?.choices(body) ?? 1
  const tokens =
    lowers === undefined ? null : payableTokens(hold, { usual: estimate.usual, choices }, offer)
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
