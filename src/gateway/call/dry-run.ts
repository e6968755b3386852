import { showUsd } from '../../domain/money'
import type { Units } from '../../domain/usage'
import type { Inbound } from '../http/inbound'
import type { Ledger } from '../../ledger/ledger'
import { ceilingPrice } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import type { CallBody } from './endpoint'
import type { FetchPicture } from '../outbound/fetch-picture'
import { dearestOf, type PreparedCall } from './prepare'

/** Units of each meter, and their cost. */
interface Guess {
  readonly units: Units
  readonly usd: string
}

/** Cost and hold of a call that is only tried, in the words of the interface. */
interface DryRun {
  readonly object: 'dry_run'
  readonly model: string
  /** Models that are asked where it gives no answer; absent where nobody named any. */
  readonly fallbacks?: readonly string[]
  readonly endpoint: string
  readonly stream: boolean
  readonly estimate: { readonly low: Guess; readonly high: Guess }
  readonly hold_usd: string
  readonly available_usd: string
  readonly balance_usd: string
  readonly card_version: string
}

/** Whether the client only wants to know. A word we do not know is no reason to charge. */
export function requestsDryRun({ headers }: Pick<Inbound, 'headers'>): boolean {
  const header = headers.get('x-dry-run')
  return header !== null && !/^\s*(?:0|false|no|off)?\s*$/i.test(header)
}

/**
 * Everything that decides whether a call is taken, and what it would cost: no vendor is asked,
 * nothing is held, charged or recorded. It costs one of the key's requests per minute, as the call
 * would: looking things up for it is work too.
 * @param checkRoutes whether a vendor of a model could be asked; caps and balance are looked at before
 * @throws what `Ledger.hold` throws | what `checkRoutes` throws
 */
export async function dryRun<Body extends CallBody>(
  { ledger }: { readonly ledger: Ledger },
  prepared: PreparedCall<Body>,
  checkRoutes: (prepared: PreparedCall<Body>) => Promise<void>,
): Promise<DryRun> {
  const { caller, opening, offer, estimate, body, fallbacks } = prepared
  const { amount } = dearestOf(prepared)
  const { available, balance } = await ledger.check({ caller, amount, opening })
  await anyOf([prepared, ...(fallbacks ?? [])].map((each) => () => checkRoutes(each)))
  const { rates, model, card } = offer
  const low = billedUnits(estimate.low, rates)
  const high = billedUnits(estimate.usual, rates)
  return {
    object: 'dry_run',
    model: model.id,
    ...(fallbacks === undefined ? {} : { fallbacks: fallbacks.map((each) => each.offer.model.id) }),
    endpoint: opening.endpoint,
    stream: body.stream,
    estimate: {
      low: { units: low, usd: showUsd(ceilingPrice(low, rates, estimate.prompts)) },
      high: { units: high, usd: showUsd(prepared.amount) },
    },
    hold_usd: showUsd(amount),
    available_usd: showUsd(available),
    balance_usd: showUsd(balance),
    card_version: card.version,
  }
}

/** One check that passes will do. @throws what the first of them throws, where none does */
async function anyOf(checks: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: unknown
  for (const check of checks)
    try {
      return await check()
    } catch (thrown) {
      failure ??= thrown
    }
  throw failure
}

/** Stands in for fetching a picture: a dry run fetches none, and leaves open whether it can be had. */
export const anyPicture: FetchPicture = () =>
  Promise.resolve({ mediaType: 'image/png', data: '', bytes: 0 })
