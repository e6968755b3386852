import { afterEach, describe, expect, test } from 'bun:test'
import { systemClock, systemMonotonic, type Clock, type Ms } from '../../src/domain/clock'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, openaiStream, replies, streamReply, wholeReply } from '../support/stand-in'

const hour = 3_600_000
const day = 24 * hour
const timeoutMs = 1500
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A gateway whose wall clock can be set, before a vendor that answers when it is let. */
async function open() {
  let shiftMs = 0
  let answer = Promise.withResolvers<void>()
  const clock: Clock = { now: () => (systemClock.now() + shiftMs) as Ms }
  const vendor = openStandIn(async (seen) => {
    await answer.promise
    return seen.body['stream'] === true
      ? streamReply(openaiStream('to the end'))
      : wholeReply('whole')
  })
  closing.push(() => vendor.close())
  const chapar: TestGateway = await openTestGateway({
    clock,
    monotonic: systemMonotonic,
    async prepare(storage) {
      await addVendor(storage, 'standin', vendor.url, timeoutMs)
      await addModel(storage, 'priced', ['standin'])
    },
  })
  closing.push(() => chapar.close())
  return {
    chapar,
    vendor,
    jump: (ms: number) => void (shiftMs += ms),
    jumpTo: (time: string) => void (shiftMs = Date.parse(time) - Date.now()),
    let: () => answer.resolve(),
    hold: () => void (answer = Promise.withResolvers<void>()),
  }
}

type Bench = Awaited<ReturnType<typeof open>>

const jumps: readonly (readonly [string, (bench: Bench) => void])[] = [
  ['an hour back', ({ jump }) => jump(-hour)],
  ['two hours ahead', ({ jump }) => jump(2 * hour)],
  ['thirty days ahead', ({ jump }) => jump(30 * day)],
  ['26 years ahead', ({ jump }) => jump(26 * 365 * day)],
  ['into summer time', ({ jumpTo }) => jumpTo('2027-03-28T01:30:00Z')],
  ['out of summer time', ({ jumpTo }) => jumpTo('2027-10-31T01:30:00Z')],
  ['to the end of a month', ({ jumpTo }) => jumpTo('2026-12-31T23:59:58Z')],
  ['to the year 2000', ({ jumpTo }) => jumpTo('2000-01-01T00:00:00Z')],
]

describe('a wall clock that is set while calls wait for their vendor', () => {
  test.each(jumps)(
    '%s ends none of them, and their receipts tell how long they took',
    async (_, jump) => {
      const bench = await open()
      const { chapar, vendor } = bench
      const calls = [false, true].map((stream) => chapar.post({ ...ask('priced'), stream }))
      while (vendor.seen.length < 2) await Bun.sleep(5)
      jump(bench)
      // Deadlines are looked at every 50 ms.
      await Bun.sleep(150)
      bench.let()
      const answers = await Promise.all(calls)
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await answers[0]?.text()) ?? '').toContain('whole')
      expect((await answers[1]?.text()) ?? '').toContain('[DONE]')
      // The limits of keys and addresses, and connections that were kept.
      expect((await chapar.post(ask('priced'))).status).toBe(200)
      expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
      const ids = answers.map((each) => each.headers.get('x-request-id') ?? '')
      for (const id of ids) {
        const call = await chapar.storage.reports.call(id, null)
        expect(call?.status).toBe('success')
        expect(call?.latencyMs).toBeWithin(100, 30_000)
      }
      expect((await chapar.audit()).differences).toEqual([])
    },
  )

  test('a minute back lets none of them wait for longer than its vendor may take', async () => {
    const { chapar, vendor, jump } = await open()
    const began = performance.now()
    const calls = [false, true].map((stream) => chapar.post({ ...ask('priced'), stream }))
    while (vendor.seen.length < 2) await Bun.sleep(5)
    jump(-60_000)
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([502, 502])
    expect(performance.now() - began).toBeWithin(timeoutMs - 100, timeoutMs + 10_000)
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  test('ahead ends no cool-down of a vendor, and back makes none last', async () => {
    const { chapar, vendor, jump } = await open()
    const { routeOrder } = chapar.gateway.parts
    vendor.play(() =>
      Response.json(
        { error: { message: 'slow down' } },
        { status: 429, headers: { 'retry-after': '2' } },
      ),
    )
    expect((await chapar.post(ask('priced'))).status).toBe(429)
    const routes = chapar.gateway.parts.catalogue.find('priced')?.model.routes ?? []
    expect(routeOrder.areCooling(routes)).toBe(true)
    jump(30 * day)
    expect(routeOrder.areCooling(routes)).toBe(true)
    jump(-60 * day)
    await Bun.sleep(2200)
    expect(routeOrder.areCooling(routes)).toBe(false)
    vendor.play(replies())
    expect((await chapar.post(ask('priced'))).status).toBe(200)
  })
})
