import { expect } from 'bun:test'
import type { DatabaseProxy } from '../support/database-proxy'
import type { Fleet } from './fleet'

/** What happens to a gateway, or to the database, while it is called. */
type FaultName = 'kill' | 'freeze' | 'crash' | 'stall' | 'lose answers' | 'cut' | 'strand' | 'delay'

interface RoundTerms {
  /** In turn, to one gateway after the other. */
  readonly faults: readonly FaultName[]
  /** At most so many, and for at most so long. */
  readonly rounds: number
  readonly maxMs: number
  readonly ttlMs: number
  /** Between 0 and 1. */
  random(): number
}

/** What was done, and what callers met. */
interface Played {
  readonly done: Readonly<Partial<Record<FaultName, number>>>
  readonly rounds: number
  /** Processes that woke up and ended, since another one had taken them over. */
  readonly fenced: number
  readonly answered: number
  readonly statuses: Readonly<Record<string, number>>
}

/** One fault of a gateway. @returns when it is over */
type Fault = (fleet: Fleet, at: number, terms: RoundTerms) => Promise<void>

export const gatewayName = (at: number): string => `gateway-${at}`

const restart = async (fleet: Fleet, at: number): Promise<void> => {
  fleet.gateways[at] = await fleet.begin(gatewayName(at))
}

/** Begins those anew that ended since another one had taken them over. @returns how many */
async function restartFenced(fleet: Fleet): Promise<number> {
  let fenced = 0
  for (const [at, { exited }] of fleet.gateways.entries()) {
    const code = await Promise.race([exited, Promise.resolve(null)])
    if (code === null) continue
    fenced++
    expect(code).toBe(3)
    await restart(fleet, at)
  }
  return fenced
}

/** Holds up what comes by the wire of a gateway, for less or for longer than its lease. */
const held =
  (hold: (wire: DatabaseProxy) => void): Fault =>
  async (fleet, at, { ttlMs, random }) => {
    const wire = fleet.wire(gatewayName(at))
    hold(wire)
    await Bun.sleep((0.2 + 1.3 * random()) * ttlMs)
    wire.resume()
  }

const faults: Readonly<Record<FaultName, Fault>> = {
  async kill(fleet, at) {
    const gateway = fleet.gateways[at]
    gateway?.kill('SIGKILL')
    await gateway?.exited
    await restart(fleet, at)
  },
  async freeze({ gateways }, at, { ttlMs }) {
    const pid = gateways[at]?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    await Bun.sleep(2.5 * ttlMs)
    process.kill(pid, 'SIGCONT')
  },
  async crash({ server }, _, { random }) {
    await server.stop('immediate')
    await Bun.sleep(random() * 300)
    await server.start()
  },
  stall: held((wire) => wire.stall()),
  'lose answers': held((wire) => wire.loseAnswers()),
  async cut(fleet, at, { random }) {
    for (let time = 0; time < 6; time++) {
      fleet.wire(gatewayName(at)).cut()
      await Bun.sleep(random() * 150)
    }
  },
  async strand(fleet, at) {
    fleet.wire(gatewayName(at)).strand()
  },
  async delay(fleet, at, { ttlMs, random }) {
    const wire = fleet.wire(gatewayName(at))
    wire.delay(random() * 200)
    await Bun.sleep(ttlMs / 2)
    wire.delay(0)
  },
}

/** Faults that may last for longer than a lease: the gateway may have been taken over. */
const mayFence = new Set<FaultName>(['freeze', 'stall', 'lose answers', 'crash'])

/** A call that was answered to its end. */
interface Answered {
  readonly id: string
  readonly account: number
  readonly isShort: boolean
}

/** What the short call of `Fleet.call` costs, in nano-dollars. */
const shortCost = 22_500

type Customer = Awaited<ReturnType<Fleet['customer']>>

const codeIn = (body: string): string => /"code":\s*"(\w+)"/.exec(body)?.[1] ?? 'without a code'

/** Customers who call all gateways in turn, until they are told to end. */
class MixedLoad {
  readonly answered: Answered[] = []
  readonly statuses: Record<string, number> = {}
  #isOver = false
  readonly #callers: Promise<void>[] = []

  constructor(
    readonly fleet: Fleet,
    readonly customers: readonly Customer[],
  ) {
    for (const customer of customers)
      for (let caller = 0; caller < 3; caller++) this.#callers.push(this.#run(customer, caller))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  async #run({ secret, account }: Customer, caller: number): Promise<void> {
    const { fleet } = this
    for (let turn = caller; !this.#isOver; turn++) {
      const how =
        turn % 7 === 3
          ? { stream: true, words: 6, model: 'sandbox/slow-priced' }
          : { stream: turn % 3 === 1 }
      // A process that is frozen answers nobody, and its clients do not wait for ever.
      const signal = AbortSignal.timeout(4000)
      let told = 'broken'
      try {
        const answer = await fleet.call(turn % fleet.gateways.length, secret, { ...how, signal })
        const body = await answer.text()
        told = answer.status === 200 ? '200' : `${answer.status} ${codeIn(body)}`
        const isWhole = how.stream ? body.includes('[DONE]') : true
        if (answer.status === 200 && isWhole && !body.includes('"error"'))
          this.answered.push({
            id: answer.headers.get('x-request-id') ?? '',
            account,
            isShort: how.model === undefined,
          })
      } catch {
        // Its gateway died, or stands still.
      }
      this.statuses[told] = (this.statuses[told] ?? 0) + 1
      await Bun.sleep(told === '200' ? 2 : 20)
    }
  }
}

