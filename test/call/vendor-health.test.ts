import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { VendorConfig } from '../../src/domain/model'
import { noticeBody } from '../../src/business/notices/notice-body'
import type { Storage } from '../../src/business/data/storage'
import { handClock, testFolder, type TestFolder } from '../storage/folder'
import { readExposition } from '../support/exposition'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, replies, type Script, type StandIn } from '../support/stand-in'

const minute = 60_000
const token = 'a-token-of-sixteen-characters'

let folder: TestFolder
let vendor: StandIn
let spare: StandIn
let clock: ReturnType<typeof handClock>
let chapar: TestGateway

const lists: Script = () => Response.json({ object: 'list', data: [{ id: 'a' }] })
const serves: Script = (seen, request) =>
  seen.method === 'GET' ? lists(seen, request) : replies()(seen, request)
const refuses: Script = () =>
  Response.json({ error: { code: 'invalid_api_key', message: 'no' } }, { status: 401 })
const fails: Script = () => Response.json({ error: { message: 'no' } }, { status: 500 })
const isEmpty: Script = (seen, request) =>
  seen.method === 'GET'
    ? lists(seen, request)
    : Response.json({ error: { code: 'insufficient_quota', message: 'pay' } }, { status: 429 })

const open = (change: Partial<VendorConfig> = {}, prepare: (storage: Storage) => void = () => {}) =>
  openTestGateway({
    clock,
    folder: folder.path,
    env: { CHAPAR_METRICS_TOKEN: token },
    async prepare(storage) {
      await addVendor(storage, 'main', vendor.url)
      await addVendor(storage, 'spare', spare.url)
      const [main] = await storage.catalogue.vendors()
      if (main !== undefined) await storage.catalogue.saveVendor({ ...main, ...change })
      await addModel(storage, 'both', ['main', 'spare'])
      prepare(storage)
    },
  })

beforeEach(async () => {
  folder = testFolder()
  vendor = openStandIn(serves)
  spare = openStandIn(serves)
  clock = handClock()
  chapar = await open()
})
afterEach(async () => {
  await chapar.close()
  await vendor.close()
  await spare.close()
  folder[Symbol.dispose]()
})

const call = async (): Promise<number> => {
  const answer = await chapar.post(ask('both'))
  await answer.text()
  return answer.status
}
const pass = async (ms: number): Promise<void> => {
  clock.set(clock.now() + ms)
  await chapar.gateway.checkVendors()
}
const told = async () =>
  (await chapar.storage.notices.list({ pending: false, most: 100 }))
    .map(({ notice }) => notice)
    .toReversed()
const kinds = async () =>
  (await told()).map(({ kind, subject }) => `${kind} ${subject.vendor?.name}`)
const counted = (stand: StandIn): string =>
  stand.seen.map(({ method }) => (method === 'GET' ? 'g' : 'P')).join('')
const metric = async (name: string, labels: Record<string, string>): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  const text = await (await fetch(chapar.url.replace('/v1', '/metrics'), { headers })).text()
  return readExposition(text).value(name, labels)
}

