/**
 * How many times as long this machine takes as one with two idle cores, as `scripts/run-tests.ts` measures when it
 * begins; at least 1.
 */
const slowness = Number(process.env['CHAPAR_TEST_SLOWNESS'] ?? 1)

/** Longest that a timer waits: a ledger that a test leaves behind must not write in the midst of another test. */
export const neverMs = 2 ** 31 - 1

/** Milliseconds that are enough on a machine with two idle cores, as many as that is here. */
export const paced = (ms: number): number => Math.ceil(ms * slowness)

/** Seconds of a lease that nodes keep on a machine with two idle cores, as many as they need here. */
export const pacedSeconds = (seconds: number): number => Math.ceil(seconds * slowness)

/** A program that is broken ends a test by this, and no other one does. */
const patienceMs = paced(60_000)

/** Looks again until it is so. @throws Error when it never is */
export async function until(isSo: () => boolean | Promise<boolean>, everyMs = 2): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within ${patienceMs} ms: ${isSo.toString()}`)
    await Bun.sleep(everyMs)
  }
}
