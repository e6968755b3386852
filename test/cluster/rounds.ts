import { expect } from 'bun:test'
import { withFakedTime } from '../support/faketime'
import type { DatabaseProxy } from '../support/database-proxy'
import type { Serving } from '../support/executable'
import type { Fleet } from './fleet'
import { MixedLoad, oneCall } from './mixed-load'
import { SilenceWatch, type Silences, type Touched } from './silence'

/** Times in which everything that was answered may be gone from the database, by the monotonic clock. */
type Lost = readonly (readonly [fromMs: number, toMs: number])[]

interface Fault {
  /** Gateways it touches, of so many. */
  touches(at: number, count: number): Touched
  /** Ends a gateway, or lasts for longer than a lease: the gateway may have been taken over. */
  readonly mayFence?: true
  /** Plays it on the gateway at that place. @returns when it is over, with what it may have lost */
  play(fleet: Fleet, at: number, terms: RoundTerms): Promise<Lost | void>
}

const alone = (at: number): Touched => [at]
const withNext = (at: number, count: number): Touched => [at, (at + 1) % count]
const every = (_: number, count: number): Touched => [...Array(count).keys()]
const database = (): Touched => 'database'

export const gatewayName = (at: number): string => `gateway-${at}`

const restart = async (fleet: Fleet, at: number, before: readonly string[] = []): Promise<void> => {
  fleet.gateways[at] = await fleet.begin(gatewayName(at), undefined, before)
}

async function killed(fleet: Fleet, at: number): Promise<void> {
  const gateway = fleet.gateways[at]
  gateway?.kill('SIGKILL')
  await gateway?.exited
}

/** Less than a lease, or more. */
const shortOrLong = ({ ttlMs, random }: RoundTerms): number => (0.2 + 1.3 * random()) * ttlMs

/** Holds up what comes by the wire of a gateway. */
const held = (hold: (wire: DatabaseProxy) => void): Fault => ({
  touches: alone,
  mayFence: true,
  async play(fleet, at, terms) {
    const wire = fleet.wire(gatewayName(at))
    hold(wire)
    await Bun.sleep(shortOrLong(terms))
    wire.resume()
  },
})

/** Starts a gateway anew with a clock that is off. */
const withClock = (offset: string): Fault => ({
  touches: alone,
  async play(fleet, at) {
    await killed(fleet, at)
    await restart(fleet, at, withFakedTime(`FAKETIME=${offset}`))
  },
})

/** Before a copy of the database was made, what was answered may not have been written yet. */
const unwrittenMs = 1000