describe('the gateway', () => {
  test('checks vendors that nobody calls, and those alone', async () => {
    await pass(2 * minute)
    await call()
    await pass(2 * minute)
    await call()
    await pass(2 * minute)
    expect([counted(vendor), counted(spare)]).toEqual(['PP', 'g'])
    await pass(5 * minute)
    expect([counted(vendor), await kinds()]).toEqual(['PPg', []])
    expect(vendor.seen.at(-1)?.headers.get('authorization')).toBe('Bearer sk-vendor-secret')
    expect(await metric('chapar_vendor_up', { vendor: 'main' })).toBe(1)
  })

  test('tells of a dead key once, goes by others until a check passes, and tells that it does', async () => {
    vendor.play(refuses)
    expect(await call()).toBe(200)
    await pass(0)
    expect(await kinds()).toEqual(['vendor_refuses_key main'])
    expect(await metric('chapar_vendor_up', { vendor: 'main' })).toBe(0)
    for (let checks = 0; checks < 5; checks++) await pass(minute)
    const asked = vendor.seen.filter(({ method }) => method === 'POST').length
    expect(await call()).toBe(200)
    expect(vendor.seen.filter(({ method }) => method === 'POST').length).toBe(asked)
    expect(await kinds()).toEqual(['vendor_refuses_key main'])
    vendor.play(serves)
    await pass(minute)
    expect(await kinds()).toEqual(['vendor_refuses_key main', 'vendor_back main'])
    expect(await metric('chapar_vendor_up', { vendor: 'main' })).toBe(1)
    expect(await call()).toBe(200)
    expect(vendor.seen.filter(({ method }) => method === 'POST').length).toBe(asked + 1)
  })

  test('finds a dead key although nobody calls, and says so in both languages', async () => {
    vendor.play(refuses)
    await pass(6 * minute)
    const [notice] = await told()
    if (notice === undefined) throw new Error('nothing was told')
    const body = noticeBody(notice)
    expect(body).toMatchObject({
      kind: 'vendor_refuses_key',
      subject: { type: 'vendor', vendor: { name: 'main', credential: 'default' } },
      limit: null,
      spent: null,
      period: new Date(clock.now()).toISOString(),
    })
    expect(body.text.en).toContain('vendor set main --api-key-stdin')
    expect(body.text.fa).toContain('main')
  })

  test('tells of an empty account by the first call, and tries it again every few minutes', async () => {
    vendor.play(isEmpty)
    expect(await call()).toBe(200)
    await pass(0)
    expect(await kinds()).toEqual(['vendor_out_of_money main'])
    const asked = vendor.seen.length
    await call()
    expect(vendor.seen.length).toBe(asked)
    vendor.play(serves)
    clock.set(clock.now() + 5 * minute + 1)
    await call()
    await pass(0)
    expect(await kinds()).toEqual(['vendor_out_of_money main', 'vendor_back main'])
  })

  test('tells of a vendor that is down, also one that only hangs, and not again after a restart', async () => {
    vendor.play(() => new Promise<Response>(() => {}))
    const hanging = pass(6 * minute)
    while (counted(vendor) === '') await Bun.sleep(2)
    clock.set(clock.now() + 2 * minute)
    await hanging
    vendor.play(fails)
    for (let checks = 0; checks < 12; checks++) await pass(minute)
    expect(await kinds()).toEqual(['vendor_down main'])
    const [notice] = await told()
    expect(notice?.period).toBe('2026-11-20T12:08:00.000Z')
    await chapar.close()
    chapar = await open()
    for (let checks = 0; checks < 3; checks++) await pass(minute)
    await call()
    expect(await kinds()).toEqual(['vendor_down main'])
    expect(await metric('chapar_vendor_up', { vendor: 'main' })).toBe(0)
    vendor.play(serves)
    await pass(minute)
    expect(await kinds()).toEqual(['vendor_down main', 'vendor_back main'])
    // Another trouble is told anew.
    vendor.play(fails)
    for (let checks = 0; checks < 12; checks++) await pass(minute)
    expect(await kinds()).toHaveLength(3)
  })

  test('does not check when it is told not to', async () => {
    await chapar.storage.settings.set('vendor-check-every', 'off')
    await chapar.gateway.reloadSettings()
    await pass(60 * minute)
    expect(counted(vendor)).toBe('')
  })

  test('checks a vendor once at a time', async () => {
    const waiting: (() => void)[] = []
    vendor.play(
      (seen, request) =>
        new Promise<Response>((resolve) => waiting.push(() => resolve(serves(seen, request)))),
    )
    const first = pass(6 * minute)
    while (waiting.length === 0) await Bun.sleep(2)
    await pass(minute)
    expect(waiting.length).toBe(1)
    waiting[0]?.()
    await first
  })
})

const balances: readonly (readonly [string, string, object, object])[] = [
  [
    'deepseek',
    '/user/balance',
    {
      is_available: true,
      balance_infos: [
        { currency: 'CNY', total_balance: '110.00' },
        { currency: 'USD', total_balance: '12.50' },
      ],
    },
    { is_available: false, balance_infos: [{ currency: 'USD', total_balance: '0.00' }] },
  ],
  [
    'openrouter',
    '/v1/key',
    { data: { limit: 100, limit_remaining: 12.5, usage: 87.5 } },
    { data: { limit: 100, limit_remaining: 0, usage: 100 } },
  ],
  [
    'moonshot',
    '/v1/users/me/balance',
    { code: 0, data: { available_balance: 12.5, voucher_balance: 0, cash_balance: 12.5 } },
    { code: 0, data: { available_balance: -0.1, voucher_balance: 0, cash_balance: -0.1 } },
  ],
]

