import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { AccountId, KeyId, ProjectId } from '../../src/domain/ids'
import { nanoUsd, parseUsd, zeroUsd } from '../../src/domain/money'
import { charge, customer, handClock, memoryStorage, opening, testFolder } from './folder'

const nobody = { account: 9 as AccountId, project: 9 as ProjectId, key: 9 as KeyId }

describe('accounts', () => {
  test('begin with the defaults of the specification and no money', () => {
    const { directory } = memoryStorage()
    expect(directory.createAccount({ name: 'Sara' })).toEqual({
      id: 1 as AccountId,
      name: 'Sara',
      status: 'active',
      verified: false,
      dailyCap: null,
      concurrency: 8,
      requestsPerMinute: 1_000_000_000,
      maxRequestKb: 20_480,
      noticeFloor: null,
      balance: zeroUsd,
      created: Date.parse('2026-11-20T12:00:00Z') as Ms,
    })
  })

  test('are numbered in order, listed, found and changed', () => {
    const { directory } = memoryStorage()
    const first = directory.createAccount({ name: 'one' })
    const second = directory.createAccount({ name: 'two', verified: true, dailyCap: parseUsd('5') })
    const changed = directory.setAccount(second.id, { dailyCap: null, status: 'suspended' })
    expect(changed).toEqual({ ...second, dailyCap: null, status: 'suspended' })
    expect(directory.setAccount(second.id, {})).toEqual(changed)
    expect(directory.listAccounts()).toEqual([first, changed])
    expect(directory.findAccount(second.id)).toEqual(changed)
  })

  test('of the house are nobody’s to see or change', () => {
    const { directory } = memoryStorage()
    expect(directory.listAccounts()).toEqual([])
    for (const id of [-1, -2, -3] as AccountId[]) {
      expect(directory.findAccount(id)).toBeNull()
      expect(() => directory.setAccount(id, { name: 'mine' })).toThrow(RangeError)
    }
  })
})

describe('projects and keys', () => {
  test('lists and limits come back as they were given', () => {
    const storage = memoryStorage()
    const { directory } = storage
    const caller = customer(storage, {
      project: { allowedModels: ['openai/*', 'sandbox/echo'], monthlyBudget: parseUsd('3.5') },
      key: {
        requestsPerMinute: 5,
        spendLimit: parseUsd('0.000000001'),
        allowedModels: [],
        allowedAddresses: ['10.0.0.0/8', '::1'],
        expiresAt: 1_900_000_000_000 as Ms,
      },
    })
    expect(directory.findProject(caller.project.id)).toEqual(caller.project)
    expect(directory.findKey(caller.key.id)).toEqual({
      ...caller.key,
      account: caller.account.id,
      spent: zeroUsd,
    } as never)
    expect(storage.identity.findByHash('hash-1')?.caller.key).toMatchObject({
      spendLimit: parseUsd('0.000000001'),
      allowedModels: [],
      allowedAddresses: ['10.0.0.0/8', '::1'],
    })
    expect(storage.identity.findByHash('hash-2')).toBeNull()
  })

  test('a caller is a key with all that stands behind it, as it is now', () => {
    const storage = memoryStorage()
    const { account, project, key } = customer(storage)
    customer(storage)
    storage.directory.setAccount(account.id, { concurrency: 2 })
    storage.directory.setProject(project.id, { active: false })
    storage.directory.setKey(key.id, { state: 'disabled' })
    const found = storage.identity.findByHash(`hash-${account.id}`)
    expect(found).toMatchObject({
      hash: 'hash-1',
      caller: {
        account: { id: account.id, concurrency: 2 },
        project: { id: project.id, active: false },
        key: { id: key.id, state: 'disabled' },
      },
    })
    // What belongs to the database alone stays there.
    expect(found?.caller.account).not.toHaveProperty('balance')
    expect(found?.caller.key).not.toHaveProperty('hash')
  })

  test('are listed by what they belong to', () => {
    const storage = memoryStorage()
    const [one, two] = [customer(storage), customer(storage)]
    const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id)
    expect(ids(storage.directory.listProjects())).toEqual([1, 2])
    expect(ids(storage.directory.listProjects(two.account.id))).toEqual([two.project.id])
    expect(ids(storage.directory.listKeys())).toEqual([1, 2])
    expect(ids(storage.directory.listKeys(one.project.id))).toEqual([one.key.id])
  })

  test('a key tells what it has spent', () => {
    const clock = handClock()
    const storage = memoryStorage(clock)
    const [one, two] = [customer(storage, { usd: '1' }), customer(storage, { usd: '1' })]
    storage.ledger.commit(charge(opening(one, clock.now()), 40), false)
    storage.ledger.commit(charge(opening(one, clock.now()), 2), false)
    expect(storage.directory.findKey(one.key.id)?.spent).toBe(nanoUsd(42))
    expect(storage.directory.listKeys().map(({ spent }) => spent)).toEqual([nanoUsd(42), zeroUsd])
    expect(storage.directory.findKey(two.key.id)?.spent).toBe(zeroUsd)
  })

  test('a revoked key stays revoked', () => {
    const storage = memoryStorage()
    const { key } = customer(storage)
    storage.directory.setKey(key.id, { state: 'revoked' })
    expect(() => storage.directory.setKey(key.id, { state: 'active' })).toThrow(/revoked for good/)
    expect(storage.directory.setKey(key.id, { name: 'old' })).toMatchObject({
      name: 'old',
      state: 'revoked',
    })
  })

  test('two keys never have one secret', () => {
    const storage = memoryStorage()
    const { project } = customer(storage)
    const again = { project: project.id, name: 'again', prefix: 'sk' }
    expect(() => storage.directory.createKey(again, 'hash-1')).toThrow(/UNIQUE/)
    expect(storage.directory.listKeys()).toHaveLength(1)
  })
})

