import { expect, test } from 'bun:test'
import { parseUsd, zeroUsd } from '../../src/domain/money'
import {
  answerOf,
  answersBy,
  type LocalLedger,
  type MoneyAuthority,
} from '../../src/ledger/handover'
import { openLedger } from '../../src/ledger/open-ledger'
import { customer, ending, handClock, memoryStorage, opening } from '../storage/folder'
import { until } from '../support/pace'

/** A ledger on a storage of its own. */
async function openCase(usd: string, pendingAfterMs: number) {
  const clock = handClock()
  const storage = memoryStorage(clock)
  const caller = await customer(storage, { usd })
  const faults: unknown[] = []
  const parts = {
    store: storage.ledger,
    settings: {
      kycCeiling: parseUsd('100'),
      serviceDayCapacity: null,
      flushMs: 1,
      pendingAfterMs,
    },
    onFault: (fault: unknown) => void faults.push(fault),
  }
  const ledger = openLedger(parts)
  const hold = (id: string, dollars: string, of = ledger) =>
    of.hold({ caller, amount: parseUsd(dollars), opening: opening(caller, clock.now(), id) })
  return { storage, caller, ledger, hold, faults, another: () => openLedger(parts) }
}

/** A ledger that decides as another one does, and commits by other means. */
const authorityOf = (ledger: LocalLedger, commit: MoneyAuthority['commit']): MoneyAuthority => ({
  ...answersBy((question, ...given) => answerOf(ledger, question, ...given)),
  commit,
  grow: () => {},
  lower: () => {},
  chargeable: (_, cost) => cost,
  hold: () => expect.unreachable(),
})

test('a ledger that rests decides in memory, and writes what ended once it goes on', async () => {
  const { storage, ledger, hold } = await openCase('10', 60_000)
  const first = await hold('r1', '4')
  await ledger.rest()
  first.settle(ending(parseUsd('3')))
  const second = await hold('r2', '7')
  await Bun.sleep(20)
  expect(ledger.queueLength()).toBe(1)
  expect(hold('r3', '0.5')).rejects.toMatchObject({ code: 'insufficient_credit' })
  await ledger.resume()
  second.release(ending(zeroUsd))
  await ledger.flush()
  expect((await storage.audit()).differences).toEqual([])
  expect(await storage.ledger.find('r1' as never)).toMatchObject({ status: 'success' })
  await ledger.close()
})

test('a pending row that another process did not write is written once its call ends here', async () => {
  const { storage, ledger, hold, faults, another } = await openCase('10', 1)
  // Its sums are read by now.
  const before = await hold('r0', '1')
  before.release(ending(zeroUsd))
  await ledger.rest()
  const call = await hold('r1', '4')
  let commits = 0
  await ledger.follow(
    authorityOf(another(), () => Promise.resolve((commits++, new Map()))),
    () => {},
  )
  // It says that the row is written, and dies.
  await until(() => commits > 0)
  await ledger.resume()
  call.settle(ending(parseUsd('2')))
  await ledger.flush()
  expect(faults).toEqual([])
  expect(await storage.ledger.find('r1' as never)).toMatchObject({ status: 'success' })
  expect((await storage.audit()).differences).toEqual([])
  await ledger.close()
})

test('calls that a commit under way writes are among those that are handed over', async () => {
  const { ledger, hold, another } = await openCase('10', 60_000)
  const call = await hold('r1', '4')
  const stuck = Promise.withResolvers<never>()
  await ledger.follow(
    authorityOf(another(), () => stuck.promise),
    () => {},
  )
  call.settle(ending(parseUsd('2')))
  const writing = ledger.flush().catch(() => 'failed')
  await Bun.sleep(5)
  expect(ledger.calls().map(({ opening: { id } }) => String(id))).toEqual(['r1'])
  stuck.reject(new Error('gone'))
  expect(await writing).toBe('failed')
  await ledger.resume()
  await ledger.flush()
  expect(ledger.calls()).toEqual([])
  await ledger.close()
})

test('a ledger whose folder is another process’s ends, and says that it wrote nothing', async () => {
  const { ledger, hold } = await openCase('10', 60_000)
  const call = await hold('r1', '4')
  await ledger.rest()
  call.settle(ending(parseUsd('2')))
  ledger.abandon()
  expect(ledger.close()).rejects.toThrow('another process')
})
