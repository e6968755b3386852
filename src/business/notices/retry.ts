import type { Ms, Random } from '../../domain/clock'

/** When what did not arrive is sent again. */
export interface Retry {
  /** Wait after the first failure; each further one doubles it. */
  readonly firstMs: number
  readonly maxMs: number
  /** From the notice on; then it is not sent again. */
  readonly giveUpAfterMs: number
}

/** Doubles with each failure; between half of it and all of it, so that receivers are not hit in step. */
export function backoffMs(attempts: number, { firstMs, maxMs }: Retry, random: Random): number {
  const whole = Math.min(firstMs * 2 ** attempts, maxMs)
  return Math.ceil(whole * (0.5 + random() / 2))
}

/** Nothing is due later than this, unless the clock was set back since. */
export const latestDue = (now: Ms, { maxMs }: Retry): Ms => (now + maxMs) as Ms

/**
 * Whether what failed once more is given up: by the clock, and by as many failures as its time takes at least, for a
 * clock may have been set forward since.
 * @param attempts failures before this one
 */
export function isGivenUp(
  created: Ms,
  next: Ms,
  attempts: number,
  { maxMs, giveUpAfterMs }: Retry,
): boolean {
  return next - created > giveUpAfterMs && attempts + 1 >= giveUpAfterMs / maxMs
}

/** Timers do not reach further than 24 days; looking once an hour costs nothing. */
const maxSleepMs = 3_600_000

/** The next look of an outbox: the time that was set last holds. */
interface NextPoll {
  /** Nothing is set once the outbox closes. */
  in(ms: number): void
  clear(): void
}

/** @param look never throws */
export function openNextPoll(look: () => void, closing: AbortSignal): NextPoll {
  let timer: ReturnType<typeof setTimeout> | null = null
  const clear = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    in(ms) {
      clear()
      if (closing.aborted) return
      timer = setTimeout(look, Math.min(Math.max(ms, 0), maxSleepMs))
      timer.unref()
    },
    clear,
  }
}
