import { describe, expect, test } from 'bun:test'
import type { Caller } from '../../src/domain/caller'
import type { Secret } from '../../src/domain/secret'
import { GatewayError } from '../../src/errors/gateway-error'
import { checkAddress, checkCaller, checkModel } from '../../src/gateway/identity/access'
import { openIdentity } from '../../src/gateway/identity/open-key-lookup'
import { hashSecret, makeSecret } from '../../src/gateway/identity/secret'
import { customer, handClock, memoryStorage } from '../storage/folder'
import { paced } from '../support/pace'

const brands = ['sk-chapar-v1-', 'sk-barid-v1-'] as const

/** An identity on a store that counts what it is asked. */
async function open() {
  const clock = handClock()
  const storage = memoryStorage(clock)
  const { pepper, directory } = storage
  let asked = 0
  const identity = openIdentity({
    store: {
      findByHash(hash) {
        asked++
        return storage.identity.findByHash(hash)
      },
      findByKey(key) {
        asked++
        return storage.identity.findByKey(key)
      },
    },
    pepper,
    clock,
    brands,
    onFault: (fault) => {
      throw fault
    },
  })
  const { project, account } = await customer(storage)
  const make = async (
    brand: string = brands[0],
  ): Promise<{ secret: Secret; key: Caller['key'] }> => {
    const secret = makeSecret(brand)
    const named = { project: project.id, name: 'k', prefix: 'sk' }
    return { secret, key: await directory.createKey(named, hashSecret(secret, pepper)) }
  }
  return { clock, storage, directory, identity, project, account, make, asked: () => asked }
}

async function refused(work: () => unknown): Promise<string | null> {
  try {
    await work()
    return null
  } catch (thrown) {
    if (thrown instanceof GatewayError) return (thrown as GatewayError).code
    throw thrown
  }
}

describe('who sent a secret', () => {
  test('is found once in the store, and then remembered', async () => {
    const { identity, make, asked, account } = await open()
    const { secret, key } = await make()
    const caller = await identity.identify(secret)
    expect(caller.key.id).toBe(key.id)
    expect(caller.account.id).toBe(account.id)
    expect(await identity.identify(secret)).toBe(caller)
    expect(asked()).toBe(1)
  })

  test('may have a key of either brand, which draw on the same account', async () => {
    const { identity, make } = await open()
    const [own, sister] = await Promise.all(
      brands.map(async (brand) => identity.identify((await make(brand)).secret)),
    )
    expect(own?.account.id).toBe(sister?.account.id)
    expect(own?.key.id).not.toBe(sister?.key.id)
  })

  test('is nobody for what was never a key, and the store is not even asked', async () => {
    const { identity, make, asked } = await open()
    const { secret } = await make()
    const wrong = ['sk-other-v1-x', '', 'sk-chapar-v2-x', secret.toUpperCase(), ` ${secret}`]
    for (const each of [...wrong, `${brands[0]}${'x'.repeat(300)}`])
      expect(await refused(() => identity.identify(each as Secret))).toBe('invalid_api_key')
    expect(asked()).toBe(0)
    expect(await refused(() => identity.identify(null))).toBe('missing_api_key')
    // One letter off is looked for, and not found; nobody is remembered by it.
    for (let times = 0; times < 2; times++)
      expect(await refused(() => identity.identify(`${secret.slice(0, -1)}!` as Secret))).toBe(
        'invalid_api_key',
      )
    expect(asked()).toBe(2)
  })

  test('is not believed to a store that answers with another key', async () => {
    const { storage, clock, make } = await open()
    const { secret } = await make()
    const right = storage.identity.findByHash(hashSecret(secret, storage.pepper))
    const store = { ...storage.identity, findByHash: () => right }
    const identity = openIdentity({
      store,
      pepper: storage.pepper,
      clock,
      brands,
      onFault: () => {},
    })
    expect(await refused(() => identity.identify(makeSecret(brands[0])))).toBe('invalid_api_key')
  })

  test('is known anew once something was forgotten, and a running call by what holds now', async () => {
    const { identity, directory, make } = await open()
    const { secret, key } = await make()
    const caller = await identity.identify(secret)
    await directory.setKey(key.id, { name: 'renamed' })
    expect(identity.renew(caller).key.name).toBe('k')
    identity.expire()
    // At once by what was; the next look finds what is.
    expect(identity.renew(caller).key.name).toBe('k')
    await identity.renewal(caller)
    expect(identity.renewal(caller)).toBeNull()
    const now = identity.renew(caller)
    expect(now.key.name).toBe('renamed')
    expect(await identity.identify(secret)).toBe(now)
    await directory.setKey(key.id, { state: 'revoked' })
    identity.expire()
    await identity.renewal(caller)
    expect(await refused(() => identity.renew(caller))).toBe('api_key_revoked')
    expect(await refused(() => identity.renew(now))).toBe('api_key_revoked')
  })

  test('of one of several processes is who was read last, while the store does not answer', async () => {
    const storage = memoryStorage()
    const { project } = await customer(storage)
    const secret = makeSecret(brands[0])
    const named = { project: project.id, name: 'k', prefix: 'sk' }
    await storage.directory.createKey(named, hashSecret(secret, storage.pepper))
    const gate = { answers: Promise.resolve() }
    const identity = openIdentity({
      store: {
        async findByHash(hash) {
          await gate.answers
          return await storage.identity.findByHash(hash)
        },
        findByKey: (key) => storage.identity.findByKey(key),
      },
      pepper: storage.pepper,
      clock: handClock(),
      brands,
      trustsLast: true,
      onFault() {},
    })
    const known = await identity.identify(secret)
    const answering = Promise.withResolvers<void>()
    gate.answers = answering.promise
    identity.expire()
    expect(await identity.identify(secret)).toBe(known)
    // The first one waited for all.
    const began = performance.now()
    for (let look = 0; look < 20; look++) expect(await identity.identify(secret)).toBe(known)
    expect(performance.now() - began).toBeLessThan(paced(500))
    await storage.directory.setKey(known.key.id, { state: 'revoked' })
    answering.resolve()
    await Bun.sleep(1)
    expect(await refused(() => identity.identify(secret))).toBe('api_key_revoked')
  })

  test('is found without a secret by the number of its key, by the same rules', async () => {
    const { identity, directory, make, asked } = await open()
    const { secret, key } = await make()
    const caller = await identity.callerOf(key.id)
    expect(caller).toEqual(await identity.identify(secret))
    const before = asked()
    expect(await identity.callerOf(key.id)).toBe(caller)
    expect(asked()).toBe(before)
    await directory.setKey(key.id, { state: 'disabled' })
    identity.expire()
    await identity.renewal(caller)
    expect(await refused(() => identity.callerOf(key.id))).toBe('api_key_disabled')
    expect(await refused(() => identity.renew(caller))).toBe('api_key_disabled')
    expect(await refused(() => identity.callerOf((key.id + 1) as typeof key.id))).toBe(
      'invalid_api_key',
    )
  })

  test('may no longer call from the moment that the key expires, though it is remembered', async () => {
    const { identity, directory, make, clock } = await open()
    const { secret, key } = await make()
    await directory.setKey(key.id, { expiresAt: (clock.now() + 1000) as never })
    await identity.identify(secret)
    clock.set(clock.now() + 999)
    expect(await refused(() => identity.identify(secret))).toBeNull()
    clock.set(clock.now() + 1)
    expect(await refused(() => identity.identify(secret))).toBe('api_key_expired')
  })
})

