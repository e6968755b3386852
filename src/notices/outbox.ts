import type { Clock, Ms, Random } from '../domain/clock'
import { DeliveryFailed, type Channel } from './channel'
import type { Delivery, NoticeStore } from './store'

/** Outbox: delivers pending notices at least once, with retries, however often the process dies. */
export interface Outbox {
  /** Something may have become pending. */
  wake(): void
  /** Starts nothing more; deliveries under way are dropped and stay pending. */
  close(): void
}

export interface OutboxParts {
  readonly store: NoticeStore
  readonly channels: readonly Channel[]
  readonly clock: Clock
  readonly random: Random
  readonly retry: Retry
  /** Told when a notice did not arrive. */
  onFailure(delivery: Delivery, error: string, final: boolean): void
  /** Told when the outbox itself could not be read or written; it is tried again. */
  onFault(fault: unknown): void
}

export interface Retry {
  /** Wait after the first failure; each further one doubles it. */
  readonly firstMs: number
  readonly maxMs: number
  /** From the notice on; then its channel gives up. */
  readonly giveUpAfterMs: number
}

/** Retry delays that suit a receiver that is down over a weekend. */
export const patientRetry: Retry = {
  firstMs: 1000,
  maxMs: 3_600_000,
  giveUpAfterMs: 72 * 3_600_000,
}

/** Sent at once on one channel: a slow receiver must not hold up all others. */
const atOnce = 4
const afterFaultMs = 1000
/** Timers do not reach further than 24 days; looking once an hour costs nothing. */
const maxSleepMs = 3_600_000

export function openOutbox(parts: OutboxParts): Outbox {
  const leaving = new AbortController()
  const lanes = parts.channels.map((channel) => openLane(channel, parts, leaving.signal))
  return {
    wake() {
      for (const lane of lanes) lane.wake()
    },
    close() {
      leaving.abort()
      for (const lane of lanes) lane.close()
    },
  }
}

/** One channel: channels do not wait for each other. */
function openLane(channel: Channel, parts: OutboxParts, leaving: AbortSignal): Outbox {
  const { store, clock, onFault } = parts
  let timer: ReturnType<typeof setTimeout> | null = null
  let running = false
  let woken = false

  const sleep = (ms: number) => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (leaving.aborted) return
    timer = setTimeout(() => void run(), Math.min(Math.max(ms, 0), maxSleepMs))
    timer.unref()
  }

  const run = async () => {
    timer = null
    running = true
    let next: number | null = afterFaultMs
    try {
      do {
        woken = false
        const due = await store.due(channel.name, clock.now(), atOnce)
        if (leaving.aborted) return
        const ends = await Promise.allSettled(
          due.map((delivery) => attempt(channel, delivery, parts, leaving)),
        )
        if (leaving.aborted) return
        for (const end of ends) if (end.status === 'rejected') throw end.reason
        if (due.length > 0) woken = true
      } while (woken)
      const time = await store.nextDue(channel.name)
      next = time === null ? null : time - clock.now()
    } catch (fault) {
      onFault(fault)
    } finally {
      running = false
      if (woken) sleep(next ?? 0)
      else if (next !== null) sleep(next)
    }
  }

  return {
    wake() {
      woken = true
      if (!running) sleep(0)
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

async function attempt(
  channel: Channel,
  delivery: Delivery,
  { store, clock, random, retry, onFailure }: OutboxParts,
  leaving: AbortSignal,
): Promise<void> {
  const { notice, attempts } = delivery
  try {
    await channel.deliver(notice, leaving)
  } catch (thrown) {
    // The storage may be closed by now.
    if (leaving.aborted) return
    const error = thrown instanceof DeliveryFailed ? thrown.message : 'the channel failed'
    const now = clock.now()
    const next = (now + waitMs(attempts, retry, random)) as Ms
    const final = next - notice.created > retry.giveUpAfterMs
    if (final) await store.giveUp(notice.id, channel.name, now, error)
    else await store.postpone(notice.id, channel.name, next, error)
    onFailure(delivery, error, final)
    return
  }
  if (!leaving.aborted) await store.delivered(notice.id, channel.name, clock.now())
}

/**
 * Exponential backoff: doubles with each failure; jitter takes up to half of it, so that receivers are not
 * hit in step.
 */
function waitMs(attempts: number, { firstMs, maxMs }: Retry, random: Random): number {
  const whole = Math.min(firstMs * 2 ** attempts, maxMs)
  return Math.ceil(whole * (0.5 + random() / 2))
}
