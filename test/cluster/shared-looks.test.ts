import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeOn } from '../support/postgres'
import { openFleet, type Fleet } from './fleet'
import { paced, pacedSeconds } from '../support/pace'

const perMinute = 60
const nothing = '0.000000'
/** News of addresses are told once a second. */
const toldMs = paced(1500)
/** A call that goes on is told of within two looks at half a second, and what ended with the next beat. */
const heldMs = 3500

describeOn('npm', 'two gateways on one PostgreSQL', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await openFleet(['one', 'two'], {
      ttlSeconds: pacedSeconds(5),
      env: { CHAPAR_ADDRESS_RPM: String(perMinute), CHAPAR_TRUSTED_PROXIES: '127.0.0.1' },
    })
  })
  afterAll(() => fleet.close())

  /** From an address of its own. */
  const ask = (at: number, address: string, secret: string, path = '/me') =>
    fetch(`${fleet.gateways[at]?.url}${path}`, {
      headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': address },
    })

  test('what running calls hold is the same wherever it is looked at, and free slices are held by nobody', async () => {
    const { secret } = await fleet.customer('5')
    const me = async (at: number) => {
      const answer = await ask(at, `10.0.0.${at + 1}`, secret)
      const { balance } = (await answer.json()) as {
        balance: { held_usd: string; available_usd: string; usd: string }
      }
      return balance
    }
    const both = async () => [await me(0), await me(1)] as const
    for (const at of [0, 1])
      expect((await fleet.call(at, secret, { address: '10.0.0.9' })).status).toBe(200)
    // Either one has slices, and nothing runs.
    const [idle, other] = await both()
    expect([idle.held_usd, other.held_usd]).toEqual([nothing, nothing])
    expect(other.available_usd).toBe(other.usd)
    const leaving = new AbortController()
    const running = await fleet.call(0, secret, {
      address: '10.0.0.9',
      model: 'sandbox/slow-priced',
      words: 200,
      stream: true,
      signal: leaving.signal,
    })
    const began = performance.now()
    let seen = await both()
    const isSame = () => seen[1].held_usd !== nothing && seen[1].held_usd === seen[0].held_usd
    while (!isSame() && performance.now() - began < heldMs) {
      await Bun.sleep(100)
      seen = await both()
    }
    expect(Number(seen[1].held_usd)).toBeGreaterThan(0)
    expect(seen[1]).toEqual(seen[0])
    leaving.abort()
    await running.text().catch(() => {})
    const ended = performance.now()
    while ((await me(1)).held_usd !== nothing && performance.now() - ended < heldMs)
      await Bun.sleep(100)
    expect((await me(1)).held_usd).toBe(nothing)
  })

  test('each has four connections while nobody reads pages', async () => {
    const rows = (await fleet.sql.unsafe(
      `SELECT regexp_replace(application_name, ' \\S+$', '') AS name, count(*)::int AS count FROM pg_stat_activity
        WHERE application_name LIKE 'chapar %' AND application_name NOT LIKE 'chapar reads %' GROUP BY 1 ORDER BY 1`,
    )) as { name: string; count: number }[]
    expect(rows.map(({ name, count }) => [name, count])).toEqual([
      ['chapar exchanges', 2],
      ['chapar node', 2],
      ['chapar notices', 2],
      // That of the test among them.
      ['chapar stores', 3],
    ])
  })

  test('requests of one address are counted by both: within a second each knows of the other', async () => {
    const { secret } = await fleet.customer('5')
    const address = '10.0.1.1'
    for (let request = 0; request < perMinute; request++)
      expect((await ask(0, address, secret)).status).toBe(200)
    await Bun.sleep(toldMs)
    // What flowed back meanwhile is spent.
    const statuses: number[] = []
    for (let request = 0; request < 5; request++)
      statuses.push((await ask(1, address, secret)).status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(4)
    expect(statuses.at(-1)).toBe(429)
    expect((await ask(1, '10.0.1.2', secret)).status).toBe(200)
  })

  test('wrong keys of one address are counted by both', async () => {
    const wrong = 'sk-chapar-v1-0000000000000000000000000000000000000000000'
    const address = '10.0.2.1'
    let tries = 0
    while ((await ask(0, address, wrong)).status === 401) tries++
    expect(tries).toBeGreaterThan(3)
    await Bun.sleep(toldMs)
    expect((await ask(1, address, wrong)).status).toBe(429)
    expect((await ask(1, '10.0.2.2', wrong)).status).toBe(401)
  })
})
