import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeOn } from '../support/postgres'
import { callCost, openFleet, type Fleet } from './fleet'
import { paced, pacedSeconds } from '../support/pace'

const ttlSeconds = pacedSeconds(6)
const ttlMs = ttlSeconds * 1000
/** A process sells for nine tenths of its lease. */
const fenceMs = 0.9 * ttlMs

/** What callers met, with when it was. */
interface Met {
  readonly at: number
  readonly status: number
  readonly tookMs: number
  readonly retryAfter: string | null
}

/** Callers that go on calling, each as often as it is said. */
class Load {
  readonly met: Met[] = []
  #isOver = false
  readonly #callers: Promise<void>[] = []

  constructor(readonly fleet: Fleet) {}

  caller(at: number, secret: string, everyMs: number): void {
    const run = async () => {
      while (!this.#isOver) {
        const began = performance.now()
        const answer = await this.fleet.call(at, secret)
        await answer.arrayBuffer()
        const tookMs = performance.now() - began
        const retryAfter = answer.headers.get('retry-after')
        this.met.push({ at: began, status: answer.status, tookMs, retryAfter })
        await Bun.sleep(Math.max(0, everyMs - tookMs))
      }
    }
    this.#callers.push(run())
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  between(from: number, to: number): readonly Met[] {
    return this.met.filter(({ at }) => at >= from && at < to)
  }
}

const statusesOf = (met: readonly Met[]) => [...new Set(met.map(({ status }) => status))]

describeOn('distribution', 'two gateways whose database is away', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await openFleet(['one', 'two'], { ttlSeconds, kind: 'distribution' })
  })
  afterAll(() => fleet.close())

  const readyz = async (at: number) => {
    const root = fleet.gateways[at]?.url.replace(/\/v1$/, '')
    const answer = await fetch(`${root}/readyz`)
    const { status } = (await answer.json()) as { status: string }
    return `${answer.status} ${status}`
  }

  /** Accounts of every kind of limit, each called at both gateways. */
  const begin = async () => {
    const load = new Load(fleet)
    const customers = [
      { ...(await fleet.customer('5')), everyMs: 20 },
      // Just within its limits: a part of them is all that a gateway has.
      { ...(await fleet.customer('5', { requestsPerMinute: 200 })), everyMs: 700 },
      { ...(await fleet.customer('5', { concurrency: 4 })), everyMs: 20 },
    ]
    for (const { secret, everyMs } of customers)
      for (const at of [0, 1]) load.caller(at, secret, everyMs)
    // Until slices are as large as this load needs.
    await Bun.sleep(2500)
    return { load, customers }
  }

  /** Every answered call is charged, once. */
  const checkCharges = async (load: Load, accounts: readonly { account: number }[]) => {
    const answered = load.met.filter(({ status }) => status === 200).length
    const paid = async () => {
      let sum = 0
      for (const { account } of accounts) sum += await fleet.paidBy(account)
      return Math.round(sum / callCost)
    }
    for (let look = 0; look < 300 && (await paid()) < answered; look++) await Bun.sleep(20)
    expect(await paid()).toBe(answered)
  }

  const outages = {
    'stands still': { begin: () => fleet.server.freeze(), end: async () => fleet.server.thaw() },
    'is shut down': {
      begin: () => fleet.server.stop('immediate'),
      end: () => fleet.server.start(),
    },
  }

  test.each(['stands still', 'is shut down'] as const)(
    'it %s for half a lease: nobody who calls is refused, or waits for it',
    async (how) => {
      const narrow = await fleet.customer('5', { requestsPerMinute: 40, concurrency: 8 })
      for (const at of [0, 1]) expect((await fleet.call(at, narrow.secret)).status).toBe(200)
      const { load, customers } = await begin()
      const began = performance.now()
      await outages[how].begin()
      await Bun.sleep(ttlMs / 4)
      // More than its slices have, and no more than its part of the limits.
      const { secret: bursting } = narrow
      const busy = await Promise.all([0, 1, 2, 3].map(() => fleet.call(0, bursting)))
      const burst = [...busy]
      while (burst.length < 18) burst.push(await fleet.call(0, bursting))
      expect(burst.map(({ status }) => status)).toEqual(burst.map(() => 200))
      await Bun.sleep(began + ttlMs / 2 - performance.now())
      await outages[how].end()
      const back = performance.now()
      await Bun.sleep(1000)
      await load.end()
      const during = load.between(began, back)
      expect(statusesOf(load.met)).toEqual([200])
      expect(during.length).toBeGreaterThan(100)
      expect(Math.max(...during.map(({ tookMs }) => tookMs))).toBeLessThan(paced(1500))
      await checkCharges(load, customers)
      // What the runtime says of its connections is a line of the log as any other.
      for (const { logs } of fleet.gateways) expect(logs()).not.toMatch(/^bun:/m)
      if (how === 'is shut down') expect(fleet.gateways[0]?.logs()).toContain('bun:sql LISTEN')
    },
  )

  test('it is away for longer than a lease: 503 that says when to come again, and all goes on by itself', async () => {
    const stranger = await fleet.customer('5')
    const { load, customers } = await begin()
    const began = performance.now()
    fleet.server.freeze()
    const unknown = fleet.call(0, stranger.secret).then((answer) => ({
      status: answer.status,
      retryAfter: Number(answer.headers.get('retry-after')),
      tookMs: performance.now() - began,
    }))
    await Bun.sleep(0.7 * ttlMs)
    // Balancers ask others before calls are refused here.
    for (const at of [0, 1]) expect(await readyz(at)).toBe('503 database_away')
    await Bun.sleep(began + fenceMs + 1000 - performance.now())
    const fenced = performance.now()
    await Bun.sleep(ttlMs / 2)
    fleet.server.thaw()
    const back = performance.now()
    while ((await readyz(0)) !== '200 ready' || (await readyz(1)) !== '200 ready')
      await Bun.sleep(20)
    const ready = performance.now()
    await Bun.sleep(1500)
    await load.end()
    expect(statusesOf(load.between(0, began + ttlMs / 2))).toEqual([200])
    const { status, retryAfter: after, tookMs } = await unknown
    expect(status).toBe(503)
    expect(after).toBeGreaterThanOrEqual(1)
    expect(tookMs).toBeLessThan(paced(6500))
    const refused = load.between(fenced, back)
    expect(statusesOf(refused)).toEqual([503])
    expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true)
    expect(ready - back).toBeLessThan(3000)
    expect(statusesOf(load.between(ready, Infinity))).toEqual([200])
    // Nobody took the other one over meanwhile.
    for (const { pid } of fleet.gateways) expect(process.kill(pid, 0)).toBe(true)
    await checkCharges(load, customers)
  })
})
