import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { getJson } from '../../outbound/get-json'
import { leaf, read, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'
import { isAlive } from './reach'
import { failureFile, readFailure, readReadyFile, type Ready } from './ready-file'

interface WaitOptions extends CommonOptions {
  readonly timeout: number
}

const usualSeconds = 30

export function waitCommand(program: Command): void {
  leaf(
    program,
    'wait',
    'wait until the gateway of a ready file answers; fails when it could not start',
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

/** @throws RangeError when the gateway failed, or does not answer in time */
async function waitFor(file: string, timeoutMs: number): Promise<Ready> {
  const began = performance.now()
  for (;;) {
    const ready = readReadyFile(file)
    if (ready !== null && isAlive(ready.pid) && (await answers(ready))) return ready
    const waitedMs = performance.now() - began
    const failed = failureOf(file, ready)
    if (failed !== null && (waitedMs > failed.sinceMs || waitedMs > Math.min(staleMs, timeoutMs)))
      throw new RangeError(failed.why)
    if (waitedMs > timeoutMs)
      throw new RangeError(
        `no gateway is ready after ${timeoutMs / 1000} seconds: was chapar serve --ready-file ${file} started?`,
      )
    await Bun.sleep(lookEveryMs)
  }
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
