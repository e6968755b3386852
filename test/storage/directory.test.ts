import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { AccountId, KeyId, ProjectId } from '../../src/domain/ids'
import { nanoUsd, parseUsd, zeroUsd } from '../../src/domain/money'
import { charge, customer, handClock, memoryStorage, opening, testFolder } from './folder'

const nobody = { account: 9 as AccountId, project: 9 as ProjectId, key: 9 as KeyId }

describe('accounts', () => {
  test('begin with the defaults of the specification and no money', async () => {
    const { directory } = memoryStorage()
    expect(await directory.createAccount({ name: 'Sara' })).toEqual({
      id: 1 as AccountId,
      name: 'Sara',
      status: 'active',
      verified: false,
      dailyCap: null,
      concurrency: 8,
      requestsPerMinute: 1_000_000_000,
      maxRequestKb: 20_480,
      noticeFloor: null,
      unverifiedCeiling: null,
      group: null,
      groupName: null,
      ownLimits: [],
      balance: zeroUsd,
      created: Date.parse('2026-11-20T12:00:00Z') as Ms,
      isClosed: false,
    })
  })

  test('are numbered in order, listed, found and changed', async () => {
    const { directory } = memoryStorage()
    const first = await directory.createAccount({ name: 'one' })
    const second = await directory.createAccount({
      name: 'two',
      verified: true,
      dailyCap: parseUsd('5'),
    })
    const changed = await directory.setAccount(second.id, { dailyCap: null, status: 'suspended' })
    expect(changed).toEqual({ ...second, dailyCap: null, status: 'suspended' })
    expect(await directory.setAccount(second.id, {})).toEqual(changed)
    expect(await directory.listAccounts()).toEqual([first, changed])
    expect(await directory.findAccount(second.id)).toEqual(changed)
  })

  test('of the house are nobody’s to see or change', async () => {
    const { directory } = memoryStorage()
    expect(await directory.listAccounts()).toEqual([])
    for (const id of [-1, -2, -3] as AccountId[]) {
      expect(await directory.findAccount(id)).toBeNull()
      expect(directory.setAccount(id, { name: 'mine' })).rejects.toThrow(RangeError)
    }
  })
})

