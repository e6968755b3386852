import type { Caller } from '../../domain/caller'
import { minus, type NanoUsd } from '../../domain/money'
import type { Hold } from '../../ledger/ledger'
import type { CallBody, Endpoint } from './endpoint'
import { dearestOf, usualCost, type PrepareParts, type PreparedCall } from './prepare'

type Recounting<Body extends CallBody> = Pick<Endpoint<Body>, 'recount'>

/**
 * Counts the input of a metered call anew and holds what that costs: where the money ends, what is held
 * for the input must be enough, and a guess can be fooled. The guess is held meanwhile, so that calls
 * which are counted sooner do not take its money.
 * @throws what `Ledger.hold` throws
 */
export async function recountPrompt<Body extends CallBody>(
  parts: PrepareParts,
  endpoint: Recounting<Body>,
  prepared: PreparedCall<Body>,
  { hold, renew }: { readonly hold: Hold; renew(): Caller },
): Promise<PreparedCall<Body>> {
  const counted = await recounted(parts, endpoint, prepared)
  const { amount } = dearestOf(counted)
  if (amount > hold.amount) await grow(hold, minus(amount, hold.amount), renew())
  else hold.lower(minus(hold.amount, amount))
  return counted
}

/** From what other processes have, where this one has too little. */
async function grow(hold: Hold, by: NanoUsd, caller: Caller): Promise<void> {
  try {
    hold.grow(by, caller)
  } catch (thrown) {
    if (hold.growFromAll === undefined) throw thrown
    await hold.growFromAll(by, caller)
  }
}

/** Counts the input anew of a call that is only tried, by the money there is now. */
export async function recountPromptDry<Body extends CallBody>(
  parts: PrepareParts,
  endpoint: Recounting<Body>,
  prepared: PreparedCall<Body>,
): Promise<PreparedCall<Body>> {
  const { caller, opening } = prepared
  const { amount, possible } = dearestOf(prepared)
  const { free, sure } = await parts.ledger.room(caller, opening.created)
  // Whoever has no money for the guess is refused by it.
  const isMetered = possible > amount && possible > sure && amount <= free
  return isMetered ? await recounted(parts, endpoint, prepared) : prepared
}

async function recounted<Body extends CallBody>(
  parts: PrepareParts,
  { recount }: Recounting<Body>,
  prepared: PreparedCall<Body>,
): Promise<PreparedCall<Body>> {
  if (recount === undefined) return prepared
  const estimate = await recount(prepared.body, prepared.offer, parts)
  return { ...prepared, estimate, amount: usualCost(estimate, prepared.offer) }
}
