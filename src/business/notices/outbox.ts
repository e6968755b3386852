import type { Clock, Ms, Random } from '../../domain/clock'
import { DeliveryFailed, type Channel } from './channel'
import { backoffMs, isGivenUp, latestDue, openNextPoll, type Retry } from './retry'
import type { Delivery, NoticeStore } from './contract'

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

/** Retry delays that suit a receiver that is down over a weekend. */
export const patientRetry: Retry = {
  firstMs: 1000,
  maxMs: 3_600_000,
  giveUpAfterMs: 72 * 3_600_000,
}

/** Sent at once on one channel: a slow receiver must not hold up all others. */
const atOnce = 4
const afterFaultMs = 1000

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
  const { store, clock, retry, onFault } = parts
  let running = false
  let woken = false
  const nextPoll = openNextPoll(() => void run(), leaving)

  const run = async () => {
    running = true
    let next: number | null = afterFaultMs
    try {
      do {
        woken = false
        const now = clock.now()
        const due = await store.due(channel.name, now, latestDue(now, retry), atOnce)
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
      if (woken) nextPoll.in(next ?? 0)
      else if (next !== null) nextPoll.in(next)
    }
  }

  return {
    wake() {
      woken = true
      if (!running) nextPoll.in(0)
    },
    close: nextPoll.clear,
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
    const next = (now + backoffMs(attempts, retry, random)) as Ms
    const final = isGivenUp(notice.created, next, attempts, retry)
    if (final) await store.giveUp(notice.id, channel.name, now, error)
    else await store.postpone(notice.id, channel.name, next, error)
    onFailure(delivery, error, final)
    return
  }
  if (!leaving.aborted) await store.delivered(notice.id, channel.name, clock.now())
}
