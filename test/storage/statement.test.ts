import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { refundCall } from '../../src/business/accounts/refund-call'
import { dayMs, type Ms } from '../../src/domain/clock'
import { firstRequestIdAt } from '../../src/domain/ids'
import { nanoUsd, zeroUsd } from '../../src/domain/money'
import type { LedgerLine } from '../../src/domain/reports/report'
import type { StatementLine, StatementQuery } from '../../src/domain/reports/statement'
import type { Storage } from '../../src/business/data/storage'
import { roundsOf } from '../support/campaigns'
import { charge, customer, opening, testFolder, balanceIn } from './folder'
import { wholeLedger } from './whole-ledger'

const days = 9
const who = fc.nat(2)
const cost = fc.integer({ min: 0, max: 1_000_000 })

/** What happens to money; each a little later than the one before, some a day later. */
const step = fc.record({
  what: fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('charge' as const), who, cost }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('topup' as const), who, cost }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('adjustment' as const), who, cost }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), call: fc.nat(99) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('sum' as const), rows: fc.nat(9) }) },
  ),
  laterMs: fc.oneof(fc.nat(90_000), fc.constant(dayMs)),
})

const range = fc.tuple(fc.nat(days), fc.nat(days), fc.integer({ min: 1, max: 7 }))

/** All pages of a statement, one after the other. */
async function linesOf(storage: Storage, asked: Omit<StatementQuery, 'before'>) {
  const lines: StatementLine[] = []
  for (let before: string | null = null; ;) {
    const page = await storage.accountReader.statement({ ...asked, before })
    lines.push(...page.lines)
    if (page.next === null) return { lines, sums: page.sums }
    before = page.next
  }
}

const sum = (lines: readonly { readonly amount: number }[]): number =>
  lines.reduce((all, { amount }) => all + amount, 0)

/** What a line says besides its balance, whose order is another one in the ledger. */
const told = ({ kind, amount, reference }: LedgerLine | StatementLine): string =>
  `${kind} ${amount} ${reference}`

test('statements by day and by call add up to the ledger, the usage and the balance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), range, async (steps, [a, b, max]) => {
      using folder = testFolder()
      const storage = folder.open(true)
      const callers = await Promise.all([0, 1, 2].map(() => customer(storage, { usd: '1' })))
      const start = folder.clock.now()
      const called: string[] = []
      let now = start as number
      let number = 0
      for (const { what, laterMs } of steps) {
        if (now + laterMs - start < days * dayMs) now += laterMs
        folder.clock.set(now)
        const caller = 'who' in what ? callers[what.who] : undefined
        const reference = String(++number)
        if (what.do === 'charge' && caller !== undefined) {
          const id = `${firstRequestIdAt(now as Ms)}${reference.padStart(20, '0')}`
          await storage.ledger.commit(charge(opening(caller, now as Ms, id), what.cost), false)
          called.push(id)
        } else if (what.do === 'refund') {
          const id = called[what.call] ?? ''
          const given = { id, amount: null, note: 'cut', by: 'test' }
          await refundCall(storage, given).catch(() => null)
        } else if (what.do === 'sum') await storage.ledger.sumUp(what.rows)
        else if (what.do !== 'charge' && caller !== undefined && what.cost > 0) {
          const { account } = caller
          const amount = nanoUsd(what.do === 'adjustment' ? -what.cost : what.cost)
          await storage.directory.deposit({ account: account.id, amount, kind: what.do, reference })
        }
      }
      const firstDay = Math.floor(start / dayMs)
      const { account, project } = callers[0] ?? (await customer(storage))
      const balance = (await balanceIn(storage, account.id)) ?? zeroUsd
      const asked = { account: account.id, max }
      const whole = { fromDay: firstDay, toDay: firstDay + days }
      const all = { account: account.id, from: 0 as Ms, to: (now + 1) as Ms }
      const { lines: ledger } = await wholeLedger(storage, all)

      const byCall = await linesOf(storage, { ...asked, ...whole, by: 'call' })
      expect(byCall.lines.map(told).toSorted()).toEqual(ledger.map(told).toSorted())
      for (const by of ['day', 'call'] as const) {
        const { lines, sums } = await linesOf(storage, { ...asked, ...whole, by })
        expect(sums.closing).toBe(balance)
        expect(lines[0]?.balance).toBe(balance)
        expect(sum(lines)).toBe(sums.closing - sums.opening)
        const fromDay = firstDay + Math.min(a, b)
        const toDay = firstDay + Math.max(a, b)
        const part = await linesOf(storage, { ...asked, fromDay, toDay, by })
        expect(sum(part.lines)).toBe(part.sums.closing - part.sums.opening)
        for (const [at, line] of part.lines.entries())
          expect(line.balance - line.amount).toBe(part.lines[at + 1]?.balance ?? part.sums.opening)
        const used = await storage.reports.usage({
          project: project.id,
          fromDay,
          toDay,
          group: 'day',
        })
        const back = ledger
          .filter(({ kind, reference }) => kind === 'refund' && isOf(reference, fromDay, toDay))
          .reduce((total, { amount }) => total + amount, 0)
        expect(part.sums.charged - back).toBe(used.reduce((total, { cost }) => total + cost, 0))
      }
    }),
    { numRuns: roundsOf('statements') },
  )
})

/** Whether a call was sent on one of these days. */
const isOf = (id: string, fromDay: number, toDay: number): boolean => {
  const day = Math.floor(Number.parseInt(id.slice(4, 16), 16) / dayMs)
  return day >= fromDay && day <= toDay
}

test('what is charged while somebody pages is on no later page, and moves no balance', async () => {
  using folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const start = folder.clock.now()
  const callAt = (ms: number) => opening(caller, (start + ms) as Ms, idAt(start + ms))
  for (const ms of [10, 20, 30, 40]) await storage.ledger.commit(charge(callAt(ms), 5), false)
  const day = Math.floor(start / dayMs)
  const asked = {
    account: caller.account.id,
    fromDay: day,
    toDay: day,
    by: 'call',
    max: 2,
  } as const
  const first = await storage.accountReader.statement({ ...asked, before: null })
  await storage.ledger.commit(charge(callAt(15), 700), false)
  const second = await storage.accountReader.statement({ ...asked, before: first.next })
  const last = await storage.accountReader.statement({ ...asked, before: second.next })
  const balances = [first, second, last].flatMap(({ lines }) => lines.map((line) => line.balance))
  expect(balances.map((balance) => balance - 1_000_000_000)).toEqual([-20, -15, -10, -5, 0])
  const anew = await storage.accountReader.statement({ ...asked, max: 9, before: null })
  expect(anew.lines).toHaveLength(6)
})

const idAt = (time: number): string => `${firstRequestIdAt(time as Ms)}${'0'.repeat(20)}`
