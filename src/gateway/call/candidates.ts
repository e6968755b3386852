import type { Offer, SoldModels } from '../catalogue/catalogue'
import { resolve, resolveFirst } from '../catalogue/resolve'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import type { CallBody, Endpoint, ModelChoice } from './endpoint'

/** A model that may answer a call. */
export interface Candidate {
  readonly offer: Offer
  /** The field that names it. */
  readonly param: string
  /**
   * Whether the call is refused where the key may not use the model, and where the model cannot do what
   * is asked; one that need not is left out then.
   */
  readonly needs: 'all' | 'access' | 'nothing'
}

/** Part of an endpoint that says which models it serves. */
type Serving = Pick<Endpoint<CallBody>, 'name' | 'models'>

/**
 * The models that may answer, in the order in which they are asked: those that a client lists, or the
 * one that it names with the operator's fallbacks.
 * @throws 404 codes of the model | model_temporarily_unavailable | model_endpoint_mismatch
 */
export function candidatesOf(
  catalogue: SoldModels,
  endpoint: Serving,
  { model, choices }: CallBody,
): readonly Candidate[] {
  if (choices !== undefined && choices.length > 1) return listed(catalogue, endpoint, choices)
  const { name, models } = endpoint
  // Where the client leaves the choice to us, the first of its type on sale.
  const offer =
    model === null ? resolveFirst(catalogue, models) : resolve(catalogue, name, models, model)
  const { fallbacks = [], standsIn } = offer
  const first: Candidate = { offer, param: 'model', needs: standsIn ? 'nothing' : 'all' }
  if (fallbacks.length === 0) return [first]
  // Who asks for what is free must not pay without a word.
  const more = standsIn || !offer.model.isFree ? fallbacks : fallbacks.filter(isFree)
  return [first, ...more.map(optional)]
}

const isFree = ({ model }: Offer): boolean => model.isFree

const optional = (offer: Offer): Candidate => ({ offer, param: 'model', needs: 'nothing' })

/** Each once; what is off by now, or no longer sold, is left out. */
function listed(
  catalogue: SoldModels,
  { name, models }: Serving,
  choices: readonly ModelChoice[],
): readonly Candidate[] {
  const candidates = new Map<string, Candidate>()
  let failure: GatewayError | null = null
  for (const [index, { id, param }] of choices.entries())
    try {
      const offer = resolve(catalogue, name, models, id)
      const { standsIn, fallbacks = [] } = offer
      const needs = standsIn ? 'nothing' : index === 0 ? 'all' : 'access'
      for (const each of standsIn ? [offer, ...fallbacks] : [offer])
        if (!candidates.has(each.model.id))
          candidates.set(each.model.id, { offer: each, param, needs })
    } catch (thrown) {
      if (!isGatewayError(thrown)) throw thrown
      failure ??= thrown
      if (!isGone(thrown)) throw new GatewayError(thrown.code, thrown.facts, { param })
    }
  if (candidates.size === 0 && failure !== null) throw failure
  return [...candidates.values()]
}

const isGone = ({ code }: GatewayError): boolean =>
  code === 'model_discontinued' || code === 'model_temporarily_unavailable'
