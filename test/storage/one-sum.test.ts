import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Caller } from '../../src/domain/caller'
import { dayMs, type Ms } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { openDayIn } from '../../src/domain/zone-days'
import { orderVideo } from '../endpoints/videos/order'
import { charge, customer, noBatch, opening, testFolder } from './folder'
import { wholeLedger } from './whole-ledger'

const hourMs = 3_600_000
const zones = ['Asia/Tehran', 'UTC', 'America/New_York'] as const

/** What a service does; hours are those that pass before it. */
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      who: fc.nat(2),
      cost: fc.oneof(fc.constant(0), fc.nat(1_000_000)),
      hours: fc.nat(5),
    }),
  },
  // It begins, hours pass, and it ends: midnights of all zones lie in between.
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('long' as const),
      who: fc.nat(2),
      cost: fc.nat(1_000_000),
      hours: fc.nat(30),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('video' as const),
      who: fc.nat(2),
      fails: fc.boolean(),
      isFree: fc.boolean(),
      hours: fc.nat(9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sum' as const), rows: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('zone' as const), zone: fc.constantFrom(...zones) }),
  },
)

const all = { project: null, key: null, model: null, fromDay: 0, toDay: 99_999 }

test('pages, usage, ledger and profit come to one sum, whatever happens around midnight', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      using folder = testFolder()
      let storage = folder.open()
      let zone: (typeof zones)[number] = 'Asia/Tehran'
      storage.countDaysIn(zone)
      const callers: readonly Caller[] = await Promise.all(
        Array.from({ length: 3 }, () => customer(storage, { usd: '1000' })),
      )
      const byCommand = folder.open()
      const callerOf = (who: number): Caller => callers[who] ?? callers[0] ?? expect.unreachable()
      const pass = (hours: number) => folder.clock.set(folder.clock.now() + hours * hourMs)
      /** What each account's days come to by the zone of each call's beginning. */
      const told = new Map<string, number>()
      const tell = (account: number, day: number, amount: number) =>
        told.set(`${account} ${day}`, (told.get(`${account} ${day}`) ?? 0) + amount)
      const charged: { day: number; refund: Parameters<typeof byCommand.refunds.refund>[0] }[] = []

      const one = async (each: (typeof steps)[number]): Promise<void> => {
        switch (each.do) {
          case 'call':
          case 'long': {
            if (each.do === 'call') pass(each.hours)
            const call = opening(callerOf(each.who), folder.clock.now())
            const day = openDayIn(zone)(call.created)
            if (each.do === 'long') {
              await storage.ledger.commit({ ...noBatch, opened: [call] }, false)
              pass(each.hours)
            }
            await storage.ledger.commit(charge(call, each.cost, each.do === 'long'), false)
            tell(call.account, day, each.cost)
            const { id: request, account, project, key, model, created: opened } = call
            const amount = nanoUsd(each.cost)
            const refund = { request, account, project, key, model, opened, amount }
            if (each.cost > 0) charged.push({ day, refund: { ...refund, note: null, by: 'test' } })
            return
          }
          case 'video': {
            const now = folder.clock.now()
            const cost = each.isFree ? 0 : 700
            const job = await orderVideo(storage, callerOf(each.who), now, cost)
            const day = openDayIn(zone)(now)
            tell(job.account, day, cost)
            pass(each.hours)
            if (!each.fails) return
            const failed = {
              ...job,
              status: 'failed' as const,
              error: 'video_failed' as const,
            }
            await storage.videos.advance(
              [{ job: { ...failed, ended: folder.clock.now() }, claimed: null }],
              true,
            )
            tell(job.account, day, -cost)
            return
          }
          case 'refund': {
            const last = charged.pop()
            if (last === undefined) return
            await byCommand.refunds.refund(last.refund)
            tell(last.refund.account, last.day, -last.refund.amount)
            return
          }
          case 'sum':
            await storage.ledger.sumUp(each.rows)
            return
          case 'crash':
            storage = folder.open()
            storage.countDaysIn(zone)
            await storage.ledger.recover()
            return
          case 'zone':
            // Whoever begins in this very moment is of the zone before.
            pass(1)
            zone = each.zone
            storage.countDaysIn(zone)
        }
      }
      for (const each of steps) await one(each)

      let service = 0
      for (const { account, project } of callers) {
        const days = [...told]
          .filter(([name]) => name.startsWith(`${account.id} `))
          .map(([name, cost]) => [Number(name.split(' ')[1]), cost] as const)
        const cost = days.reduce((sum, [, amount]) => sum + amount, 0)
        service += cost
        for (const { accountReader: reader, reports } of [storage, byCommand]) {
          const asked = { ...all, account: account.id }
          for (const by of ['model', 'key', 'project'] as const) {
            const page = await reader.usage({ ...asked, by, maxGroups: 9, maxDrawn: 9 })
            expect(page.total.cost).toBe(nanoUsd(cost))
            for (const { day, cost: ofDay } of page.days)
              expect([day, ofDay]).toEqual([day, nanoUsd(new Map(days).get(day) ?? -1)])
          }
          const rows = await reader.usageRows({ ...asked, after: null, max: 99 })
          expect(rows.reduce((sum, row) => sum + row.cost, 0)).toBe(cost)
          const days1 = { project: project.id, fromDay: 0, toDay: 99_999 }
          for (const group of ['day', 'model', 'key'] as const) {
            const sums = await reader.projectUsage({ ...days1, group })
            expect(sums.reduce((sum, row) => sum + row.cost, 0)).toBe(cost)
            expect(await reports.usage({ ...days1, group })).toEqual(sums)
          }
          const span = { from: 0 as Ms, to: (folder.clock.now() + dayMs) as Ms }
          const { lines } = await wholeLedger(
            { accountReader: reader },
            { ...span, account: account.id },
          )
          const spent = lines
            .filter(({ kind }) => kind === 'charge' || kind === 'refund')
            .reduce((sum, { amount }) => sum - amount, 0)
          expect(spent).toBe(cost)
          const asking = { ...span, account: account.id, project: null, key: null, model: null }
          const page = { ...asking, before: null, max: 99 }
          const { calls } = await reader.calls({ ...page, status: null })
          expect(calls.reduce((sum, call) => sum + call.cost - call.refunded, 0)).toBe(cost)
          const failed = await reader.calls({ ...page, status: 'error' })
          const errors = calls.filter(({ status }) => status === 'error')
          expect(failed.calls).toEqual(errors)
          const usage = await reader.projectUsage({ ...days1, group: 'day' })
          expect(usage.reduce((sum, row) => sum + row.errors, 0)).toBe(errors.length)
        }
      }
      const days = { fromDay: 0, toDay: 99_999 }
      for (const group of ['day', 'model', 'account'] as const) {
        const profit = await byCommand.profits.profit({ ...days, group })
        expect(profit.reduce((sum, row) => sum + row.charged - row.refunded, 0)).toBe(service)
      }
      expect(await byCommand.audit()).toMatchObject({ ok: true, differences: [] })
    }),
    { numRuns: 12 },
  )
})
