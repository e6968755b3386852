import type { Offer } from '../catalogue/catalogue'
import { hasSeveral } from '../catalogue/credentials'
import { isForNextCredential } from '../catalogue/health/faults'
import type { VendorHealth } from '../catalogue/health/vendor-health'
import type { AffinityKey, RouteOrder } from '../catalogue/route-order'
import type { Clock, Monotonic, Ms } from '../../domain/clock'
import type { ProjectId } from '../../domain/ids'
import type { PriceCard, Route, VendorConfig } from '../../domain/model'
import type { Meter } from '../../domain/usage'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import type { Sells } from '../formats/hosted-tools'
import type { Inbound } from '../http/inbound'
import type { CallObserver } from '../observability/call-observer'
import type { Target, Vendor } from '../vendors/vendor'
import type { MeteredCall } from './settlement'

/** Dependencies of routing and failover. */
export interface RoutingParts {
  readonly vendors: Readonly<Record<string, Vendor>>
  /** Vendors as configured now, by name. */
  vendorConfig(name: string): VendorConfig | null
  readonly routeOrder: RouteOrder
  readonly vendorHealth: VendorHealth
  /** Wall clock for times that are shown. */
  readonly clock: Clock
  readonly monotonic: Monotonic
  readonly observer: CallObserver
}

/** A call that is looking for a vendor. */
interface RoutedCall {
  readonly routes: readonly Route[]
  readonly offer: Offer
  readonly inbound: Inbound
  /** A vendor bills what it makes: where one may have made it, no other is asked. */
  readonly isOrder: boolean
  /** Which calls go the same way among routes of one priority; chance where it is not given. */
  readonly likeness?: AffinityKey | null
  /** Which keeps to one credential of a vendor; null for a call that any may make. */
  readonly project: ProjectId | null
  readonly open?: AttemptObserver
}

/** Observer of routes that gave no answer. */
export interface AttemptObserver extends Pick<MeteredCall, 'unanswered' | 'isOver'> {
  /** The route of another model that failed before, so that those of this one are tried. */
  readonly instead?: Route | null
  /** It was asked, and the next one is. */
  failed?(route: Route): void
}

/** One vendor's turn. */
export interface Trial {
  /** Set when the vendor is asked: what is refused before is no failure of it. */
  isAsked: boolean
}

/**
 * Tries the routes of a call in order: failover to the next one after a failure that another vendor may not
 * have. A vendor that refused one of our credentials is asked with the next one before.
 * @param attempt asks one vendor; what it throws tells by its code whether the next route is tried
 * @throws the last vendor's failure | model_temporarily_unavailable
 */
export async function tryRoutes<Result>(
  parts: RoutingParts,
  call: RoutedCall,
  attempt: (target: Target, trial: Trial) => Promise<Result>,
): Promise<Result> {
  const { routes, offer, inbound, isOrder, open, likeness } = call
  let failure: GatewayError | null = null
  let instead: Route | null = open?.instead ?? null
  for (const route of parts.routeOrder.order(routes, likeness)) {
    const first = targetOf(parts, route, offer)
    if (first === null) continue
    const trial: Trial = { isAsked: false }
    let refused: GatewayError | null = null
    for (const target of signedTargets(parts, first, call)) {
      // It was stopped between two vendors: no other is asked.
      if (open?.isOver() === true) throw new Error('the call is over')
      trial.isAsked = false
      const { config } = target
      const began = parts.clock.now()
      const since = parts.monotonic.ticks()
      try {
        const result = await attempt(target, trial)
        parts.routeOrder.succeeded(route)
        parts.vendorHealth.succeeded(config)
        const tookMs = parts.monotonic.ticks() - since
        const answered = { route, config, instead, began, tookMs, failed: null, error: null }
        parts.observer.attempted(answered, inbound)
        return result
      } catch (thrown) {
        const error = isGatewayError(thrown) ? thrown : null
        const { isAsked } = trial
        if (isAsked) {
          const tookMs = parts.monotonic.ticks() - since
          const failed = (began + tookMs) as Ms
          parts.observer.attempted(
            { route, config, instead, began, tookMs, failed, error },
            inbound,
          )
        }
        if (isAsked && error !== null) parts.vendorHealth.failed(config, error)
        if (isAsked && (error === null || error.fateUnknown)) open?.unanswered(route)
        if (error?.row.nextRoute !== true)
          throw isOrder && error?.fateUnknown === true ? withoutClientRetry(error) : thrown
        refused = error
        if (!isForNextCredential(error)) break
      }
    }
    if (refused === null) continue
    if (refused.code !== 'endpoint_not_supported')
      parts.routeOrder.failed(route, refused.retryAfterSeconds)
    if (isOrder && refused.fateUnknown) throw withoutClientRetry(refused)
    failure = refused
    if (!trial.isAsked) continue
    instead = route
    open?.failed?.(route)
  }
  throw failure ?? unavailable(offer)
}