const faults = {
  kill: {
    touches: alone,
    async play(fleet, at) {
      await killed(fleet, at)
      await restart(fleet, at)
    },
  },
  'kill two': {
    touches: withNext,
    async play(fleet, at) {
      const two = [at, (at + 1) % fleet.gateways.length]
      await Promise.all(two.map((each) => killed(fleet, each)))
      await Promise.all(two.map((each) => restart(fleet, each)))
    },
  },
  roll: {
    touches: every,
    async play(fleet) {
      for (const [at, gateway] of fleet.gateways.entries()) {
        gateway.kill('SIGTERM')
        // The fault before may have had it taken over, which it hears of now.
        expect([0, 3]).toContain(await gateway.exited)
        await restart(fleet, at)
      }
    },
  },
  freeze: {
    touches: alone,
    mayFence: true,
    async play({ gateways }, at, { ttlMs }) {
      const pid = gateways[at]?.pid ?? 0
      process.kill(pid, 'SIGSTOP')
      await Bun.sleep(2.5 * ttlMs)
      process.kill(pid, 'SIGCONT')
    },
  },
  'clock ahead': withClock('+1h'),
  'clock behind': withClock('-1h'),
  crash: {
    touches: database,
    mayFence: true,
    async play({ server }, _, { random }) {
      await server.stop('immediate')
      await Bun.sleep(random() * 300)
      await server.start()
    },
  },
  'stop database': {
    touches: database,
    mayFence: true,
    async play({ server }, _, terms) {
      await server.stop('fast')
      await Bun.sleep(shortOrLong(terms))
      await server.start()
    },
  },
  'hang database': {
    touches: database,
    mayFence: true,
    async play({ server }, _, terms) {
      server.freeze()
      await Bun.sleep(shortOrLong(terms))
      server.thaw()
    },
  },
  'fill disk': {
    touches: database,
    mayFence: true,
    async play({ server }, _, terms) {
      const free = server.fillDisk()
      await Bun.sleep(shortOrLong(terms))
      await free()
    },
  },
  'fail over': {
    touches: database,
    mayFence: true,
    async play({ server }) {
      const from = performance.now() - unwrittenMs
      const setBack = await server.keepCopy()
      await Bun.sleep(1000)
      await setBack()
      return [[from, performance.now()]]
    },
  },
  stall: held((wire) => wire.stall()),
  'lose answers': held((wire) => wire.loseAnswers()),
  cut: {
    touches: alone,
    async play(fleet, at, { random }) {
      for (let time = 0; time < 6; time++) {
        fleet.wire(gatewayName(at)).cut()
        await Bun.sleep(random() * 150)
      }
    },
  },
  strand: {
    touches: alone,
    play(fleet, at) {
      fleet.wire(gatewayName(at)).strand()
      return Promise.resolve()
    },
  },
  delay: {
    touches: alone,
    async play(fleet, at, { ttlMs, random }) {
      const wire = fleet.wire(gatewayName(at))
      wire.delay(random() * 200)
      await Bun.sleep(ttlMs / 2)
      wire.delay(0)
    },
  },
} satisfies Readonly<Record<string, Fault>>

/** What happens to gateways, or to the database, while they are called. */
type FaultName = keyof typeof faults
export const faultNames = Object.keys(faults) as readonly FaultName[]

interface RoundTerms {
  /** In turn, to one gateway after the other. */
  readonly faults: readonly FaultName[]
  readonly ttlMs: number
  /** Between 0 and 1. */
  random(): number
}

/** What was done, and what callers met. */
interface Played {
  readonly done: Readonly<Partial<Record<FaultName, number>>>
  /** Processes that woke up and ended, since another one had taken them over. */
  readonly fenced: number
  readonly answered: number
  /** What gateways said of calls that nothing explains. */
  readonly unexplained: readonly string[]
  /** By status and code. */
  readonly statuses: Readonly<Record<string, number>>
  readonly silentMs: Silences
}

/** Begins those anew that ended since another one had taken them over. @returns how many */
async function restartFenced(fleet: Fleet, watch: SilenceWatch): Promise<number> {
  let fenced = 0
  for (const [at, { exited }] of fleet.gateways.entries()) {
    const code = await Promise.race([exited, Promise.resolve(null)])
    if (code === null) continue
    fenced++
    expect(code).toBe(3)
    await watch.during([at], () => restart(fleet, at))
  }
  return fenced
}

/** One that was taken over hears of it when it speaks again. */
const heard = (gateway: Serving, ms: number) => Promise.race([gateway.exited, Bun.sleep(ms)])

/**
 * Plays faults under a mixed load, then looks whether the books say what clients were told.
 * @returns what was done
 */
