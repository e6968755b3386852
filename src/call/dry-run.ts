import { showUsd } from '../domain/money'
import type { Units } from '../domain/usage'
import type { Inbound } from '../http/inbound'
import type { HoldRequest, Ledger } from '../ledger/ledger'
import { ceilingPrice } from '../metering/price'
import type { CompiledCard } from '../metering/price-card'
import { checkRoutes, type Asking, type DispatchParts } from './dispatch'
import type { FetchPicture } from './pictures'
import type { AskParts, Estimate, CallBody } from './endpoint'

/** Units of each meter, and what they cost. */
interface Guess {
  readonly units: Units
  readonly usd: string
}

/** What a call would cost and hold, in the words of the interface. */
export interface DryRun {
  readonly object: 'dry_run'
  readonly model: string
  readonly endpoint: string
  readonly stream: boolean
  readonly estimate: { readonly low: Guess; readonly high: Guess }
  readonly hold_usd: string
  readonly available_usd: string
  readonly balance_usd: string
  readonly card_version: string
}

/** What a dry run has found out on the way that it shares with every call. */
export interface DryRunCall {
  readonly asked: AskParts
  readonly estimate: Estimate
  readonly request: HoldRequest
}

/** Whether the client only wants to know. A word we do not know is no reason to charge. */
export function asksDryRun({ headers }: Pick<Inbound, 'headers'>): boolean {
  const asked = headers.get('x-dry-run')
  return asked !== null && !/^\s*(?:0|false|no|off)?\s*$/i.test(asked)
}

/**
 * Everything that decides whether a call is taken, and what it would cost: no vendor is asked,
 * nothing is held, charged or recorded. It costs one of the key's requests per minute, as the call
 * would: looking things up for it is work too.
 * @throws what `Ledger.hold` throws | endpoint_not_supported | model_temporarily_unavailable
 */
export async function dryRun<Body extends CallBody>(
  parts: DispatchParts & { readonly ledger: Ledger },
  endpoint: Asking<Body>,
  body: Body,
  { asked, estimate, request }: DryRunCall,
): Promise<DryRun> {
  const { available, balance } = parts.ledger.check(request)
  await checkRoutes(parts, endpoint, body, { ...asked, fetchPicture: anyPicture })
  const { rates, model, card } = asked.offer
  return {
    object: 'dry_run',
    model: model.id,
    endpoint: endpoint.name,
    stream: body.stream,
    estimate: { low: guess(estimate.low, rates), high: guess(estimate.high, rates) },
    hold_usd: showUsd(request.amount),
    available_usd: showUsd(available),
    balance_usd: showUsd(balance),
    card_version: card.version,
  }
}

/** A picture is not fetched to learn what it would cost: whether it can be had is left open. */
const anyPicture: FetchPicture = () =>
  Promise.resolve({ mediaType: 'image/png', data: '', bytes: 0 })

const guess = (units: Units, rates: CompiledCard): Guess => ({
  units,
  usd: showUsd(ceilingPrice(units, rates)),
})