/**
 * Plays faults under a mixed load, then looks whether the books say what clients were told.
 * @returns what was done
 */
export async function playRounds(fleet: Fleet, terms: RoundTerms): Promise<Played> {
  const { rounds, maxMs, ttlMs, random } = terms
  const customers = [
    await fleet.customer('50'),
    await fleet.customer('50', { requestsPerMinute: 300, concurrency: 3 }),
    // Runs out meanwhile.
    await fleet.customer('0.02'),
  ]
  const load = new MixedLoad(fleet, customers)
  const done: Partial<Record<FaultName, number>> = {}
  let played = 0
  let fenced = 0
  const until = performance.now() + maxMs
  while (played < rounds && performance.now() < until) {
    const at = played % fleet.gateways.length
    const name = terms.faults[played % terms.faults.length] ?? 'kill'
    played++
    await Bun.sleep(50 + random() * 200)
    // On a slow machine one hears late.
    fenced += await restartFenced(fleet)
    done[name] = (done[name] ?? 0) + 1
    const gateway = fleet.gateways[at]
    if (gateway === undefined) throw new Error('no gateways')
    await faults[name](fleet, at, terms)
    if (!mayFence.has(name)) continue
    // One that was taken over hears of it when it speaks again; a crash of the database may fence any.
    const wait = name === 'freeze' ? 2 * ttlMs : ttlMs
    await Promise.race([gateway.exited, Bun.sleep(wait)])
    fenced += await restartFenced(fleet)
  }
  await load.end()
  await endAll(fleet)
  // What the last deaths left is in the spools of their folders.
  for (const at of fleet.gateways.keys()) await restart(fleet, at)
  await endAll(fleet)
  await checkBooks(fleet, load)
  return { done, rounds: played, fenced, answered: load.answered.length, statuses: load.statuses }
}

/** Signals are heard a moment after a process says where it serves. */
const settledMs = 500

async function endAll(fleet: Fleet): Promise<void> {
  await Bun.sleep(settledMs)
  for (const gateway of fleet.gateways) gateway.kill('SIGTERM')
  for (const gateway of fleet.gateways) expect(await gateway.exited).toBe(0)
}

/** Every answered call is there, charged once; sums agree, and nothing is left behind. */
async function checkBooks({ sql, storage }: Fleet, { answered, customers }: MixedLoad) {
  const rows = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await sql.unsafe(text, [...values])) as Row[]
  const kept = new Map(
    (
      await rows<{ id: string; status: string; cost: bigint; paid: bigint }>(
        `SELECT r.id, r.status, r.cost, (SELECT coalesce(sum(t.amount), 0)::bigint FROM transfers t
          WHERE t.kind = 'charge' AND t.reference = r.id) AS paid FROM requests r`,
      )
    ).map((row) => [row.id, row]),
  )
  const wrong = answered.filter(({ id, isShort }) => {
    const row = kept.get(id)
    if (row === undefined || row.paid !== row.cost) return true
    return isShort && Number(row.cost) !== shortCost
  })
  expect(wrong).toEqual([])
  expect([...kept.values()].filter(({ status }) => status === 'pending')).toEqual([])
  const counts = await rows<{ leased: bigint; scopes: bigint; slices: bigint }>(
    `SELECT (SELECT coalesce(sum(leased), 0)::bigint FROM accounts) AS leased,
      (SELECT coalesce(sum(leased), 0)::bigint FROM scopes) AS scopes,
      (SELECT count(*) FROM slices WHERE amount > 0) AS slices`,
  )
  expect(Object.values(counts[0] ?? {}).map(Number)).toEqual([0, 0, 0])
  for (const { account } of customers) {
    const [row] = await rows<{ balance: bigint; moved: bigint }>(
      `SELECT balance, (SELECT sum(CASE WHEN credit = a.id THEN amount ELSE - amount END)::bigint
        FROM transfers WHERE a.id IN (debit, credit)) AS moved FROM accounts a WHERE id = $1`,
      [account],
    )
    expect(row?.balance).toBe(row?.moved as bigint)
    expect(Number(row?.balance)).toBeGreaterThanOrEqual(0)
  }
  expect((await storage.audit()).differences).toEqual([])
}