export async function playRounds(fleet: Fleet, terms: RoundTerms): Promise<Played> {
  const { ttlMs, random } = terms
  const load = await MixedLoad.open(fleet)
  const watch = new SilenceWatch(fleet, load.customers.rich.secret)
  const done: Partial<Record<FaultName, number>> = {}
  const lost: (readonly [number, number])[] = []
  let fenced = 0
  for (const [round, name] of terms.faults.entries()) {
    const fault: Fault = faults[name]
    const at = round % fleet.gateways.length
    await Bun.sleep(50 + random() * 200)
    done[name] = (done[name] ?? 0) + 1
    await watch.during(fault.touches(at, fleet.gateways.length), async () => {
      lost.push(...((await fault.play(fleet, at, terms)) ?? []))
      if (fault.mayFence !== true) return
      const touched = fleet.gateways[at]
      if (touched !== undefined) await heard(touched, name === 'freeze' ? 2 * ttlMs : ttlMs)
    })
    fenced += await restartFenced(fleet, watch)
  }
  await load.end()
  const silentMs = await watch.end()
  // On a slow machine one hears late.
  fenced += await restartFenced(fleet, watch)
  const left = await load.buyOut(ttlMs)
  for (const [scope, usd] of Object.entries(left)) {
    expect({ scope, isBelowZero: usd < 0 }).toEqual({ scope, isBelowZero: false })
    expect({ scope, usd: usd < oneCall ? 'spent' : usd }).toEqual({ scope, usd: 'spent' })
  }
  await endAll(fleet)
  // What the last deaths left is in the spools of their folders.
  for (const at of fleet.gateways.keys()) await restart(fleet, at)
  await endAll(fleet)
  await checkBooks(fleet, load, lost)
  const { statuses, answered } = load
  return {
    done,
    fenced,
    answered: answered.length,
    statuses,
    silentMs,
    unexplained: faultsIn(fleet),
  }
}

const faultsIn = (fleet: Fleet): readonly string[] =>
  fleet.logs().flatMap((said) => said.split('\n').filter((line) => line.includes('internal error')))

/** Signals are heard a moment after a process says where it serves. */
const settledMs = 500

async function endAll(fleet: Fleet): Promise<void> {
  await Bun.sleep(settledMs)
  for (const gateway of fleet.gateways) gateway.kill('SIGTERM')
  for (const gateway of fleet.gateways) expect(await gateway.exited).toBe(0)
}

/** What the short call of `Fleet.call` costs, in nano-dollars. */
const shortCost = 22_500

/** Every answered call is there, charged once; sums agree, and nothing is left behind. */
async function checkBooks({ sql, storage }: Fleet, { answered }: MixedLoad, lost: Lost) {
  const rows = async <Row>(text: string) => (await sql.unsafe(text)) as Row[]
  const kept = new Map(
    (
      await rows<{ id: string; cost: bigint; paid: bigint }>(
        `SELECT r.id, r.cost, (SELECT coalesce(sum(t.amount), 0)::bigint FROM transfers t
          WHERE t.kind = 'charge' AND t.reference = r.id) AS paid FROM requests r`,
      )
    ).map((row) => [row.id, row]),
  )
  const isLost = (atMs: number) => lost.some(([from, to]) => atMs >= from && atMs <= to)
  const wrong = answered.filter(({ id, isShort, atMs }) => {
    const row = kept.get(id)
    if (row === undefined) return !isLost(atMs)
    if (row.paid !== row.cost) return true
    return isShort && Number(row.cost) !== shortCost
  })
  expect(wrong).toEqual([])
  const left = await rows<{ what: string; count: bigint }>(
    `SELECT 'pending text' AS what, count(*) AS count FROM requests
        WHERE status = 'pending' AND endpoint <> 'videos'
      UNION ALL SELECT 'leased by accounts', coalesce(sum(leased), 0) FROM accounts
      UNION ALL SELECT 'leased by scopes', coalesce(sum(leased), 0) FROM scopes
      UNION ALL SELECT 'slices', count(*) FROM slices WHERE amount > 0
      UNION ALL SELECT 'below zero', count(*) FROM accounts
        WHERE balance < 0 AND id IN (SELECT account FROM projects)
      UNION ALL SELECT 'drift', count(*) FROM accounts a
        WHERE id IN (SELECT account FROM projects) AND balance <> (SELECT
          sum(CASE WHEN credit = a.id THEN amount ELSE - amount END) FROM transfers
          WHERE a.id IN (debit, credit))`,
  )
  expect(left.filter(({ count }) => Number(count) !== 0)).toEqual([])
  expect((await storage.audit()).differences).toEqual([])
}
