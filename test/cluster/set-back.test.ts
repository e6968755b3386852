import { afterAll, beforeAll, expect, test } from 'bun:test'
import { run } from '../support/executable'
import { describeOn } from '../support/postgres'
import { callCost, openFleet, type Fleet } from './fleet'
import { pacedSeconds } from '../support/pace'

describeOn('npm', 'a database that was set back by a second', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await openFleet(['one', 'two'], { ttlSeconds: pacedSeconds(6) })
  })
  afterAll(() => fleet.close())

  const batches = async (): Promise<readonly number[]> => {
    const rows: { batch: bigint }[] = await fleet.sql.unsafe('SELECT batch FROM nodes ORDER BY id')
    return rows.map(({ batch }) => Number(batch))
  }

  test('ends both gateways, which begin again on what is there; nothing is charged twice', async () => {
    const { account, secret } = await fleet.customer('5')
    const call = async (at: number) => (await fleet.call(at, secret)).status
    for (const at of [0, 1]) expect(await call(at)).toBe(200)
    // Until both calls are in the database.
    while ((await fleet.paidBy(account).catch(() => 0)) < 1.5 * callCost) await Bun.sleep(20)
    const setBack = await fleet.server.keepCopy()
    const paid = async () => Math.round((await fleet.paidBy(account).catch(() => 0)) / callCost)
    const before = await batches()
    for (;;) {
      for (const at of [0, 1]) await call(at).catch(() => 0)
      const now = await batches().catch(() => before)
      if ((await paid()) > 3 && now.every((batch, at) => batch > Number(before[at]))) break
    }
    const key = await fleet.customer('1')
    await setBack()
    expect(await Promise.all(fleet.gateways.map(({ exited }) => exited))).toEqual([3, 3])
    for (const { logs } of fleet.gateways)
      expect(logs()).toContain('fenced: the database lacks what it had confirmed')

    fleet.gateways[0] = await fleet.begin('one')
    fleet.gateways[1] = await fleet.begin('two')
    for (const at of [0, 1]) expect(await call(at)).toBe(200)
    // That customer is one of those that were forgotten.
    expect((await fleet.call(0, key.secret)).status).toBe(401)
    const env = { CHAPAR_DATABASE: fleet.url }
    const audit = await run(['audit'], { data: fleet.folder('desk'), env })
    expect({ code: audit.code, said: audit.stdout + audit.stderr }).toMatchObject({ code: 0 })
  })
})
