import type { Caller } from '../../domain/caller'
import { requestPartsOf, type CallContextParts } from './call-context'
import { openBudget, type BudgetedCall } from './budget'
import { dispatch, type Dispatched, type DispatchParts } from './dispatch'
import type { CallBody, Endpoint } from './endpoint'
import { callWithFallback, type RequestModel } from './fallbacks'
import { cappedDispatch } from './metered-dispatch'
import type { MeteredCall } from './settlement'
import type { PreparedCall, PrepareParts } from './prepare'
import { recountPrompt } from './recount'
import type { AttemptObserver } from './try-routes'

/** Dependencies of asking the models of a call. */
export interface RequestModelParts extends PrepareParts, DispatchParts, CallContextParts {
  readonly settings: PrepareParts['settings']
  /** The caller by now, other processes' changes included. @throws what `Identity.renew` throws */
  renew(caller: Caller): Caller
}

/** Asks the vendors of one model. @param open told of routes that gave no answer */
export const requestModel = <Body extends CallBody>(
  parts: RequestModelParts,
  endpoint: Endpoint<Body>,
  model: PreparedCall<Body>,
  call: MeteredCall,
  open: AttemptObserver,
): Promise<Dispatched> =>
  call.hold.metered
    ? requestMetered(parts, endpoint, model, call, open)
    : dispatch(parts, endpoint, model.body, requestPartsOf(parts, model), open)

/** Asks the models that may answer, one after the other. */
export const requestChoices = <Body extends CallBody>(
  parts: RequestModelParts,
  endpoint: Endpoint<Body>,
  prepared: PreparedCall<Body>,
  call: MeteredCall,
) => {
  const ask: RequestModel<Body> = (model, open) => requestModel(parts, endpoint, model, call, open)
  return callWithFallback({ endpoint, routeOrder: parts.routeOrder, open: call, ask }, prepared)
}

/** Asks the vendors of a model for an answer that ends where the money does. */
async function requestMetered<Body extends CallBody>(
  parts: RequestModelParts,
  endpoint: Endpoint<Body>,
  model: PreparedCall<Body>,
  call: MeteredCall,
  open: AttemptObserver,
): Promise<Dispatched> {
  const renew = () => parts.renew(model.caller)
  const counted = await recountPrompt(parts, endpoint, model, { hold: call.hold, renew })
  const budgeted = budgetedOf(counted, call)
  const budget = openBudget(budgeted, renew, 'output')
  const asking = cappedDispatch(endpoint, counted, budgeted, budget)
  return await dispatch(parts, asking, model.body, requestPartsOf(parts, model), open)
}

export const budgetedOf = <Body extends CallBody>(
  { offer, estimate }: PreparedCall<Body>,
  { hold }: MeteredCall,
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
