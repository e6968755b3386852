import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PriceCheck } from '../../src/business/pricing/price-check'
import { addVendor } from '../../src/business/catalogue/vendors'
import { checkPricesInThread } from '../../src/server/price-checks/price-check-thread'
import {
  nextCheckAt,
  openPriceSchedule,
  type PriceSchedule,
} from '../../src/server/price-checks/price-schedule'
import { noticeText } from '../../src/business/notices/notice-texts'
import { openPriceNotices } from '../../src/business/notices/price-notices'
import { systemNoticeId } from '../../src/domain/ids'
import type { Ms } from '../../src/domain/clock'
import { openLog } from '../../src/gateway/observability/log'
import { handClock, memoryStorage, testFolder } from '../storage/folder'
import { by, litellmMap, openaiVendor, publicPrices } from './check-desk'

const hour = 3_600_000
const minute = 60_000
const done: PriceCheck = {
  sources: [],
  compared: 3,
  proposed: [],
  applied: [],
  withdrawn: 0,
  doubts: [],
  unbelievedEnds: 0,
}

let schedule: PriceSchedule | null = null
afterEach(() => schedule?.close())

/** A gateway's schedule whose checks only count. */
function begin(everyMs: number | null, check = () => Promise.resolve(done)) {
  const clock = handClock()
  const storage = memoryStorage(clock)
  let checks = 0
  const asked = {
    sources: [],
    policy: 'off',
    sandbox: false,
    whole: true,
    actor: 'service',
    claim: null,
  } as const
  const opened = (schedule = openPriceSchedule({
    clock,
    monotonic: clock,
    random: () => 0.5,
    log: openLog('silent'),
    store: storage.priceChecks,
    order: async () =>
      everyMs === null ? null : { everyMs, ...asked, discovery: { found: [], local: [] } },
    async check() {
      checks++
      await storage.priceChecks.write({ at: clock.now(), sources: [], seen: [] })
      return await check()
    },
    tell: async () => {},
  }))
  return {
    checks: () => checks,
    async pass(ms: number) {
      clock.set(clock.now() + ms)
      await opened.look()
    },
  }
}

describe('the gateway', () => {
  test('checks public prices every so often, not when it starts', async () => {
    const gateway = begin(24 * hour)
    await gateway.pass(0)
    await gateway.pass(6 * minute)
    expect(gateway.checks()).toBe(0)
    await gateway.pass(2 * minute)
    expect(gateway.checks()).toBe(1)
    await gateway.pass(23 * hour)
    expect(gateway.checks()).toBe(1)
    await gateway.pass(3 * hour)
    expect(gateway.checks()).toBe(2)
  })

  test('never does unless it is set', async () => {
    const gateway = begin(null)
    await gateway.pass(1000 * hour)
    expect(gateway.checks()).toBe(0)
  })

  test('does not ask again at once because a check failed', async () => {
    const gateway = begin(24 * hour, () => Promise.reject(new Error('no thread')))
    await gateway.pass(10 * minute)
    await gateway.pass(10 * minute)
    expect(gateway.checks()).toBe(1)
    await gateway.pass(27 * hour)
    expect(gateway.checks()).toBe(2)
  })

  test('starts over and over without a check each time', () => {
    const startedAt = (100 * hour) as Ms
    const last = (startedAt - hour) as Ms
    expect(nextCheckAt({ startedAt, last, everyMs: 24 * hour }, 0)).toBe((123 * hour) as Ms)
    expect(nextCheckAt({ startedAt, last: null, everyMs: 24 * hour }, 1)).toBeGreaterThan(startedAt)
  })
})

test('a check in a thread proposes beside a process that goes on', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const parts = { storage, discovery: { found: [], local: [] }, sandbox: async () => false }
  await addVendor(parts, openaiVendor, { marginPercent: null, by })
  const map = join(folder.path, 'map.json')
  writeFileSync(map, litellmMap({ ...publicPrices, 'gpt-4o': { input: 3, output: 10 } }))
  const check = await checkPricesInThread({
    folder: folder.path,
    database: null,
    claim: null,
    actor: 'service',
    sources: [map, join(folder.path, 'none.json')],
    whole: true,
    policy: 'off',
    discovery: parts.discovery,
    sandbox: false,
  })
  expect(check.proposed).toMatchObject([{ kind: 'cost', model: 'gpt-4o' }])
  expect([...(await storage.prices.state()).pendingCosts.keys()]).toEqual(['main gpt-4o'])
  const record = await storage.priceChecks.read()
  expect(record?.sources.map(({ problem }) => problem)).toEqual([null, 'there is no such file'])
})

test('what was proposed is told once for each check, in both languages', async () => {
  const clock = handClock()
  const { notices } = memoryStorage(clock)
  const parts = { store: notices, clock, newId: systemNoticeId, channels: [], onWritten() {} }
  const tell = openPriceNotices(parts)
  await tell({ proposed: 0, applied: 0 })
  await tell({ proposed: 7, applied: 0 })
  clock.set(clock.now() + 1000)
  await tell({ proposed: 7, applied: 2 })
  const told = (await notices.list({ pending: false, most: 9 })).map(({ notice }) =>
    noticeText(notice),
  )
  expect(told).toHaveLength(2)
  expect(told.some(({ en }) => en.includes('proposes 7 changes') && !en.includes('applied'))).toBe(
    true,
  )
  expect(told.some(({ en, fa }) => en.includes('applied 2 more') && fa.includes('7 تغییر'))).toBe(
    true,
  )
})