/** A vendor as each of our credentials asks it, in the order to try; one is the rule. */
function signedTargets(
  { vendorHealth }: RoutingParts,
  target: Target,
  { project }: RoutedCall,
): readonly Target[] {
  const { config, route } = target
  if (hasSeveral(config)) {
    const { credential } = route
    return vendorHealth.order(config, { project, credential }).map(signing(target))
  }
  return [route.credential === undefined ? target : { ...target, route: servedBy(route, config) }]
}

const signing =
  (target: Target) =>
  (config: VendorConfig): Target => ({ ...target, config, route: servedBy(target.route, config) })

const servedBy = (
  { credential: _, ...route }: Route,
  { credentialName: credential }: VendorConfig,
): Route => (credential === undefined ? route : { ...route, credential })

/**
 * Whether one of the routes can be asked; none is.
 * @param check throws where a vendor cannot be asked this
 * @throws what `check` throws | model_temporarily_unavailable
 */
export async function checkRoutes(
  parts: Pick<RoutingParts, 'vendors' | 'vendorConfig'>,
  { routes, offer }: Pick<RoutedCall, 'routes' | 'offer'>,
  check: (target: Target) => unknown,
): Promise<void> {
  let failure: GatewayError | null = null
  for (const route of routes) {
    const target = targetOf(parts, route, offer)
    if (target === null) continue
    try {
      await check(target)
      return
    } catch (thrown) {
      if (!isGatewayError(thrown) || thrown.row.nextRoute !== true) throw thrown
      failure = thrown
    }
  }
  throw failure ?? unavailable(offer)
}

/** Official clients repeat a 502 or 503 by themselves: the vendor would make and bill it twice. */
const withoutClientRetry = ({ code, facts, cause }: GatewayError) =>
  new GatewayError(code, facts, {
    fateUnknown: true,
    headers: { 'x-should-retry': 'false' },
    cause,
  })

const unavailable = ({ model }: Offer) =>
  new GatewayError('model_temporarily_unavailable', { model: model.id })

/** Target of a route; null while its vendor is off. */
export function targetOf(
  parts: Pick<RoutingParts, 'vendors' | 'vendorConfig'>,
  route: Route,
  offer: Offer,
): Target | null {
  const config = parts.vendorConfig(route.vendor)
  const vendor = config === null ? undefined : parts.vendors[config.kind]
  if (config === null || vendor === undefined || !config.active) return null
  const { traits, maxOutputTokens } = offer.model
  return { vendor, config, route, traits, maxOutputTokens, sells: sellsOf(offer.card) }
}

/** By card, as every call asks. */
const sellers = new WeakMap<PriceCard, Sells>()

function sellsOf(card: PriceCard): Sells {
  let sells = sellers.get(card)
  if (sells === undefined) {
    const meters = new Set<Meter>(card.lines.map(({ meter }) => meter))
    sellers.set(card, (sells = (meter) => meters.has(meter)))
  }
  return sells
}