describe('projects and keys', () => {
  test('lists and limits come back as they were given', async () => {
    const storage = memoryStorage()
    const { directory } = storage
    const caller = await customer(storage, {
      project: { allowedModels: ['openai/*', 'sandbox/echo'], monthlyBudget: parseUsd('3.5') },
      key: {
        requestsPerMinute: 5,
        spendLimit: parseUsd('0.000000001'),
        allowedModels: [],
        allowedAddresses: ['10.0.0.0/8', '::1'],
        expiresAt: 1_900_000_000_000 as Ms,
      },
    })
    expect(await directory.findProject(caller.project.id)).toEqual(caller.project)
    expect(await directory.findKey(caller.key.id)).toEqual({
      ...caller.key,
      account: caller.account.id,
      spent: zeroUsd,
    } as never)
    expect((await storage.identity.findByHash('hash-1'))?.caller.key).toMatchObject({
      spendLimit: parseUsd('0.000000001'),
      allowedModels: [],
      allowedAddresses: ['10.0.0.0/8', '::1'],
    })
    expect(await storage.identity.findByHash('hash-2')).toBeNull()
  })

  test('a caller is a key with all that stands behind it, as it is now', async () => {
    const storage = memoryStorage()
    const { account, project, key } = await customer(storage)
    await customer(storage)
    await storage.directory.setAccount(account.id, { concurrency: 2 })
    await storage.directory.setProject(project.id, { active: false })
    await storage.directory.setKey(key.id, { state: 'disabled' })
    const found = await storage.identity.findByHash(`hash-${account.id}`)
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

  test('are listed by what they belong to', async () => {
    const storage = memoryStorage()
    const [one, two] = [await customer(storage), await customer(storage)]
    const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id)
    expect(ids(await storage.directory.listProjects())).toEqual([1, 2])
    expect(ids(await storage.directory.listProjects(two.account.id))).toEqual([two.project.id])
    expect(ids(await storage.directory.listKeys())).toEqual([1, 2])
    expect(ids(await storage.directory.listKeys(one.project.id))).toEqual([one.key.id])
  })

  test('a key tells what it has spent', async () => {
    const clock = handClock()
    const storage = memoryStorage(clock)
    const [one, two] = [
      await customer(storage, { usd: '1' }),
      await customer(storage, { usd: '1' }),
    ]
    await storage.ledger.commit(charge(opening(one, clock.now()), 40), false)
    await storage.ledger.commit(charge(opening(one, clock.now()), 2), false)
    expect((await storage.directory.findKey(one.key.id))?.spent).toBe(nanoUsd(42))
    expect((await storage.directory.listKeys()).map(({ spent }) => spent)).toEqual([
      nanoUsd(42),
      zeroUsd,
    ])
    expect((await storage.directory.findKey(two.key.id))?.spent).toBe(zeroUsd)
  })

  test('a revoked key stays revoked', async () => {
    const storage = memoryStorage()
    const { key } = await customer(storage)
    await storage.directory.setKey(key.id, { state: 'revoked' })
    expect(storage.directory.setKey(key.id, { state: 'active' })).rejects.toThrow(
      /revoked for good/,
    )
    expect(await storage.directory.setKey(key.id, { name: 'old' })).toMatchObject({
      name: 'old',
      state: 'revoked',
    })
  })

  test('two keys never have one secret', async () => {
    const storage = memoryStorage()
    const { project } = await customer(storage)
    const again = { project: project.id, name: 'again', prefix: 'sk' }
    expect(storage.directory.createKey(again, 'hash-1')).rejects.toThrow(/unique/i)
    expect(await storage.directory.listKeys()).toHaveLength(1)
  })
})

describe('what does not exist', () => {
  test('is found to be nothing, and refuses changes in a sentence', async () => {
    const { directory } = memoryStorage()
    expect(await directory.findAccount(nobody.account)).toBeNull()
    expect(await directory.findProject(nobody.project)).toBeNull()
    expect(await directory.findKey(nobody.key)).toBeNull()
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
    expect(directory.setKey(nobody.key, { name: 'x' })).rejects.toThrow(
      new RangeError('there is no key 9'),
    )
  })
})

describe('deposits', () => {
  const open = async () => {
    const storage = memoryStorage()
    const { id: account } = (await customer(storage)).account
    const deposit = (
      kind: 'topup' | 'adjustment',
      amount: number,
      reference: string,
      into: AccountId = account,
    ) => storage.directory.deposit({ account: into, amount: nanoUsd(amount), kind, reference })
    return { storage, account, deposit }
  }

  test('come from payments, corrections from adjustments, both ways', async () => {
    using folder = testFolder()
    const storage = folder.open()
    const { id: account } = (await customer(storage)).account
    const { deposit } = storage.directory
    await deposit({ account, amount: nanoUsd(700), kind: 'topup', reference: 'a' })
    await deposit({ account, amount: nanoUsd(-30), kind: 'adjustment', reference: 'b' })
    await deposit({ account, amount: nanoUsd(5), kind: 'adjustment', reference: 'c' })
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
    expect((await storage.audit()).ok).toBe(true)
  })

  test('count once per reference', async () => {
    const { storage, deposit, account } = await open()
    expect(await deposit('topup', 700, 'payment-1')).toEqual({
      balance: nanoUsd(700),
      repeated: false,
    })
    expect(await deposit('topup', 700, 'payment-1')).toEqual({
      balance: nanoUsd(700),
      repeated: true,
    })
    expect((await deposit('adjustment', 1, 'payment-1')).repeated).toBe(false)
    expect((await storage.directory.findAccount(account))?.balance).toBe(nanoUsd(701))
  })

  test('with another account’s reference are refused', async () => {
    const { storage, deposit } = await open()
    const other = (await customer(storage)).account.id
    await deposit('topup', 700, 'payment-1')
    expect(deposit('topup', 700, 'payment-1', other)).rejects.toThrow(/belongs to another account/)
  })

  test('of nothing, of less than nothing, or to the house are refused', async () => {
    const { deposit, storage } = await open()
    expect(deposit('topup', 0, 'a')).rejects.toThrow(RangeError)
    expect(deposit('topup', -5, 'b')).rejects.toThrow(/adjustment/)
    expect(deposit('topup', 5, 'c', -1 as AccountId)).rejects.toThrow(RangeError)
    expect(await storage.audit()).toMatchObject({ ok: true, transfers: 0 })
  })

  test('that would lose a digit are refused and change nothing', async () => {
    const { deposit, storage, account } = await open()
    await deposit('topup', Number.MAX_SAFE_INTEGER, 'a')
    expect(deposit('topup', 1, 'b')).rejects.toThrow(RangeError)
    expect((await storage.directory.findAccount(account))?.balance).toBe(
      nanoUsd(Number.MAX_SAFE_INTEGER),
    )
    expect(await storage.audit()).toMatchObject({ ok: true, transfers: 1 })
  })
})
