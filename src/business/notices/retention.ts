import { dayMs, type Clock, type Ms } from '../../domain/clock'
import type { NoticeStore } from './contract'

interface ForgettingParts {
  readonly store: Pick<NoticeStore, 'forget'>
  readonly clock: Clock
  /** Told when it failed; it is tried again at the next round. */
  onFault(fault: unknown): void
}

/** Deletes old notices, a little at a time, as long as the process runs. */
interface Forgetting {
  close(): void
}

/** Retention: a year and a month, so that a year ago can be compared. */
const keptMs = 400 * dayMs
const atOnce = 200
const firstMs = 10_000
const nextMs = 100
const roundMs = 6 * 3_600_000

export function openForgetting({ store, clock, onFault }: ForgettingParts): Forgetting {
  let timer: ReturnType<typeof setTimeout>
  let closed = false
  const later = (ms: number) => {
    if (closed) return
    timer = setTimeout(() => void run(), ms)
    timer.unref()
  }
  const run = async () => {
    let more = false
    try {
      more = (await store.forget((clock.now() - keptMs) as Ms, atOnce)) === atOnce
    } catch (fault) {
      onFault(fault)
    }
    later(more ? nextMs : roundMs)
  }
  later(firstMs)
  return {
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