describe('what does not exist', () => {
  test('is found to be nothing, and refuses changes in a sentence', () => {
    const { directory } = memoryStorage()
    expect(directory.findAccount(nobody.account)).toBeNull()
    expect(directory.findProject(nobody.project)).toBeNull()
    expect(directory.findKey(nobody.key)).toBeNull()
    const money = { account: nobody.account, amount: nanoUsd(1), reference: 'r' }
    for (const change of [
      () => directory.setAccount(nobody.account, { name: 'x' }),
      () => directory.createProject({ account: nobody.account, name: 'x' }),
      () => directory.deposit({ ...money, kind: 'topup' }),
    ])
      expect(change).toThrow(new RangeError('there is no account 9'))
    for (const change of [
      () => directory.setProject(nobody.project, { name: 'x' }),
      () => directory.createKey({ project: nobody.project, name: 'x', prefix: 'sk' }, 'h'),
    ])
      expect(change).toThrow(new RangeError('there is no project 9'))
    expect(() => directory.setKey(nobody.key, { name: 'x' })).toThrow(
      new RangeError('there is no key 9'),
    )
  })
})

describe('deposits', () => {
  const open = () => {
    const storage = memoryStorage()
    const { id: account } = customer(storage).account
    const deposit = (
      kind: 'topup' | 'adjustment',
      amount: number,
      reference: string,
      into: AccountId = account,
    ) => storage.directory.deposit({ account: into, amount: nanoUsd(amount), kind, reference })
    return { storage, account, deposit }
  }

  test('come from payments, corrections from adjustments, both ways', () => {
    using folder = testFolder()
    const storage = folder.open()
    const { id: account } = customer(storage).account
    const { deposit } = storage.directory
    deposit({ account, amount: nanoUsd(700), kind: 'topup', reference: 'a' })
    deposit({ account, amount: nanoUsd(-30), kind: 'adjustment', reference: 'b' })
    deposit({ account, amount: nanoUsd(5), kind: 'adjustment', reference: 'c' })
    expect(folder.raw().prepare('SELECT debit, credit, amount FROM transfers').values()).toEqual([
      [-2, account, 700],
      [account, -3, 30],
      [-3, account, 5],
    ])
    const balances = folder.raw().prepare('SELECT id, balance FROM accounts ORDER BY id').values()
    expect(balances).toEqual([
      [-3, 25],
      [-2, -700],
      [-1, 0],
      [account, 675],
    ])
    expect(storage.audit().ok).toBe(true)
  })

  test('count once per reference', () => {
    const { storage, deposit, account } = open()
    expect(deposit('topup', 700, 'payment-1')).toEqual({ balance: nanoUsd(700), repeated: false })
    expect(deposit('topup', 700, 'payment-1')).toEqual({ balance: nanoUsd(700), repeated: true })
    expect(deposit('adjustment', 1, 'payment-1').repeated).toBe(false)
    expect(storage.directory.findAccount(account)?.balance).toBe(nanoUsd(701))
  })

  test('with another account’s reference are refused', () => {
    const { storage, deposit } = open()
    const other = customer(storage).account.id
    deposit('topup', 700, 'payment-1')
    expect(() => deposit('topup', 700, 'payment-1', other)).toThrow(/belongs to another account/)
  })

  test('of nothing, of less than nothing, or to the house are refused', () => {
    const { deposit, storage } = open()
    expect(() => deposit('topup', 0, 'a')).toThrow(RangeError)
    expect(() => deposit('topup', -5, 'b')).toThrow(/adjustment/)
    expect(() => deposit('topup', 5, 'c', -1 as AccountId)).toThrow(RangeError)
    expect(storage.audit()).toMatchObject({ ok: true, transfers: 0 })
  })

  test('that would lose a digit are refused and change nothing', () => {
    const { deposit, storage, account } = open()
    deposit('topup', Number.MAX_SAFE_INTEGER, 'a')
    expect(() => deposit('topup', 1, 'b')).toThrow(RangeError)
    expect(storage.directory.findAccount(account)?.balance).toBe(nanoUsd(Number.MAX_SAFE_INTEGER))
    expect(storage.audit()).toMatchObject({ ok: true, transfers: 1 })
  })
})
