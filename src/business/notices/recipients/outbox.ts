import type { Clock, Ms, Random } from '../../../domain/clock'
import { DeliveryFailed } from '../channel'
import type { Outbox } from '../outbox'
import { backoffMs, isGivenUp, latestDue, openNextPoll, type Retry } from '../retry'
import type { HolderDelivery, HolderNoticeStore } from './contract'
import { sentWays, type SentWay } from './topics'

/** Final failure of a delivery: a retry would not help. */
export class Undeliverable extends DeliveryFailed {}

/**
 * Carries one notice to one receiver; may be asked again for the same one.
 * @throws DeliveryFailed
 */
export type Deliver = (delivery: HolderDelivery, signal: AbortSignal) => Promise<void>

interface HolderOutboxParts {
  readonly store: HolderNoticeStore
  readonly carry: Readonly<Record<SentWay, Deliver>>
  readonly clock: Clock
  readonly random: Random
  onFailure(delivery: HolderDelivery, error: string, final: boolean): void
  onFault(fault: unknown): void
}

/** Under way at once on one way; of one receiver one at a time, so that a slow one holds up nobody. */
const maxAtOnce = 16
/** Looked through for receivers that have nothing under way. */
const maxLooked = 200
const afterFaultMs = 1000
const retry: Retry = { firstMs: 15_000, maxMs: 3_600_000, giveUpAfterMs: 24 * 3_600_000 }

/** Sends what waits for people: at least once, however often the process dies. */
export function openHolderOutbox(parts: HolderOutboxParts): Outbox {
  const leaving = new AbortController()
  const lanes = sentWays.map((way) => openWay(way, parts, leaving.signal))
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

const receiverOf = ({ person, account }: HolderDelivery): string =>
  `${person ?? ''}/${account ?? ''}`

function openWay(way: SentWay, parts: HolderOutboxParts, leaving: AbortSignal): Outbox {
  const { store, clock, onFault } = parts
  const busy = new Set<string>()
  let looking = false
  let woken = false
  const nextPoll = openNextPoll(() => void look(), leaving)

  const begin = (delivery: HolderDelivery) => {
    const receiver = receiverOf(delivery)
    busy.add(receiver)
    attempt(delivery, parts, leaving)
      .catch(onFault)
      .finally(() => {
        busy.delete(receiver)
        wake()
      })
  }

  async function look(): Promise<void> {
    if (looking || leaving.aborted) return
    looking = true
    woken = false
    let next: number | null = null
    try {
      const now = clock.now()
      for (const delivery of await store.due(way, now, latestDue(now, retry), maxLooked))
        if (busy.size < maxAtOnce && !busy.has(receiverOf(delivery)) && !leaving.aborted)
          begin(delivery)
      // What is due already and was not begun waits for whoever is under way.
      const time = busy.size > 0 ? null : await store.nextDue(way)
      next = time === null ? null : time - clock.now()
    } catch (fault) {
      onFault(fault)
      next = afterFaultMs
    } finally {
      looking = false
      if (woken) nextPoll.in(0)
      else if (next !== null) nextPoll.in(next)
    }
  }

  function wake(): void {
    woken = true
    if (!looking) nextPoll.in(0)
  }

  return { wake, close: nextPoll.clear }
}

async function attempt(
  delivery: HolderDelivery,
  { store, carry, clock, random, onFailure }: HolderOutboxParts,
  leaving: AbortSignal,
): Promise<void> {
  try {
    await carry[delivery.way](delivery, leaving)
  } catch (thrown) {
    // The storage may be closed by now.
    if (leaving.aborted) return
    const error = thrown instanceof DeliveryFailed ? thrown.message : 'the way failed'
    const now = clock.now()
    const { attempts, notice } = delivery
    const next = (now + backoffMs(attempts, retry, random)) as Ms
    const isFinal =
      thrown instanceof Undeliverable || isGivenUp(notice.created, next, attempts, retry)
    if (isFinal) await store.giveUp(delivery, now, error)
    else await store.postpone(delivery, next, error)
    onFailure(delivery, error, isFinal)
    return
  }
  if (!leaving.aborted) await store.delivered(delivery, clock.now())
}
