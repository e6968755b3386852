import type { PriceCheck } from '../../business/pricing/price-check'
import type { Clock, Monotonic, Ms, Random } from '../../domain/clock'
import type { TellPriceChanges } from '../../business/notices/price-notices'
import { faultFields, type Log } from '../../gateway/observability/log'
import type { PriceCheckStore } from '../../business/pricing/check-record'
import type { PriceCheckOrder } from './price-check-thread'

interface PriceScheduleParts {
  readonly clock: Clock
  readonly monotonic: Monotonic
  readonly random: Random
  readonly log: Log
  readonly store: Pick<PriceCheckStore, 'read'>
  /** What is to be done by now; read at each look. Null: nothing by itself. */
  order(): Promise<
    (Omit<PriceCheckOrder, 'folder' | 'database'> & { readonly everyMs: number }) | null
  >
  check(order: Omit<PriceCheckOrder, 'folder' | 'database'>): Promise<PriceCheck>
  readonly tell: TellPriceChanges
}

/** Checks public prices every so often, as long as the gateway serves. */
export interface PriceSchedule {
  /** Looks whether a check is due, and waits for it. */
  look(): Promise<void>
  close(): void
}

const lookMs = 60_000
/** Gateways that start together do not ask together. */
const firstMs = { min: 2 * 60_000, spread: 10 * 60_000 }
/** Nor do those that were started together ask together for good. */
const spreadShare = 0.1

/** Time of the next price check. @param last null before the first */
export function nextCheckAt(
  { startedAt, last, everyMs }: { startedAt: Ms; last: Ms | null; everyMs: number },
  share: number,
): Ms {
  const first = startedAt + firstMs.min + share * firstMs.spread
  const next = last === null ? 0 : last + everyMs * (1 + share * spreadShare)
  return Math.max(first, next) as Ms
}

export function openPriceSchedule(parts: PriceScheduleParts): PriceSchedule {
  const { clock, monotonic, random, log, store, order, check, tell } = parts
  const began = monotonic.ticks()
  const share = random()
  let busy = false
  /** Failed before it could write what it was. */
  let failedAt: Ms | null = null
  const run = async () => {
    const due = await order()
    if (due === null) return
    const { everyMs, ...asked } = due
    const record = await store.read()
    const at = record === null ? failedAt : (Math.max(record.at, failedAt ?? 0) as Ms)
    const now = clock.now()
    const startedAt = (now - (monotonic.ticks() - began)) as Ms
    // A check of a clock that was ahead says nothing of when the next one is due.
    const last = at !== null && at > now ? null : at
    if (now < nextCheckAt({ startedAt, last, everyMs }, share)) return
    try {
      const done = await check(asked)
      for (const { name, problem } of done.sources)
        if (problem !== null) log.warn('price source unreadable', { source: name, problem })
      const counts = { proposed: done.proposed.length, applied: done.applied.length }
      log.info('public prices checked', { compared: done.compared, ...counts })
      await tell(counts)
    } catch (fault) {
      failedAt = clock.now()
      log.error('price check failed', faultFields(fault))
    }
  }
  const look = async () => {
    if (busy) return
    busy = true
    try {
      await run()
    } catch (fault) {
      log.error('price check failed', faultFields(fault))
    } finally {
      busy = false
    }
  }
  const timer = setInterval(() => void look(), lookMs)
  timer.unref()
  return { look, close: () => clearInterval(timer) }
}
