import type { Catalogue, Offer } from '../catalogue/catalogue'
import { endpoints } from '../catalogue/endpoints'
import type { Caller } from '../../domain/caller'
import type { Editable } from '../../domain/mutable'
import { maxUsd, type NanoUsd } from '../../domain/money'
import type { CallOpening } from '../../domain/record'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import { checkModel } from '../identity/access'
import type { Ledger } from '../../ledger/ledger'
import { ceilingPrice } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import { ceilingCost } from '../metering/usage-ceiling'
import type { Settings } from '../settings/registry'
import { checkOpen, checkStreaming, type AdmitParts } from './admit'
import { openingOf, type CallContext } from './call-context'
import { candidatesOf, type Candidate } from './candidates'
import { unsealFor, type Sealing } from './sealed-compaction'
import type {
  CallBody,
  Endpoint,
  Estimate,
  EstimateParts,
  FindEarlierAnswer,
  ReadParts,
} from './endpoint'
import { MeteredCall, type AnsweringModel, type OutcomeParts } from './settlement'
import { stagedRefusal } from './forced-error'
import type { Acquired } from './resources'

/** A metered endpoint as far as its hold: how a request is read, and what it may cost. */
export interface Metered<Body extends CallBody> extends Pick<
  Endpoint<Body>,
  'name' | 'models' | 'collects' | 'isRelayed' | 'suits'
> {
  /** No other model is asked in place of the one that is named. */
  readonly isAlone?: true
  /** @throws 400 codes, request_too_large */
  read(inbound: Inbound, maxBytes: number, client: ReadParts): Promise<Body>
  /** @throws 400 codes for abilities that this model lacks */
  estimate(body: Body, offer: Offer, parts: EstimateParts): Estimate
  /** Amount to hold, where that is not the price of the upper estimate. */
  amount?(offer: Offer, settings: Settings): NanoUsd
}

/** Dependencies of preparing a metered call. */
export interface PrepareParts extends AdmitParts, OutcomeParts, EstimateParts {
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly settings: Settings
  readonly vault: Sealing
  /** Earlier answers are paid again by what goes on from them. */
  readonly earlierAnswer: FindEarlierAnswer
}

/** A call that may run once its money is held. */
export interface PreparedCall<Body extends CallBody> extends CallContext {
  readonly body: Body
  readonly estimate: Estimate
  /** Amount to hold: the usual cost. */
  readonly amount: NanoUsd
  /** The most that it can cost; the largest amount there is where nothing bounds it. */
  readonly possible: NanoUsd
  /** It can end in the middle, when the money does. */
  readonly endsAtMoney: boolean
  readonly opening: CallOpening
  /**
   * Calls of the models that are asked where this one gives no answer, in this order; absent
   * where nobody named any.
   */
  readonly fallbacks?: readonly PreparedCall<Body>[]
}

/**
 * Everything between the key and the hold, in one order for all metered endpoints: service gates,
 * concurrency, requests per minute, body, streaming, model, access to it, estimate. A slot that was
 * acquired stands in `acquired` also when a later step refuses.
 * @throws gateway_disabled | concurrency_limit | rate_limit_exceeded | 400 codes | request_too_large
 * @throws 404 codes of the model | model_not_allowed | any code, where a client's test asks for it by the model
 */
export async function prepareCall<Body extends CallBody>(
  parts: PrepareParts,
  endpoint: Metered<Body>,
  who: Who,
  acquired: Acquired,
): Promise<PreparedCall<Body>> {
  const { caller, inbound } = who
  checkOpen(parts.settings)
  // A concurrency refusal costs no request.
  acquired.slot = await parts.limits.takeSlot(caller)
  await parts.limits.takeRequest(caller)
  const { maxRequestKb } = caller.account
  const body = await endpoint.read(inbound, maxRequestKb * 1024, new ClientParts(parts, caller))
  checkStreaming(parts.settings, body)
  const candidates = candidatesOf(parts.catalogue.of(caller.account.group), endpoint, body)
  const first = candidates[0]
  if (first === undefined) throw new Error('no candidate model')
  const isAlone = endpoint.isAlone === true || (candidates.length === 1 && first.needs === 'all')
  return isAlone
    ? prepareModel(parts, endpoint, who, first, body)
    : prepareInTurn(parts, endpoint, who, { body, candidates })
}

/** Caller and request, whatever the model. */
type Who = Pick<CallContext, 'caller' | 'inbound'>

/** Context for reading a body, made when it is asked for: few bodies need it. */
class ClientParts implements ReadParts {
  readonly #parts: Pick<PrepareParts, 'vault' | 'earlierAnswer'>
  readonly #caller: Caller

  constructor(parts: Pick<PrepareParts, 'vault' | 'earlierAnswer'>, caller: Caller) {
    this.#parts = parts
    this.#caller = caller
  }

