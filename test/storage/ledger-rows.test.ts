import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { nanoUsd, zeroUsd } from '../../src/domain/money'
import type { Usage } from '../../src/domain/usage'
import type { Batch } from '../../src/ledger/store'
import { charge, customer, ending, noBatch, opening, testFolder, balanceIn } from './folder'

interface RequestRow {
  readonly [column: string]: string | number | null
}

async function open() {
  const folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  const raw = folder.raw()
  return {
    storage,
    ledger: storage.ledger,
    caller,
    raw,
    call: (id?: string) => opening(caller, folder.clock.now(), id),
    row: (id: string) =>
      raw.prepare<RequestRow, [string]>('SELECT * FROM requests WHERE id = ?').get(id),
    /** Everything that a commit may change. */
    all: () =>
      ['accounts', 'requests', 'transfers', 'spent'].map((table) =>
        raw.prepare(`SELECT * FROM ${table}`).values(),
      ),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

const used = (usage: Usage): Batch['ended'][number]['ending'] => ending(nanoUsd(5), { usage })

describe('a commit', () => {
  test('writes record, charge, balances and sums of each call', async () => {
    using it = await open()
    const call = it.call()
    const balances = await it.ledger.commit(charge(call, 250), false)
    expect([...balances]).toEqual([[it.caller.account.id, nanoUsd(999_999_750)]])
    expect(await balanceIn(it, it.caller.account.id)).toBe(nanoUsd(999_999_750))
    expect(await it.ledger.find(call.id)).toEqual({ status: 'success', cost: nanoUsd(250) })
    const scopes = charge(call, 250).spent.map(({ scope }) => scope)
    expect(await it.ledger.sums(scopes)).toEqual([250, 250, 250, 250, 250].map(nanoUsd))
    expect(it.raw.prepare('SELECT balance FROM accounts WHERE id = -1').get()).toEqual({
      balance: 250,
    })
    expect(it.raw.prepare(`SELECT * FROM transfers WHERE kind = 'charge'`).all()).toMatchObject([
      { debit: call.account, credit: -1, amount: 250, reference: call.id },
    ])
    expect((await it.storage.audit()).differences).toEqual([])
  })

  test('leaves no balance below zero that was lowered meanwhile: the service bears the rest', async () => {
    using it = await open()
    const { id: account } = it.caller.account
    const balance = await balanceIn(it, account)
    const lower = { account, kind: 'adjustment', floor: zeroUsd } as const
    await it.storage.directory.deposit({ ...lower, amount: nanoUsd(100 - balance), reference: 'a' })
    const [first, last] = [it.call(), it.call()]
    const both = {
      ...charge(first, 250),
      ended: [first, last].flatMap((call) => charge(call, 250).ended),
    }
    expect([...(await it.ledger.commit(both, false))]).toEqual([[account, zeroUsd]])
    expect(await balanceIn(it, account)).toBe(zeroUsd)
    const covered = it.raw
      .prepare(`SELECT * FROM transfers WHERE reference LIKE 'uncovered-%'`)
      .all()
    const share = { debit: -3, credit: account, kind: 'adjustment' }
    expect(covered).toMatchObject([
      { ...share, amount: 250, reference: `uncovered-${last.id}` },
      { ...share, amount: 150, reference: `uncovered-${first.id}` },
    ])
    expect((await it.storage.audit()).differences).toEqual([])

    // What an operator made of it stays, and no call makes it more.
    const debt = { account, kind: 'adjustment', amount: nanoUsd(-50), reference: 'b' } as const
    await it.storage.directory.deposit(debt)
    expect([...(await it.ledger.commit(charge(it.call(), 250), false))]).toEqual([
      [account, nanoUsd(-50)],
    ])
    expect((await it.storage.audit()).differences).toEqual([])
  })

  test('keeps what is known of a call, and nothing else', async () => {
    using it = await open()
    const usage: Usage = {
      units: { input: 10, cached_input: 90, output: 30 },
      reasoning: 20,
      estimated: true,
    }
    const call = it.call()
    const vendorCost = { amount: nanoUsd(3), card: 7, vendor: 'test', estimated: true }
    const cut = { usage, error: 'stream_interrupted', status: 'cancelled', vendorCost } as const
    const end = ending(nanoUsd(5), cut)
    await it.ledger.commit(
      {
        ...charge(call, 5),
        ended: [{ opening: call, ending: end, held: nanoUsd(9), wasOpened: false }],
      },
      false,
    )
    expect(it.row(call.id)).toEqual({
      id: call.id,
      account: call.account,
      project: call.project,
      key: call.key,
      endpoint: 'chat',
      model: 'test/model',
      vendor: 'test',
      vendor_model: 'model',
      vendor_answer: null,
      streamed: 0,
      status: 'cancelled',
      input_tokens: 100,
      output_tokens: 30,
      cached_tokens: 90,
      reasoning_tokens: 20,
      units: null,
      estimated: 1,
      cost: 5,
      held: 9,
      unpaid: null,
      owed: null,
      zone_day: Math.floor((call.created + 12_600_000) / 86_400_000),
      card_version: '1',
      error: 'stream_interrupted',
      address: '127.0.0.1',
      created: call.created,
      latency_ms: 10,
      first_byte_ms: 5,
      vendor_cost: 3,
      cost_card: 7,
      vendor_cost_estimated: 1,
    })
  })

  test('keeps every unit where the token counts do not say it all', async () => {
    using it = await open()
    const call = it.call()
    const usage: Usage = { units: { input: 1, cache_write_1h: 2 }, reasoning: 0, estimated: false }
    const batch = charge(call, 5)
    const [end] = batch.ended
    if (end === undefined) throw new Error('no call')
    await it.ledger.commit({ ...batch, ended: [{ ...end, ending: used(usage) }] }, false)
    expect(it.row(call.id)).toMatchObject({
      input_tokens: 3,
      units: '{"input":1,"cache_write_1h":2}',
    })
  })

  test('is not kept from writing charges by a count that is no number', async () => {
    using it = await open()
    const call = it.call()
    const usage: Usage = {
      units: { input: Number.NaN, output: 1.4 },
      reasoning: Number.POSITIVE_INFINITY,
      estimated: false,
    }
    const batch = charge(call, 5)
    const [end] = batch.ended
    if (end === undefined) throw new Error('no call')
    await it.ledger.commit({ ...batch, ended: [{ ...end, ending: used(usage) }] }, false)
    expect(it.row(call.id)).toMatchObject({
      input_tokens: 0,
      output_tokens: 1,
      reasoning_tokens: 0,
    })
  })

  test('writes a running call as pending and ends that very record', async () => {
    using it = await open()
    const call = it.call()
    await it.ledger.commit({ ...noBatch, opened: [call] }, false)
    expect(await it.ledger.find(call.id)).toEqual({ status: 'pending', cost: zeroUsd })
    await it.ledger.commit(charge(call, 7, true), false)
    expect(await it.ledger.find(call.id)).toEqual({ status: 'success', cost: nanoUsd(7) })
    expect(await it.storage.audit()).toMatchObject({ ok: true, requests: 1, pending: 0 })
  })

  test('of a free call moves no money', async () => {
    using it = await open()
    const call = it.call()
    expect((await it.ledger.commit(charge(call, 0), false)).size).toBe(0)
    expect(await it.storage.audit()).toMatchObject({ ok: true, requests: 1, transfers: 1 })
  })

  test('takes no balance below zero, whatever it charges', async () => {
    using it = await open()
    await it.ledger.commit(charge(it.call(), 1_500_000_000), false)
    expect(await balanceIn(it, it.caller.account.id)).toBe(zeroUsd)
    expect((await it.storage.audit()).ok).toBe(true)
  })
})

describe('a commit that cannot be whole writes nothing at all', () => {
  test('when a call would be charged twice', async () => {
    using it = await open()
    const call = it.call()
    await it.ledger.commit(charge(call, 5), false)
    const before = it.all()
    const again: Batch = {
      opened: [it.call()],
      ended: [...charge(it.call(), 3).ended, ...charge(call, 5).ended],
      spent: charge(call, 8).spent,
    }
    expect(it.ledger.commit(again, false)).rejects.toThrow(/unique/i)
    expect(it.all()).toEqual(before)
    await it.ledger.commit(charge(it.call(), 3), false)
    expect((await it.storage.audit()).ok).toBe(true)
  })

  test('when a call that has ended would end again', async () => {
    using it = await open()
    const call = it.call()
    await it.ledger.commit({ ...noBatch, opened: [call] }, false)
    await it.ledger.commit(charge(call, 5, true), false)
    const before = it.all()
    expect(it.ledger.commit(charge(call, 5, true), false)).rejects.toThrow('no pending record')
    expect(it.all()).toEqual(before)
  })

  test('when there is no such account', async () => {
    using it = await open()
    const before = it.all()
    const call = { ...it.call(), account: 99 as typeof it.caller.account.id }
    expect(it.ledger.commit(charge(call, 5), false)).rejects.toThrow()
    expect(it.all()).toEqual(before)
  })

  test('when what an account is charged would lose a digit', async () => {
    using it = await open()
    const before = it.all()
    const dear = () => charge(it.call(), Number.MAX_SAFE_INTEGER)
    const both = { ...dear(), ended: [...dear().ended, ...dear().ended] }
    expect(it.ledger.commit(both, false)).rejects.toThrow(RangeError)
    expect(it.all()).toEqual(before)
  })
})

describe('on disk', () => {
  test('a durable commit of nothing still brings earlier groups there', async () => {
    using it = await open()
    const wal = join(it.raw.filename, '..', 'chapar.db-wal')
    await it.ledger.commit(charge(it.call(), 5), false)
    const { size } = statSync(wal)
    await it.ledger.commit(noBatch, false)
    expect(statSync(wal).size).toBe(size)
    // Only a transaction that changes a byte is synced.
    await it.ledger.commit(noBatch, true)
    expect(statSync(wal).size).toBeGreaterThan(size)
  })

  test('transfers are never changed and never deleted', async () => {
    using it = await open()
    await it.ledger.commit(charge(it.call(), 5), false)
    expect(() => it.raw.run('UPDATE transfers SET amount = 1')).toThrow('append-only')
    expect(() => it.raw.run('DELETE FROM transfers')).toThrow('append-only')
  })

  test.each([
    ['an amount of nothing', '(1, -1, 0)'],
    ['an amount below nothing', '(1, -1, -5)'],
    ['a side without account', '(77, -1, 5)'],
    ['one account on both sides', '(1, 1, 5)'],
  ])('no transfer has %s', async (_, values) => {
    using it = await open()
    it.raw.run('PRAGMA foreign_keys = ON')
    const insert = `INSERT INTO transfers (debit, credit, amount, kind, reference, created)
      SELECT *, 'charge', 'r', 0 FROM (VALUES ${values})`
    expect(() => it.raw.run(insert)).toThrow(/CHECK|FOREIGN KEY/)
  })
})

describe('recovery', () => {
  test('ends what an earlier process left pending, and charges nothing for it', async () => {
    using it = await open()
    const [left, other, ended] = [it.call(), it.call(), it.call()]
    await it.ledger.commit({ ...charge(ended, 5), opened: [left, other] }, false)
    expect(await it.storage.audit()).toMatchObject({ ok: true, pending: 2 })
    expect(await it.ledger.recover()).toBe(2)
    expect(it.row(left.id)).toMatchObject({ status: 'error', cost: 0, error: 'gateway_error' })
    expect(await it.ledger.find(ended.id)).toEqual({ status: 'success', cost: nanoUsd(5) })
    expect(await it.ledger.recover()).toBe(0)
    expect(await it.storage.audit()).toMatchObject({ ok: true, pending: 0 })
  })
})
