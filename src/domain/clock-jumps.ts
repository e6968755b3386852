import type { Clock, Monotonic, Ticks } from './clock'

/** What a wall clock may drift between two looks: a clock that is slewed stays below it. */
const minJumpMs = 1000

/**
 * Jumps of the wall clock, seen beside the monotonic one: somebody set it, the first answer of a time server came,
 * or a virtual machine was resumed.
 */
export interface ClockJumps {
  /** Milliseconds that the wall clock was set forward since the last look, below zero for back; 0 for no jump. */
  look(): number
  /** How far it was set forward within the time that is remembered. */
  forwardMs(): number
}

/** @param keptMs how long jumps are remembered, by the monotonic clock */
export function openClockJumps(clock: Clock, monotonic: Monotonic, keptMs: number): ClockJumps {
  let [at, ticks] = [clock.now(), monotonic.ticks()]
  let forward: { readonly ms: number; readonly until: Ticks }[] = []
  return {
    look() {
      const [nowAt, nowTicks] = [clock.now(), monotonic.ticks()]
      const jumpedMs = Math.round(nowAt - at - (nowTicks - ticks))
      ;[at, ticks] = [nowAt, nowTicks]
      forward = forward.filter(({ until }) => until > nowTicks)
      if (Math.abs(jumpedMs) < minJumpMs) return 0
      if (jumpedMs > 0) forward.push({ ms: jumpedMs, until: (nowTicks + keptMs) as Ticks })
      // What was set forward before is set back again.
      for (let back = -jumpedMs; back > 0 && forward.length > 0;) {
        const last = forward.pop()
        if (last !== undefined && last.ms > back) forward.push({ ...last, ms: last.ms - back })
        back -= last?.ms ?? back
      }
      return jumpedMs
    },
    forwardMs: () => forward.reduce((sum, { ms }) => sum + ms, 0),
  }
}
