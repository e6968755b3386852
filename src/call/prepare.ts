import type { Catalogue, Offer } from '../catalogue/catalogue'
import { resolve, resolveFirst } from '../catalogue/resolve'
import type { Caller } from '../domain/caller'
import { mostUsd, type NanoUsd } from '../domain/money'
import type { CallOpening } from '../domain/record'
import type { Inbound } from '../http/inbound'
import { checkModel } from '../identity/access'
import type { Ledger } from '../ledger/ledger'
import { ceilingPrice } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import { ceilingCost } from '../metering/usage-ceiling'
import type { Settings } from '../settings/registry'
import { takeSeat, type AdmitParts } from './admit'
import { openingOf, type Asker } from './asker'
import { unsealFor, type Sealing } from './compaction-seal'
import type { CallBody, Endpoint, Estimate, EstimateParts, ReadParts } from './endpoint'
import { openOutcome, type OpenCall, type OutcomeParts } from './outcome'
import { stagedRefusal } from './staged-refusal'
import { checkOpen, checkStreaming } from './switches'
import type { Taken } from './taken'

/** A metered endpoint as far as its hold: how a request is read, and what it may cost. */
export interface Metered<Body extends CallBody> extends Pick<
  Endpoint<Body>,
  'name' | 'models' | 'collects' | 'isRelayed'
> {
  /** @throws 400 codes, request_too_large */
  read(inbound: Inbound, maxBytes: number, client: ReadParts): Body | Promise<Body>
  /** @throws 400 codes of what this model does not do */
  estimate(body: Body, offer: Offer, parts: EstimateParts): Estimate
  /** Amount to hold, where that is not the price of the upper estimate. */
  amount?(offer: Offer, settings: Settings): NanoUsd
}

export interface PrepareParts extends AdmitParts, OutcomeParts, EstimateParts {
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly settings: Settings
  readonly vault: Sealing
}

/** A call that may run once its money is held. */
export interface PreparedCall<Body extends CallBody> extends Asker {
  readonly body: Body
  readonly estimate: Estimate
  /** Amount to hold: the usual cost. */
  readonly amount: NanoUsd
  /** The most that it can cost; the largest amount there is where nothing bounds it. */
  readonly possible: NanoUsd
  /** It can end in the middle, when the money does. */
  readonly endsAtMoney: boolean
  readonly opening: CallOpening
}

/**
 * Everything between the key and the hold, in one order for all metered endpoints: service gates,
 * concurrency, requests per minute, body, streaming, model, access to it, estimate. A slot that was
 * acquired stands in `taken` also when a later step refuses.
 * @throws gateway_disabled | concurrency_limit | rate_limit_exceeded | 400 codes | request_too_large
 * @throws 404 codes of the model | model_not_allowed | any code, where a client's test asks for it by the model
 */
export async function prepareCall<Body extends CallBody>(
  parts: PrepareParts,
  endpoint: Metered<Body>,
  { caller, inbound }: { readonly caller: Caller; readonly inbound: Inbound },
  taken: Taken,
): Promise<PreparedCall<Body>> {
  checkOpen(parts.settings)
  taken.seat = takeSeat(parts, caller)
  const unseal = unsealFor(parts.vault, caller.project.id)
  const body = await endpoint.read(inbound, caller.account.maxRequestKb * 1024, { unseal })
  checkStreaming(parts.settings, body)
  const offer = offerFor(parts.catalogue, endpoint, body)
  checkModel(caller, offer.model)
  if (offer.refusal !== undefined)
    throw stagedRefusal(offer.refusal, parts, { caller, inbound, offer, endpoint: endpoint.name })
  const estimate = endpoint.estimate(body, offer, parts)
  const { rates } = offer
  const amount =
    endpoint.amount?.(offer, parts.settings) ??
    ceilingPrice(billedUnits(estimate.usual, rates), rates)
  const opening = openingOf({ caller, offer, inbound }, endpoint.name, body.stream)
  const possible = possibleCost(estimate, amount, offer)
  const endsAtMoney = body.stream || isCollectable(endpoint, body) || endpoint.isRelayed === true
  return { caller, inbound, body, offer, estimate, amount, possible, endsAtMoney, opening }
}

/** Whether a whole answer to this can be asked for as a stream. */
export const isCollectable = <Body extends CallBody>(
  { collects }: Pick<Metered<Body>, 'collects'>,
  body: Body,
): boolean => !body.stream && collects?.can(body) === true

/** Never below what is held. */
function possibleCost({ possible }: Estimate, amount: NanoUsd, { rates, model }: Offer): NanoUsd {
  if (model.isFree) return amount
  const most = possible === null ? mostUsd : ceilingCost(possible, rates)
  return most > amount ? most : amount
}

/**
 * Holds the money of a prepared call: from here on it ends by its outcome.
 * @throws what `Ledger.hold` throws
 */
export function holdCall(
  parts: Pick<PrepareParts, 'ledger'> & OutcomeParts,
  prepared: PreparedCall<CallBody>,
  taken: Taken,
): OpenCall {
  const { caller, inbound, offer, amount, possible, endsAtMoney, opening, estimate } = prepared
  const { seat } = taken
  if (seat === null) throw new Error('a call without a slot')
  const hold = parts.ledger.hold({ caller, amount, possible, endsAtMoney, opening })
  const { possible: ceiling, usual: expected } = estimate
  taken.call = openOutcome(parts, { hold, seat, offer, ceiling, opening, inbound, expected })
  return taken.call
}

/** The model that the client names; where it leaves the choice to us, the first of its type on sale. */
const offerFor = <Body extends CallBody>(
  catalogue: Catalogue,
  { name, models }: Metered<Body>,
  { model }: Body,
): Offer =>
  model === null ? resolveFirst(catalogue, models) : resolve(catalogue, name, models, model)
