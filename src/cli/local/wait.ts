import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { getJson } from '../../gateway/outbound/get-json'
import { leaf, read, type CommonOptions } from '../kit/command'
import { printJson, printLine } from '../kit/output'
import { isAlive } from '../../business/data/open'
import { failureFile, readFailure, readReadyFile, readStarting, type Ready } from './ready-file'

interface WaitOptions extends CommonOptions {
  readonly timeout: number
}

const usualSeconds = 30

export function waitCommand(program: Command): void {
  leaf(
    program,
    'wait',
    'wait until the gateway of a ready file answers; exits 1 when it could not or did not start, 3 while it starts',
    'wait chapar.env   # after: chapar serve --ephemeral --port 0 --ready-file chapar.env &',
  )
    .argument('<file>', 'what serve was told as --ready-file')
    .option('--timeout <seconds>', 'wait no longer', read.count, usualSeconds)
    .action(async (file: string, options: WaitOptions) => {
      const { url, pid } = await waitFor(file, options.timeout * 1000)
      if (options.json) return printJson({ url: `${url}/v1`, pid })
      printLine(`Chapar serves at ${url}/v1`)
    })
}

const lookEveryMs = 25
const healthMs = 1000
/**
 * A sign of failure that was there before the wait may be an earlier gateway's: the one that was just
 * started takes it away well within this.
 */
const staleMs = 2000
/** A failure this young at the beginning of the wait is of the gateway that was started just before. */
const youngMs = 1000

/** The time is over, and the gateway lives: a longer wait may help. */
export class StillStarting extends RangeError {}

/** @throws StillStarting | RangeError when the gateway failed, or was not started in time */
async function waitFor(file: string, timeoutMs: number): Promise<Ready> {
  const began = performance.now()
  for (;;) {
    const ready = readReadyFile(file)
    if (ready !== null && isAlive(ready.pid) && (await answers(ready))) return ready
    const waitedMs = performance.now() - began
    const failed = failureOf(file, ready)
    if (failed !== null && (waitedMs > failed.sinceMs || waitedMs > Math.min(staleMs, timeoutMs)))
      throw new RangeError(failed.why)
    if (waitedMs > timeoutMs) throw timedOut(file, ready, timeoutMs / 1000)
    await Bun.sleep(lookEveryMs)
  }
}

function timedOut(file: string, ready: Ready | null, seconds: number): RangeError {
  const pid = ready?.pid ?? readStarting(file)
  if (pid === null)
    return new RangeError(
      `no gateway was started for ${file} in ${seconds} seconds: start chapar serve --ready-file ${file}`,
    )
  if (!isAlive(pid))
    return new RangeError(
      `the gateway of ${file} (process ${pid}) has ended before it was ready; its output says why`,
    )
  return new StillStarting(
    `the gateway of ${file} (process ${pid}) is still starting after ${seconds} seconds: wait longer with --timeout`,
  )
}

const answers = async ({ url }: Ready): Promise<boolean> =>
  (await getJson(`${url}/readyz`, new Headers(), healthMs)).status === 200

/** A sign that no gateway will be ready. */
interface Failure {
  readonly why: string
  /** A wait that is longer than this began before the sign could be an earlier gateway's. */
  readonly sinceMs: number
}

function failureOf(file: string, ready: Ready | null): Failure | null {
  const why = readFailure(file)
  if (why !== null)
    return {
      why: `the gateway did not start: ${why}`,
      sinceMs: ageMs(failureFile(file)) - youngMs,
    }
  if (ready === null || isAlive(ready.pid)) return null
  return {
    why: `the gateway of ${file} (process ${ready.pid}) has ended`,
    sinceMs: ageMs(file),
  }
}

function ageMs(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined
    ? Number.POSITIVE_INFINITY
    : performance.timeOrigin + performance.now() - stat.mtimeMs
}