const { storage, clock } = await open()
const good = await customer(storage)

describe('whether a caller may call', () => {
  const refusedWith = (change: {
    key?: Partial<Caller['key']>
    account?: Partial<Caller['account']>
    project?: Partial<Caller['project']>
  }) =>
    refused(() =>
      checkCaller(
        {
          key: { ...good.key, ...change.key },
          account: { ...good.account, ...change.account },
          project: { ...good.project, ...change.project },
        },
        clock.now(),
      ),
    )

  test('is refused by the first thing that is wrong, in a fixed order', async () => {
    const past = { expiresAt: 1 as never }
    const suspended = { status: 'suspended' } as const
    const off = { active: false }
    expect(await refusedWith({})).toBeNull()
    expect(await refusedWith({ project: off })).toBe('project_inactive')
    expect(await refusedWith({ project: off, account: suspended })).toBe('account_suspended')
    expect(await refusedWith({ account: suspended, key: past })).toBe('api_key_expired')
    expect(await refusedWith({ key: { ...past, state: 'disabled' } })).toBe('api_key_disabled')
    expect(await refusedWith({ key: { ...past, state: 'revoked' } })).toBe('api_key_revoked')
  })

  test.each([
    [null, '203.0.113.7', true],
    [[], '203.0.113.7', false],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.8'], '203.0.113.7', false],
    [['203.0.113.0/24'], '203.0.113.7', true],
    [['203.0.112.0/24'], '203.0.113.7', false],
    [['0.0.0.0/0'], '203.0.113.7', true],
    [['0.0.0.0/0'], '2001:db8:0:0:0:0:0:1', false],
    [['::/0'], '203.0.113.7', false],
    [['2001:db8::/32'], '2001:db8:0:0:0:0:0:1', true],
    [['2001:db8::1'], '2001:db8:0:0:0:0:0:1', true],
    [['2001:DB8::2'], '2001:db8:0:0:0:0:0:1', false],
    [['::ffff:203.0.113.7'], '203.0.113.7', true],
    [['10.0.0.0/8', '203.0.113.7'], '203.0.113.7', true],
  ])('from addresses %p, %p may: %p', async (allowedAddresses, address, may) => {
    const caller = { ...good, key: { ...good.key, allowedAddresses } }
    expect(await refused(() => checkAddress(caller, address))).toBe(may ? null : 'ip_not_allowed')
  })

  test('both key and project must allow a model; the key is asked first, and lists are told', () => {
    const model = { id: 'gpt-4o', ownedBy: 'openai' }
    const may = (key: string[] | null, project: string[] | null) => {
      try {
        checkModel(
          {
            ...good,
            key: { ...good.key, allowedModels: key },
            project: { ...good.project, allowedModels: project },
          },
          model,
        )
        return null
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        return (thrown as GatewayError).facts
      }
    }
    expect(may(null, null)).toBeNull()
    expect(may(['gpt-*'], ['openai/*'])).toBeNull()
    expect(may(['a'], ['b'])).toEqual({ model: 'gpt-4o', by: 'key', allowed: ['a'] })
    expect(may(['*'], ['b', 'c'])).toEqual({ model: 'gpt-4o', by: 'project', allowed: ['b', 'c'] })
    expect(may([], null)).toEqual({ model: 'gpt-4o', by: 'key', allowed: [] })
  })
})
