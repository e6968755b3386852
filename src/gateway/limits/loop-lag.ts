import { readFileSync } from 'node:fs'

/** Load shedding: whether the process has had more work of its own for so long that it cannot take on more. */
interface LoopLag {
  readonly overloaded: boolean
  /** One turn of the timer. @param now milliseconds of a clock that never jumps */
  tick(now: number): void
}

/** How often the timer is to come. */
const tickMs = 100
/** Shorter than this it is a burst, and refusing would only make clients come again. */
const sustainedMs = 1000
/** One turn may be late by seconds for a collection or a machine that slept; several in a row are not. */
const minLateTicks = 3
/**
 * Share of its processor that the loop uses while its own work makes it late. Of a machine that others keep busy
 * it gets less: with ten busy programs beside it on two cores, a sixth.
 */
const busyShare = 1 / 3

interface LoopLagParts {
  /** Lateness in milliseconds that is still well, read at each look; 0: any. */
  limitMs(): number
  /** Calls that are in progress, or wait to be written. */
  queued(): number
  /** Milliseconds of processor time that the loop's thread has used so far. */
  usedMs(): number
  /** Processors that the process may use, where it is less than one. */
  readonly quota?: number
}

/**
 * Watches the loop of this process. @param onChange told when an overload begins and ends
 * @returns whether it is overloaded now, and what ends the watch
 */
export function watchLoopLag(
  parts: Pick<LoopLagParts, 'limitMs' | 'queued'>,
  onChange: (overloaded: boolean) => void,
) {
  const lag = openLoopLag({ ...parts, usedMs: threadMs, quota: processorQuota() })
  const timer = setInterval(() => {
    const before = lag.overloaded
    lag.tick(performance.now())
    if (lag.overloaded !== before) onChange(lag.overloaded)
  }, tickMs)
  timer.unref()
  return { overloaded: () => lag.overloaded, close: () => clearInterval(timer) }
}

/**
 * Overloaded while every tick of a second or longer came late by what the process itself did, for calls that it
 * has; over with the first one that is in time, or late by the work of others on the machine.
 */
export function openLoopLag({ limitMs, queued, usedMs, quota = 1 }: LoopLagParts): LoopLag {
  let due: number | null = null
  let usedBefore = 0
  /** When the first of the ticks that came late in a row was due, and how many there were. */
  let lateSince = 0
  let lateTicks = 0
  let overloaded = false
  return {
    get overloaded() {
      return overloaded
    },
    tick(now) {
      const expected = due ?? now
      const limit = limitMs()
      const used = usedMs()
      const isOwn = used - usedBefore >= busyShare * quota * (now - expected + tickMs)
      usedBefore = used
      due = now + tickMs
      if (limit === 0 || now - expected <= limit || !isOwn || queued() === 0) {
        lateTicks = 0
        overloaded = false
        return
      }
      if (lateTicks++ === 0) lateSince = expected
      overloaded = lateTicks >= minLateTicks && now - lateSince >= sustainedMs
    },
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Processors of the control group (cgroup v2, `cpu.max`), of which a thread can use one at most. */
function processorQuota(): number {
  try {
    const [used, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number)
    const quota = (used ?? NaN) / (period ?? NaN)
    return quota > 0 ? Math.min(1, quota) : 1
  } catch {
    return 1
  }
}
