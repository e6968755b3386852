/**
 * How long a hold takes: of the one process of a data folder, and of a front that has slices. A front's first hold
 * of an account is cold: it waits for its owner. Begun with a folder, this is the owner.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import type { Caller } from '../../src/domain/caller'
import type { Ledger } from '../../src/ledger/ledger'
import { openLedger } from '../../src/ledger/open-ledger'
import { openFront } from '../../src/processes/front'
import { openOwner } from '../../src/processes/owner'
import { openEndingFile } from '../../src/storage/sqlite/ending-spool'
import { isRunning } from '../../src/storage/sqlite/front-spools'
import { openStorage } from '../../src/storage/sqlite/open-storage'
import { customer, ending, opening } from '../../test/storage/folder'
import { start } from './process'
import { tableOf } from './report'

interface HoldDose {
  /** Accounts that call all the time, and accounts that call once. */
  readonly warmAccounts: number
  readonly coldAccounts: number
  readonly callsPerSecond: number
  readonly warmSeconds: number
  readonly seconds: number
}

/** Milliseconds. */
interface Waits {
  readonly name: string
  readonly count: number
  readonly p50: number
  readonly p99: number
}

const callMs = 5
const amount = nanoUsd(1000)
const settings = {
  kycCeiling: nanoUsd(2_000_000_000),
  serviceDayCapacity: null,
  flushMs: 10,
  pendingAfterMs: 1000,
}
const now = () => performance.now()
const onFault = (fault: unknown) => console.error(fault)

/** The owner alone, which begins no front. */
async function serveAsOwner(folder: string): Promise<void> {
  const storage = openStorage({ folder, exclusive: true, clock: systemClock })
  const { fronts } = storage
  if (fronts === null) throw new Error('no fronts in memory')
  const owner = await openOwner({
    store: storage.ledger,
    ...fronts,
    isRunning,
    silentMs: 20_000,
    fenceMs: 10_000,
    now,
    count: 0,
    command: [],
    environment: () => ({}),
    drainMs: 0,
    greeting: () => null,
    answering: async () => null,
    onEnded() {},
    onFault,
  })
  owner.begin()
  process.on('SIGTERM', () => {
    void owner
      .stop()
      .then(() => storage.close())
      .then(() => process.exit(0))
  })
}

/** @throws Error when an owner does not come up */
export async function measureHolds(folder: string, dose: HoldDose): Promise<readonly Waits[]> {
  mkdirSync(folder)
  const storage = openStorage({ folder, exclusive: true, clock: systemClock })
  const make = async (count: number): Promise<Caller[]> => {
    const made: Caller[] = []
    for (let at = 0; at < count; at++) made.push(await customer(storage, { usd: '100' }))
    return made
  }
  const warm = await make(dose.warmAccounts)
  const cold = await make(dose.coldAccounts)
  const { ledger: store, endings: spool } = storage
  const one = openLedger({ store, spool, settings, onFault })
  const alone = await paced(one, warm, dose)
  await one.close()
  await storage.close()

  const owner = start([process.execPath, import.meta.path, folder], {
    core: 'server',
    log: `${folder}.log`,
  })
  const front = await linked(folder)
  const ledger = front.openLedger(settings)
  const slices = await paced(ledger, warm, dose)
  const first: number[] = []
  for (const caller of cold) first.push(await held(ledger, caller))
  await ledger.close()
  await front.close()
  await owner.end()
  return [
    waitsOf('one process', alone),
    waitsOf('front, warm account', slices),
    waitsOf('front, cold account', first),
  ]
}

const linkTries = 500

async function linked(folder: string): ReturnType<typeof openFront> {
  for (let tries = 1; ; tries++)
    try {
      return await openFront({
        path: join(folder, 'fronts', 'owner.sock'),
        pid: process.pid,
        answering: async () => null,
        beatMs: 1000,
        fenceMs: 10_000,
        now,
        openSpool: openEndingFile,
        onChanged() {},
        onLeave() {},
        onFault,
        onGone() {},
      })
    } catch (thrown) {
      if (tries === linkTries) throw thrown
      await Bun.sleep(10)
    }
}

/** Calls at an even pace, one account after the other. @returns waits of those after the warm-up */
async function paced(
  ledger: Ledger,
  callers: readonly Caller[],
  { callsPerSecond, warmSeconds, seconds }: HoldDose,
): Promise<readonly number[]> {
  const calls: Promise<number>[] = []
  const all = callsPerSecond * (warmSeconds + seconds)
  const began = now()
  for (let call = 0; call < all; call++) {
    const due = began + (call * 1000) / callsPerSecond
    while (now() < due) await Bun.sleep(0)
    const caller = callers[call % callers.length]
    if (caller === undefined) break
    calls.push(held(ledger, caller))
  }
  return (await Promise.all(calls)).slice(callsPerSecond * warmSeconds)
}

/** A whole call. @returns how long its hold took, in milliseconds */
async function held(ledger: Ledger, caller: Caller): Promise<number> {
  const begun = opening(caller, systemClock.now(), systemIds.request())
  const before = now()
  const hold = await ledger.hold({ caller, amount, opening: begun })
  const waited = now() - before
  await Bun.sleep(callMs)
  hold.settle(ending(amount))
  await ledger.spooled()
  return waited
}

function waitsOf(name: string, waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return { name, count: waits.length, p50: at(0.5), p99: at(0.99) }
}

const microsPerMs = 1000

/** The table that people read. */
export const holdReport = (found: readonly Waits[]): string =>
  tableOf([
    ['hold', 'calls', 'p50 µs', 'p99 µs'],
    ...found.map(({ name, count, p50, p99 }) => [
      name,
      String(count),
      (p50 * microsPerMs).toFixed(1),
      (p99 * microsPerMs).toFixed(1),
    ]),
  ])

if (import.meta.main) await serveAsOwner(process.argv[2] ?? '')
