import type { Caller } from '../../domain/caller'
import { askPartsOf, type CallContextParts } from './call-context'
import { openBudget, type BudgetedCall } from './budget'
import { dispatch, type Dispatched, type DispatchParts } from './dispatch'
import type { CallBody, Endpoint } from './endpoint'
import { askInTurn, type AskModel } from './fallbacks'
import { meteredAsking } from './metered-dispatch'
import type { OpenCall } from './settlement'
import type { PreparedCall, PrepareParts } from './prepare'
import { lookAgain } from './recount'
import type { FailedRoutes } from './try-routes'

/** Dependencies of asking the models of a call. */
export interface AskModelParts extends PrepareParts, DispatchParts, CallContextParts {
  readonly settings: PrepareParts['settings']
  /** The caller by now, other processes' changes included. @throws what `Identity.renew` throws */
  renew(caller: Caller): Caller
}

/** Asks the vendors of one model. @param open told of routes that gave no answer */
export const askModel = <Body extends CallBody>(
  parts: AskModelParts,
  endpoint: Endpoint<Body>,
  model: PreparedCall<Body>,
  call: OpenCall,
  open: FailedRoutes,
): Promise<Dispatched> =>
  call.hold.metered
    ? askMetered(parts, endpoint, model, call, open)
    : dispatch(parts, endpoint, model.body, askPartsOf(parts, model), open)

/** Asks the models that may answer, one after the other. */
export const askChoices = <Body extends CallBody>(
  parts: AskModelParts,
  endpoint: Endpoint<Body>,
  prepared: PreparedCall<Body>,
  call: OpenCall,
) => {
  const ask: AskModel<Body> = (model, open) => askModel(parts, endpoint, model, call, open)
  return askInTurn({ endpoint, routeOrder: parts.routeOrder, open: call, ask }, prepared)
}

/** Asks the vendors of a model for an answer that ends where the money does. */
async function askMetered<Body extends CallBody>(
  parts: AskModelParts,
  endpoint: Endpoint<Body>,
  model: PreparedCall<Body>,
  call: OpenCall,
  open: FailedRoutes,
): Promise<Dispatched> {
  const renew = () => parts.renew(model.caller)
  const counted = await lookAgain(parts, endpoint, model, { hold: call.hold, renew })
  const budgeted = budgetedOf(counted, call)
  const budget = openBudget(budgeted, renew, 'output')
  const asking = meteredAsking(endpoint, counted, budgeted, budget)
  return await dispatch(parts, asking, model.body, askPartsOf(parts, model), open)
}

export const budgetedOf = <Body extends CallBody>(
  { offer, estimate }: PreparedCall<Body>,
  { hold }: OpenCall,
): BudgetedCall => ({
  hold,
  rates: offer.rates,
  ceiling: estimate.possible,
  prompts: estimate.prompts,
})

/** An answer, and the call of the model that gave it where that was chosen. */
export type ModelAnswer<Body extends CallBody> = Dispatched | ChosenAnswer<Body>

interface ChosenAnswer<Body extends CallBody> {
  readonly answering: PreparedCall<Body>
  readonly dispatched: Dispatched
}

export const answeredBy = <Body extends CallBody>(
  asked: ModelAnswer<Body>,
  prepared: PreparedCall<Body>,
): ChosenAnswer<Body> =>
  'dispatched' in asked ? asked : { answering: prepared, dispatched: asked }
