import type { RouteOrder } from '../catalogue/route-order'
import { isGatewayError, type GatewayError } from '../../errors/gateway-error'
import { VendorFailure } from '../../errors/vendor-failure'
import type { Ledger } from '../../ledger/ledger'
import type { Route } from '../../domain/model'
import type { Dispatched } from './dispatch'
import type { AttemptObserver } from './try-routes'
import type { CallBody, Endpoint } from './endpoint'
import type { MeteredCall } from './settlement'
import { answeringModel, type PreparedCall } from './prepare'

/**
 * A call without those of its fallbacks that there is no money for: nobody is refused for what a dearer
 * model would cost. Nothing may be awaited between this and the hold.
 */
export async function affordable<Body extends CallBody>(
  ledger: Pick<Ledger, 'check'>,
  prepared: PreparedCall<Body>,
): Promise<PreparedCall<Body>> {
  const { fallbacks = [], amount: least } = prepared
  const dearer = new Set(fallbacks.map(({ amount }) => amount).filter((amount) => amount > least))
  for (const most of [...dearer].toSorted((a, b) => b - a))
    if (await isCovered(ledger, { ...prepared, amount: most })) return noDearer(prepared, most)
  return noDearer(prepared, least)
}

async function isCovered(
  ledger: Pick<Ledger, 'check'>,
  { caller, amount, opening }: PreparedCall<CallBody>,
): Promise<boolean> {
  try {
    await ledger.check({ caller, amount, opening })
    return true
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown
    return false
  }
}

const noDearer = <Body extends CallBody>(
  { fallbacks, ...first }: PreparedCall<Body>,
  most: number,
): PreparedCall<Body> =>
  fallbacks === undefined
    ? first
    : { ...first, fallbacks: fallbacks.filter(({ amount }) => amount <= most) }

/** An answer, and the call of the model that gave it. */
interface AnsweredBy<Body extends CallBody> {
  readonly answering: PreparedCall<Body>
  readonly dispatched: Dispatched
}

/** Asks the vendors of one model. @throws what `dispatch` throws */
export type RequestModel<Body extends CallBody> = (
  call: PreparedCall<Body>,
  open: AttemptObserver,
) => Promise<Dispatched>

/** Context for asking several models. */
interface TurnParts<Body extends CallBody> {
  readonly endpoint: Pick<Endpoint<Body>, 'isOrder'>
  readonly routeOrder: Pick<RouteOrder, 'areCooling'>
  readonly open: Pick<MeteredCall, 'answerAs' | 'unanswered' | 'isOver'>
  readonly ask: RequestModel<Body>
}

/**
 * Asks one model after the other until one answers; the call is its from then on. Models whose vendors
 * all failed lately come last. What one cannot do is left to the next, but for the one that the client
 * named: what it refuses is final, unless it is too long for it alone.
 * @throws the last failure
 */
export async function callWithFallback<Body extends CallBody>(
  { endpoint: { isOrder }, routeOrder, open, ask }: TurnParts<Body>,
  prepared: PreparedCall<Body>,
): Promise<AnsweredBy<Body>> {
  let failure: GatewayError | null = null
  let instead: Route | null = null
  const rests = ({ offer }: PreparedCall<Body>) => Number(routeOrder.areCooling(offer.routes))
  const turns = [prepared, ...(prepared.fallbacks ?? [])].toSorted((a, b) => rests(a) - rests(b))
  for (const answering of turns)
    try {
      const dispatched: Dispatched = await ask(answering, {
        ...accountFor(answering, open),
        instead,
        failed: (route) => (instead = route),
      })
      try {
        if (answering !== prepared) open.answerAs(answeringModel(answering))
      } catch (ended) {
        // The call ended meanwhile: its answer has no reader.
        dispatched.abort()
        throw ended
      }
      return { answering, dispatched }
    } catch (thrown) {
      if (!isGatewayError(thrown) || (isOrder === true && thrown.fateUnknown)) throw thrown
      const isSkipped = answering.isFallback === true && isOurs(thrown)
      if (!isSkipped && !goesOn(thrown)) throw thrown
      if (!isSkipped || failure === null) failure = thrown
    }
  throw failure ?? new Error('no model attempted')
}

/** Estimates the vendor's bill for an attempt without an answer, by its own model. */
const accountFor = (
  { estimate }: PreparedCall<CallBody>,
  open: Pick<MeteredCall, 'unanswered' | 'isOver'>,
): Pick<MeteredCall, 'unanswered' | 'isOver'> => ({
  isOver: () => open.isOver(),
  unanswered: (route, counted) =>
    open.unanswered(route, counted ?? { units: estimate.usual, reasoning: 0, estimated: true }),
})

/** A failure that another model may not have. What a model does not offer is none: it was refused. */
const goesOn = ({ row, code, contextTooLong }: GatewayError): boolean =>
  contextTooLong || (row.nextRoute === true && code !== 'endpoint_not_supported')

/** A refusal for a model's abilities or its cost, before its vendor was asked. */
const isOurs = ({ status, cause }: GatewayError): boolean =>
  (status === 400 || status === 402) && !(cause instanceof VendorFailure)
