import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { firstNoticeIdAt, type NoticeId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import type { Notice } from '../../src/domain/notice'
import { openForgetting } from '../../src/business/notices/retention'
import type { Storage } from '../../src/business/data/storage'
import { customer, handClock, memoryStorage, noBatch, type HandClock } from '../storage/folder'

let clock: HandClock
let storage: Storage
const faults: unknown[] = []
const day = 86_400_000
beforeEach(async () => {
  jest.useFakeTimers()
  clock = handClock()
  storage = memoryStorage(clock)
  await customer(storage)
  faults.length = 0
})
afterEach(async () => {
  jest.useRealTimers()
  await storage.close()
})

let made = 0

/** Writes a notice of this many days ago. @returns its id */
async function write(daysAgo: number, change: Partial<Notice> = {}): Promise<string> {
  const created = clock.now() - daysAgo * day
  const id = `${firstNoticeIdAt(created as never)}${String(++made).padStart(20, '0')}` as NoticeId
  const account = { id: 1 as never, name: 'Sara' }
  const notice: Notice = {
    id,
    kind: 'account_daily_cap',
    subject: { account, project: null, key: null },
    threshold: 80,
    limit: parseUsd('10'),
    amount: parseUsd('8'),
    period: `2025-01-${made}`,
    created: created as never,
    ...change,
  }
  const notices = [{ notice, channels: ['log', 'webhook'] }]
  await storage.ledger.commit({ ...noBatch, notices }, true)
  return id
}

const left = async () =>
  (await storage.notices.list({ pending: false, most: 10_000 })).map(
    ({ notice }) => notice.id as string,
  )

function forget() {
  const forgetting = openForgetting({
    store: storage.notices,
    clock,
    onFault: (f) => faults.push(f),
  })
  jest.advanceTimersByTime(60_000)
  forgetting.close()
  expect(faults).toEqual([])
}

test('notices are kept for 400 days', async () => {
  await write(900)
  await write(401)
  const kept = [await write(399), await write(0)]
  forget()
  expect(await left()).toEqual(kept.toReversed())
  // Nothing of the others waits to be sent for ever.
  for (const channel of ['log', 'webhook'])
    expect(
      (await storage.notices.due(channel, clock.now(), clock.now(), 100)).map(
        ({ notice }) => notice.id,
      ),
    ).toEqual(kept as NoticeId[])
})

test('what still keeps a cap from being told again stays, until a higher one was told', async () => {
  const standing = { kind: 'preverification_ceiling', period: '' } as const
  const lower = await write(800, standing)
  const other = await write(800, { ...standing, threshold: 100 })
  const floor = await write(800, { kind: 'balance_floor', threshold: null, period: '' })
  forget()
  expect((await left()).sort()).toEqual([lower, other, floor].sort())
  const higher = await write(1, { ...standing, limit: parseUsd('20') })
  forget()
  expect((await left()).sort()).toEqual([higher, other, floor].sort())
})

test('a floor that the balance was at again goes', async () => {
  await write(800, { kind: 'balance_floor', threshold: null, period: '', limit: parseUsd('1') })
  const account = 1 as never
  await storage.directory.deposit({
    account,
    amount: parseUsd('5'),
    kind: 'topup',
    reference: 'back at the floor',
  })
  forget()
  expect(await left()).toEqual([])
})

test('many go a little at a time, and a database that is busy is asked again later', async () => {
  for (let count = 0; count < 450; count++) await write(500)
  let busy = true
  const sizes: number[] = []
  const forgetting = openForgetting({
    clock,
    onFault: (fault) => faults.push(fault),
    store: {
      async forget(before, most) {
        if (busy) throw new Error('busy')
        const count = await storage.notices.forget(before, most)
        sizes.push(count)
        return count
      },
    },
  })
  jest.advanceTimersByTime(60_000)
  expect(faults).toHaveLength(1)
  busy = false
  jest.advanceTimersByTime(7 * 3_600_000)
  expect(sizes).toEqual([200, 200, 50])
  forgetting.close()
  jest.advanceTimersByTime(7 * 3_600_000)
  expect(sizes).toHaveLength(3)
  expect(await left()).toEqual([])
})
