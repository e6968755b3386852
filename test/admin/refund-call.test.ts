import { carriedOutcome } from '../../src/gateway/endpoints/videos/contract'
import { expect, test } from 'bun:test'
import { isRefusedBy, type AdminCode } from '../../src/business/operations/admin-error'
import { refundCall } from '../../src/business/accounts/refund-call'
import { minus, parseUsd, showUsd } from '../../src/domain/money'
import type { CallOpening } from '../../src/domain/record'
import { videoJob } from '../endpoints/videos/job'
import { charge, customer, opening, noBatch, testFolder, ending, spentIn } from '../storage/folder'

const wanted = { amount: null, note: 'answer was cut', by: 'test' }
const codeOf = (refused: Promise<unknown>): Promise<AdminCode | null> =>
  refused.then(
    () => null,
    (thrown: { code: AdminCode }) => thrown.code,
  )

/** A served folder with one call of a cent, and commands beside it. */
async function served() {
  const folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const call = opening(caller, folder.clock.now())
  await storage.ledger.commit(charge(call, parseUsd('0.01')), false)
  return {
    folder,
    storage,
    caller,
    call,
    beside: folder.open(),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

test('a call is refunded whole, and everything that counted it adds up', async () => {
  using it = await served()
  const { storage, beside, call } = it
  const { refunded, balance } = await refundCall(beside, { ...wanted, id: call.id })
  expect([showUsd(refunded), showUsd(balance)]).toEqual(['0.010000', '1.000000'])
  expect((await beside.audit()).differences).toEqual([])
  await storage.ledger.sumUp(Infinity)
  expect((await beside.audit()).differences).toEqual([])
  expect(await spentIn(storage, { kind: 'key', id: call.key, period: '' })).toBe(parseUsd('0'))
  const day = Math.floor(call.created / 86_400_000)
  const [sum] = await storage.reports.usage({
    project: call.project,
    fromDay: day,
    toDay: day,
    group: 'day',
  })
  expect(sum).toMatchObject({ requests: 1, cost: 0 })
})

test('the gateway may die between the refund and its sums', async () => {
  using it = await served()
  await refundCall(it.beside, { ...wanted, id: it.call.id, amount: parseUsd('0.004') })
  // A second charge moves the mark of the sums beyond the refund; a third is lost with the process.
  const again = opening(it.caller, it.folder.clock.now())
  await it.storage.ledger.commit(charge(again, parseUsd('0.02')), false)
  await it.storage.ledger.sumUp(Infinity)
  const lost = opening(it.caller, it.folder.clock.now())
  await it.storage.ledger.commit(charge(lost, parseUsd('0.03')), false)
  expect((await it.beside.audit()).differences).toEqual([])
  await it.beside.ledger.recover()
  expect((await it.beside.audit()).differences).toEqual([])
  expect((await it.beside.reports.call(it.call.id, null))?.refunded).toBe(parseUsd('0.004'))
})

test('a call is refunded once, and never more than it was charged', async () => {
  using it = await served()
  const { beside, call } = it
  const refund = (amount: string) =>
    refundCall(beside, { ...wanted, id: call.id, amount: parseUsd(amount) })
  expect(await codeOf(refund('0.010000001'))).toBe('refund_too_large')
  expect(showUsd((await refund('0.004')).balance)).toBe('0.994000')
  const again = await refund('0.001').catch((thrown: unknown) => thrown)
  expect(isRefusedBy('refunded_before', again) && again.facts.refunded).toBe(parseUsd('0.004'))
  expect(
    showUsd((await beside.directory.findAccount(call.account))?.balance ?? parseUsd('0')),
  ).toBe('0.994000')
  expect((await beside.audit()).differences).toEqual([])
})

test('refuses calls that are unknown, running or free', async () => {
  using it = await served()
  const { storage, caller, beside } = it
  const running = opening(caller, it.folder.clock.now())
  await storage.ledger.commit({ ...noBatch, opened: [running] }, false)
  const free = opening(caller, it.folder.clock.now())
  await storage.ledger.commit(charge(free, 0), false)
  const code = (id: string) => codeOf(refundCall(beside, { ...wanted, id }))
  expect(await code('req_none')).toBe('call_not_found')
  expect(await code(running.id)).toBe('call_running')
  expect(await code(free.id)).toBe('nothing_charged')
})

test('a video that is being made keeps its own refund; one that was made can be refunded', async () => {
  using it = await served()
  const { storage, caller, beside } = it
  const call = opening(caller, it.folder.clock.now())
  const begun = videoJob(caller, call.created, { request: call.id })
  await storage.videos.begin(begun)
  const accepted = { ...begun, status: 'queued', vendor: 'films', vendorJob: 'v' } as const
  const ended = { opening: call, ending: ending(begun.cost), held: begun.cost, wasOpened: false }
  const spent = charge(call, begun.cost).spent
  const carried = carriedOutcome({ id: begun.id, accepted })
  await storage.ledger.commit({ ...noBatch, spent, ended: [{ ...ended, carried }] }, true)
  const refund = () => refundCall(beside, { ...wanted, id: call.id })
  expect(await codeOf(refund())).toBe('video_open')
  await storage.videos.advance([{ job: { ...accepted, status: 'completed' }, claimed: null }], true)
  expect((await refund()).refunded).toBe(begun.cost)
  expect((await beside.audit()).differences).toEqual([])
})

/** A folder whose account has less than a call costs, so that the service bore a part of it. */
async function lowered(usd: string) {
  const it = await served()
  const { storage, caller } = it
  const left = parseUsd(usd)
  const { id: account } = caller.account
  const balance = (await storage.directory.findAccount(account))?.balance ?? left
  const amount = minus(left, balance)
  await storage.directory.deposit({ account, kind: 'adjustment', reference: 'taken', amount })
  const balanceOf = async () =>
    showUsd((await it.beside.directory.findAccount(account))?.balance ?? parseUsd('0'))
  return { ...it, balanceOf }
}

test('of a charge that the service partly bore an account gets back what it paid', async () => {
  using it = await lowered('0.4')
  const { storage, caller, beside, balanceOf } = it
  const call = opening(caller, it.folder.clock.now())
  await storage.ledger.commit(charge(call, parseUsd('1')), false)
  expect(await balanceOf()).toBe('0.000000')
  const { refunded, borne, balance } = await refundCall(beside, { ...wanted, id: call.id })
  expect([refunded, borne, balance].map(showUsd)).toEqual(['1.000000', '0.600000', '0.400000'])
  expect(await balanceOf()).toBe('0.400000')
  expect((await beside.audit()).differences).toEqual([])
})

test('and of a part of it no more either', async () => {
  using it = await lowered('0.4')
  const { storage, caller, beside } = it
  const [small, large] = [1, 2].map(() => opening(caller, it.folder.clock.now())) as [
    CallOpening,
    CallOpening,
  ]
  await storage.ledger.commit(charge(small, parseUsd('0.1')), false)
  await storage.ledger.commit(charge(large, parseUsd('1')), false)
  const refund = async (id: string, amount: string) => {
    const { borne, balance } = await refundCall(beside, {
      ...wanted,
      id,
      amount: parseUsd(amount),
    })
    return [borne, balance].map(showUsd)
  }
  // It paid 0.3 of the second.
  expect(await refund(large.id, '0.5')).toEqual(['0.200000', '0.300000'])
  expect(await refund(small.id, '0.1')).toEqual(['0.000000', '0.400000'])
  expect((await beside.audit()).differences).toEqual([])
})

test('a video that is not made gives back no more than was paid for it', async () => {
  using it = await lowered('0.1')
  const { storage, caller, beside, balanceOf } = it
  const call = opening(caller, it.folder.clock.now())
  const begun = videoJob(caller, call.created, { request: call.id })
  await storage.videos.begin(begun)
  const accepted = { ...begun, status: 'queued', vendor: 'films', vendorJob: 'v' } as const
  const ended = { opening: call, ending: ending(begun.cost), held: begun.cost, wasOpened: false }
  const carried = carriedOutcome({ id: begun.id, accepted })
  const { spent } = charge(call, begun.cost)
  await storage.ledger.commit({ ...noBatch, spent, ended: [{ ...ended, carried }] }, true)
  expect(await balanceOf()).toBe('0.000000')
  const failed = { ...accepted, status: 'failed', error: 'video_failed' } as const
  await storage.videos.advance([{ job: failed, claimed: null }], true)
  expect(await balanceOf()).toBe('0.100000')
  expect((await beside.reports.call(call.id, null))?.refunded).toBe(begun.cost)
  expect((await beside.audit()).differences).toEqual([])
})