test.each(balances)('the balance at %s is read at %s', async (dialect, path, some, none) => {
  await chapar.close()
  chapar = await open({ dialect })
  let body = some
  vendor.play((seen, request) => (seen.path === path ? Response.json(body) : serves(seen, request)))
  await pass(6 * minute)
  expect(vendor.seen.map((seen) => seen.path)).toEqual([path])
  const labels = { vendor: 'main', credential: 'default' }
  expect(await metric('chapar_vendor_balance_dollars', labels)).toBe(12.5)
  const kept = async () =>
    (await chapar.storage.vendorStates.all()).find(({ credential }) => credential !== '')
  expect(Number((await kept())?.balance?.amount)).toBe(12.5)
  expect(await kinds()).toEqual([])
  body = none
  await pass(6 * minute)
  expect(await kinds()).toEqual(['vendor_out_of_money main'])
  body = some
  await pass(6 * minute)
  expect(await kinds()).toEqual(['vendor_out_of_money main', 'vendor_back main'])
})

/** Vendors that are asked for their models first, and for their balance by calls of its own. */
const furtherBalances: readonly (readonly [
  kind: 'deepgram' | 'elevenlabs',
  answers: Readonly<Record<string, object>>,
  balance: object,
])[] = [
  [
    'deepgram',
    {
      '/v1/models': { stt: [{ name: 'nova-3' }], tts: [] },
      '/v1/projects': { projects: [{ project_id: 'a-1', name: 'ours' }] },
      '/v1/projects/a-1/balances': {
        balances: [
          { balance_id: 'b', amount: 12.25, units: 'usd', purchase_order_id: 'p' },
          { balance_id: 'c', amount: 0.25, units: 'usd', purchase_order_id: 'q' },
          { balance_id: 'd', amount: 40, units: 'hour', purchase_order_id: 'r' },
        ],
      },
    },
    { amount: '12.5', currency: 'USD' },
  ],
  [
    'elevenlabs',
    {
      '/v1/models': [{ model_id: 'eleven_v3' }],
      '/v1/user/subscription': {
        tier: 'creator',
        character_count: 17_231,
        character_limit: 100_000,
        status: 'active',
      },
    },
    { amount: '82769', currency: 'characters' },
  ],
]

test.each(furtherBalances)(
  '%s is asked for its balance behind its models',
  async (kind, answers, balance) => {
    await chapar.close()
    chapar = await open({ kind, dialect: kind })
    const forbidden = new Set<string>()
    vendor.play(({ path }) =>
      forbidden.has(path) || answers[path] === undefined
        ? Response.json({ detail: { status: 'missing_permissions' } }, { status: 401 })
        : Response.json(answers[path]),
    )
    const kept = async () =>
      (await chapar.storage.vendorStates.all()).find(({ credential }) => credential !== '')
    await pass(6 * minute)
    expect(vendor.seen.map(({ path }) => path)).toEqual(Object.keys(answers))
    expect((await kept())?.balance).toEqual(balance as never)
    // A key that may not read it serves all the same.
    for (const path of Object.keys(answers).slice(1)) forbidden.add(path)
    await pass(6 * minute)
    expect(await kinds()).toEqual([])
    expect(await metric('chapar_vendor_up', { vendor: 'main' })).toBe(1)
  },
)

test('the last calls to a vendor are kept: how long answers took, and what failed', async () => {
  const whole = async () =>
    (await chapar.storage.vendorStates.all()).find(
      ({ vendor: name, credential }) => name === 'main' && credential === '',
    )?.recent
  let tookMs = 0
  vendor.play((seen, request) => {
    clock.set(clock.now() + tookMs)
    return serves(seen, request)
  })
  for (tookMs = 10; tookMs <= 200; tookMs += 10) await call()
  tookMs = 0
  vendor.play(fails)
  await call()
  await pass(20_000)
  expect(await whole()).toMatchObject({ attempts: 21, failures: 1, p50Ms: 100, p95Ms: 190 })
  expect((await whole())?.lastFailures).toMatchObject([{ code: 'upstream_error', status: 500 }])
  // A gateway that begins knows what the last one knew, and has forgotten nothing in between.
  await chapar.close()
  chapar = await open()
  expect(await whole()).toMatchObject({ attempts: 21, failures: 1, p95Ms: 190 })
  vendor.play(serves)
  clock.set(clock.now() + minute)
  await call()
  await chapar.close()
  chapar = await open()
  expect(await whole()).toMatchObject({ attempts: 1, failures: 0, lastFailures: [{ status: 500 }] })
})