  get unseal() {
    return unsealFor(this.#parts.vault, this.#caller.project.id)
  }

  get earlierAnswer() {
    return this.#parts.earlierAnswer
  }
}

/** The call of one model. @throws what `prepareCall` throws of the model */
function prepareModel<Body extends CallBody>(
  parts: PrepareParts,
  endpoint: Metered<Body>,
  { caller, inbound }: Who,
  { offer, param }: Pick<Candidate, 'offer' | 'param'>,
  body: Body,
): PreparedCall<Body> {
  checkModel(caller, offer.model, param)
  if (offer.refusal !== undefined)
    throw stagedRefusal(offer.refusal, parts, { caller, inbound, offer, endpoint: endpoint.name })
  const estimate = endpoint.estimate(body, offer, parts)
  const amount = endpoint.amount?.(offer, parts.settings) ?? usualCost(estimate, offer)
  const opening = openingOf({ caller, offer, inbound }, endpoint.name, body.stream)
  const possible = possibleCost(estimate, amount, offer)
  const endsAtMoney = body.stream || isCollectable(endpoint, body) || endpoint.isRelayed === true
  return { caller, inbound, body, offer, estimate, amount, possible, endsAtMoney, opening }
}

/** The usual cost. */
export const usualCost = ({ usual, prompts }: Estimate, { rates }: Offer): NanoUsd =>
  ceilingPrice(billedUnits(usual, rates), rates, prompts)

/**
 * The call of the first model that can be asked, with those behind it. Answers name the model that
 * gave them: it may be another than the client named.
 * @throws the refusal of one that may not be left out | the first refusal, where none is left
 */
function prepareInTurn<Body extends CallBody>(
  parts: PrepareParts,
  endpoint: Metered<Body>,
  who: Who,
  { body, candidates }: { readonly body: Body; readonly candidates: readonly Candidate[] },
): PreparedCall<Body> {
  const calls: PreparedCall<Body>[] = []
  let failure: GatewayError | null = null
  for (const candidate of candidates)
    try {
      const { offer, needs } = candidate
      if (needs === 'all') {
        calls.push(prepareModel(parts, endpoint, who, candidate, body))
        continue
      }
      const named = { ...body, model: offer.model.id }
      const call = prepareModel(parts, endpoint, who, candidate, named)
      if (endpoint.suits?.(named, offer) === false) throw unsuited(endpoint, offer)
      calls.push({ ...call, isFallback: true })
    } catch (thrown) {
      if (!isGatewayError(thrown) || isNeeded(candidate, thrown)) throw thrown
      failure ??= thrown
    }
  const [first, ...fallbacks] = calls
  if (first === undefined) throw failure ?? new Error('no candidate model')
  return { ...first, fallbacks }
}

const isNeeded = ({ needs }: Candidate, { code }: GatewayError): boolean =>
  needs === 'all' || (needs === 'access' && code === 'model_not_allowed')

const unsuited = ({ name }: Pick<Metered<CallBody>, 'name'>, { model }: Offer) =>
  new GatewayError('endpoint_not_supported', { model: model.id, endpoint: endpoints[name].path })

/** Whether a whole answer to this can be asked for as a stream. */
export const isCollectable = <Body extends CallBody>(
  { collects }: Pick<Metered<Body>, 'collects'>,
  body: Body,
): boolean => !body.stream && collects?.can(body) === true

/** Never below what is held. */
function possibleCost(
  { possible, prompts }: Estimate,
  amount: NanoUsd,
  { rates, model }: Offer,
): NanoUsd {
  if (model.isFree) return amount
  const most = possible === null ? maxUsd : ceilingCost(possible, rates, prompts)
  return most > amount ? most : amount
}

/**
 * Holds the money of a prepared call: from here on it ends by its outcome.
 * @throws what `Ledger.hold` throws
 */
export async function holdCall(
  parts: Pick<PrepareParts, 'ledger'> & OutcomeParts,
  prepared: PreparedCall<CallBody>,
  acquired: Acquired,
): Promise<MeteredCall> {
  const { caller, inbound, endsAtMoney, opening } = prepared
  const { slot } = acquired
  if (slot === null) throw new Error('call without a concurrency slot')
  const { amount, possible } = prepared.fallbacks === undefined ? prepared : dearestOf(prepared)
  const hold = await parts.ledger.hold({ caller, amount, possible, endsAtMoney, opening })
  acquired.call = new MeteredCall(parts, answeringModel(prepared), { hold, slot, inbound })
  parts.observer.began?.(opening, inbound)
  return acquired.call
}

/** Facts of the answering model that the outcome of a call needs. */
export const answeringModel = ({
  offer,
  opening,
  estimate: { possible: ceiling, usual: expected, prompts },
}: PreparedCall<CallBody>): AnsweringModel => {
  const model: Editable<AnsweringModel> = { offer, opening, ceiling, expected }
  if (prompts !== undefined) model.prompts = prompts
  return model
}

/** Largest amounts to hold, so that any of the models can answer. */
export function dearestOf({
  amount,
  possible,
  fallbacks = [],
}: PreparedCall<CallBody>): Pick<PreparedCall<CallBody>, 'amount' | 'possible'> {
  const dearest = { amount, possible }
  for (const each of fallbacks) {
    if (each.amount > dearest.amount) dearest.amount = each.amount
    if (each.possible > dearest.possible) dearest.possible = each.possible
  }
  return dearest
}
