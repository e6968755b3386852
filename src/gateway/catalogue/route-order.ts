import { ticksAfter, type Monotonic, type Random, type Ticks } from '../../domain/clock'
import type { Route } from '../../domain/model'

/** Routing of calls: which route to a model is tried first, with a cool-down (circuit breaker) for each. */
export interface RouteOrder {
  /**
   * By priority, by weight among equals; those that failed lately last, never left out.
   * @param likeness of the call: calls alike go the same way, so that what a vendor cached of their
   *   prompt is read again; null leaves it to chance
   */
  order(routes: readonly Route[], likeness?: AffinityKey | null): readonly Route[]
  /** Whether all of them failed lately, so that another model is the better choice for now. */
  areCooling(routes: readonly Route[]): boolean
  /**
   * Cools the route down: as long as the vendor asked for, else by exponential backoff from 1 s to 60 s,
   * until it succeeds.
   * @param retryAfterSeconds when the vendor said how long
   */
  failed(route: Route, retryAfterSeconds: number | null): void
  succeeded(route: Route): void
}

/** Hash of the common part of calls that should take the same route. */
export type AffinityKey = bigint

const firstCoolMs = 1000
const maxCoolMs = 60_000
/** A vendor that asks for more is looked at again after this. */
const maxRequestedMs = 3_600_000

interface Cooling {
  failures: number
  until: Ticks
}

/** Cool-downs of whole vendors. */
interface VendorCooling {
  /** Null while nothing is wrong with all of it. */
  coolingUntil(vendor: string): Ticks | null
}

const noneCools: VendorCooling = { coolingUntil: () => null }

/** Cooling is known per vendor and vendor's model, so that all offers over a route share it. */
export function openRouteOrder(
  monotonic: Monotonic,
  random: Random,
  vendors: VendorCooling = noneCools,
): RouteOrder {
  const cooling = new Map<string, Cooling>()
  /** 0 for a route that does not cool. */
  const coolUntil = (route: Route, now: Ticks): number => {
    const at = cooling.get(nameOf(route))?.until ?? 0
    return Math.max(at > now ? at : 0, vendors.coolingUntil(route.vendor) ?? 0)
  }

  const inOrder = (routes: readonly Route[], likeness: AffinityKey | null): readonly Route[] => {
    const now = monotonic.ticks()
    // One draw each: the weighted order of equals is that of u^(1/weight). Drawn by hash, a route
    // that is gone hands over its own share alone, and gets it back.
    const draw = (route: Route) =>
      (likeness === null ? random() : drawOf(route, likeness)) ** (1 / weightOf(route))
    return routes
      .map((route) => ({ route, until: coolUntil(route, now), draw: draw(route) }))
      .sort((a, b) => a.until - b.until || a.route.priority - b.route.priority || b.draw - a.draw)
      .map(({ route }) => route)
  }

  return {
    order: (routes, likeness = null) => (routes.length < 2 ? routes : inOrder(routes, likeness)),
    areCooling(routes) {
      const now = monotonic.ticks()
      return routes.length > 0 && routes.every((route) => coolUntil(route, now) > 0)
    },
    failed(route, retryAfterSeconds) {
      const now = monotonic.ticks()
      const name = nameOf(route)
      const before = cooling.get(name)
      // Calls that were under way together fail together: that is one failure, not many.
      const failures = before === undefined ? 1 : before.failures + (before.until > now ? 0 : 1)
      const coolMs =
        retryAfterSeconds !== null && retryAfterSeconds > 0
          ? Math.min(maxRequestedMs, retryAfterSeconds * 1000)
          : Math.min(maxCoolMs, firstCoolMs * 2 ** (failures - 1))
      const until = ticksAfter(now, Math.max((before?.until ?? now) - now, coolMs))
      cooling.set(name, { failures, until })
    },
    succeeded(route) {
      if (cooling.size > 0) cooling.delete(nameOf(route))
    },
  }
}

const nameOf = (route: Route): string => `${route.vendor} ${route.vendorModel}`

/** As by chance from zero to one, and always the same. */
const drawOf = (route: Route, likeness: AffinityKey): number =>
  Number(Bun.hash.wyhash(nameOf(route), likeness) >> 11n) / 2 ** 53

const weightOf = (route: Route): number => Math.max(route.weight, 1e-6)
