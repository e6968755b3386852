import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { VendorConfig } from '../../src/domain/model'
import type { Storage } from '../../src/business/data/storage'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openDesk as openVideoDesk } from '../endpoints/videos/desk'
import { handClock, testFolder } from '../storage/folder'
import {
  addModel,
  addVendor,
  ask,
  commandSeen,
  openTestGateway,
  type TestGateway,
} from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { openStandIn, replies, type SeenRequest, type StandIn } from '../support/stand-in'
import { openVideoStandIn } from '../support/video-stand-in'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** What a vendor answers to each of our keys; it serves those that are not named. */
type ByKey = Record<string, () => Response | Promise<Response>>

const keyOf = ({ headers }: SeenRequest): string =>
  headers.get('authorization')?.replace('Bearer ', '') ?? 'none'

const failure = (status: number, error: object = { message: 'no' }, headers = {}) =>
  Response.json({ error }, { status, headers })
const refuses = () => failure(401, { message: 'Incorrect API key', code: 'invalid_api_key' })
const limits =
  (seconds = 7) =>
  () =>
    failure(429, { message: 'slow down' }, { 'retry-after': String(seconds) })
const empty = () => failure(429, { message: 'pay', code: 'insufficient_quota' })

const fail = (): never => {
  throw new Error('nothing was added')
}

interface Desk {
  readonly chapar: TestGateway
  readonly vendor: StandIn
  readonly clock: ReturnType<typeof handClock>
  /** Replaces what is answered. */
  answer(byKey: ByKey): void
  /** Keys of calls since the last time. */
  asked(): readonly string[]
}

const more = (...names: readonly string[]) =>
  names.map((name) => ({ name, secret: `sk-${name}`, active: true }))

async function openDesk(
  vendorOf: (vendor: VendorConfig) => VendorConfig,
  prepare: (storage: Storage) => Promise<void> = async () => {},
): Promise<Desk> {
  let byKey: ByKey = {}
  let from = 0
  const vendor = openStandIn((seen, request) => byKey[keyOf(seen)]?.() ?? replies()(seen, request))
  const clock = handClock()
  const chapar = await openTestGateway({
    clock,
    vendorUrl: vendor.url,
    async prepare(storage) {
      const [standin] = await storage.catalogue.vendors()
      if (standin !== undefined) await storage.catalogue.saveVendor(vendorOf(standin))
      await prepare(storage)
    },
  })
  closing.push(vendor.close, chapar.close)
  return {
    chapar,
    vendor,
    clock,
    answer: (next) => void (byKey = next),
    asked() {
      const keys = vendor.seen.slice(from).map(keyOf)
      from = vendor.seen.length
      return keys
    },
  }
}

const withTwo = (vendor: VendorConfig): VendorConfig => ({
  ...vendor,
  credential: 'sk-one',
  moreCredentials: more('two'),
})
const priced = ask('priced')
const chargedUsd = 0.00045

const statusOf = async (desk: Desk, body: object = priced): Promise<number> => {
  const answer = await desk.chapar.post(body)
  await answer.text()
  return answer.status
}

/** Of the two, the one that this project keeps to. */
async function keptKey(desk: Desk): Promise<readonly [string, string]> {
  await statusOf(desk)
  const [first = ''] = desk.asked()
  return first === 'sk-one' ? ['sk-one', 'sk-two'] : ['sk-two', 'sk-one']
}

describe('a vendor with two credentials', () => {
  test('is asked by one of them for all calls of a project, and by both for several', async () => {
    const desk = await openDesk(withTwo)
    const [kept] = await keptKey(desk)
    for (let calls = 0; calls < 4; calls++) await statusOf(desk)
    expect(desk.asked()).toEqual([kept, kept, kept, kept])
    const { key } = await desk.chapar.customer()
    await (await desk.chapar.post(priced, { authorization: `Bearer ${key}` })).text()
    expect(desk.asked()).toEqual([kept === 'sk-one' ? 'sk-two' : 'sk-one'])
  })

  test('serves on by the other when one is refused: charged once, asked no more', async () => {
    const desk = await openDesk(withTwo)
    const [kept, other] = await keptKey(desk)
    const before = Number((await desk.chapar.rest()).balance)
    desk.answer({ [kept]: refuses })
    expect(await statusOf(desk)).toBe(200)
    expect(desk.asked()).toEqual([kept, other])
    expect(await statusOf(desk)).toBe(200)
    expect(desk.asked()).toEqual([other])
    const after = Number((await desk.chapar.rest()).balance)
    expect((before - after) / 1e9).toBeCloseTo(2 * chargedUsd, 9)
    expect((await desk.chapar.audit()).ok).toBe(true)
    // However long nobody checks it.
    desk.clock.set(desk.clock.now() + 3_600_000)
    await statusOf(desk)
    expect(desk.asked()).toEqual([other])
  })

  test('gives a limited one the time that the vendor asked for, and takes it again', async () => {
    const desk = await openDesk(withTwo)
    const [kept, other] = await keptKey(desk)
    desk.answer({ [kept]: limits(7) })
    expect(await statusOf(desk)).toBe(200)
    desk.answer({})
    await statusOf(desk)
    expect(desk.asked()).toEqual([kept, other, other])
    desk.clock.set(desk.clock.now() + 7001)
    await statusOf(desk)
    expect(desk.asked()).toEqual([kept])
  })

  test('cools as a route only when both do', async () => {
    const desk = await openDesk(withTwo, async (storage) => {
      const [standin] = await storage.catalogue.vendors()
      await addVendor(storage, 'spare', standin?.baseUrl ?? '')
      await addModel(storage, 'both', ['standin', 'spare'])
    })
    desk.answer({ 'sk-one': limits(7), 'sk-two': limits(7) })
    expect(await statusOf(desk, ask('both'))).toBe(200)
    expect(desk.asked().toSorted()).toEqual(['sk-one', 'sk-two', 'sk-vendor-secret'])
    await statusOf(desk, ask('both'))
    expect(desk.asked()).toEqual(['sk-vendor-secret'])
    desk.clock.set(desk.clock.now() + 7001)
    desk.answer({})
    await statusOf(desk, ask('both'))
    expect(desk.asked()).not.toContain('sk-vendor-secret')
  })

  test('is not asked again with the other when it may have done what it was asked', async () => {
    const desk = await openDesk(withTwo)
    const [kept, other] = await keptKey(desk)
    desk.answer({ [kept]: () => failure(500) })
    expect(await statusOf(desk)).toBe(502)
    expect(desk.asked()).toEqual([kept])
    desk.answer({ [kept]: empty })
    expect(await statusOf(desk)).toBe(200)
    expect(desk.asked()).toEqual([kept, other])
  })

  test('is asked by those that are switched on, as soon as that changes', async () => {
    const desk = await openDesk(withTwo)
    const [standin] = await desk.chapar.storage.catalogue.vendors()
    if (standin === undefined) throw new Error('no vendor')
    for (const changed of [
      { ...standin, credentialOff: true as const },
      { ...standin, moreCredentials: [] },
    ]) {
      await desk.chapar.storage.catalogue.saveVendor(changed)
      await desk.chapar.gateway.reloadCatalogue()
      await commandSeen()
      await statusOf(desk)
      expect(desk.asked()).toEqual([changed.moreCredentials?.length === 0 ? 'sk-one' : 'sk-two'])
    }
  })

  test('shows no customer by which one it was', async () => {
    const desk = await openDesk(withTwo)
    const answer = await desk.chapar.post(priced)
    await answer.text()
    const id = answer.headers.get('x-request-id') ?? ''
    const headers = { authorization: `Bearer ${desk.chapar.key}` }
    const told = await (await fetch(`${desk.chapar.url}/requests/${id}`, { headers })).text()
    expect(told).toContain(id)
    expect(told).not.toMatch(/default|sk-|"two"|credential/)
  })
})

test('pictures of which a part is made are ordered of nobody else, by no other credential', async () => {
  let orders = 0
  const makes = openStandIn(() =>
    orders++ === 0
      ? Response.json({ created: 1, data: [{ b64_json: 'cGljdHVyZQ==' }] })
      : limits(1)(),
  )
  const chapar = await openTestGateway({
    async prepare(storage) {
      await addVendor(storage, 'together', makes.url)
      await addVendor(storage, 'spare', makes.url)
      for (const vendor of await storage.catalogue.vendors())
        await storage.catalogue.saveVendor({ ...withTwo(vendor), dialect: 'together' })
      await addModel(storage, 'paints', ['together', 'spare'])
      const [{ created: _, card: __, ...entry } = fail()] = await storage.catalogue.models()
      await storage.catalogue.saveModel({ ...entry, type: 'image' }, [
        { meter: 'image', unit: 'each', price: '0.1' },
      ])
    },
  })
  closing.push(makes.close, chapar.close)
  const answer = await fetch(`${chapar.url}/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ model: 'paints', prompt: 'sea', n: 8 }),
  })
  await answer.text()
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([429, 'false'])
  expect(makes.seen.length).toBe(2)
  expect((await chapar.rest()).balance).toBe('100000000000')
})

/** What a vendor may do with a call, and whether it surely did nothing. */
const ways = {
  serves: { answer: null, isRefusal: false },
  refused: { answer: refuses, isRefusal: true },
  limited: { answer: limits(1), isRefusal: true },
  empty: { answer: empty, isRefusal: true },
  paid: { answer: () => failure(402), isRefusal: true },
  fails: { answer: () => failure(500), isRefusal: false },
  full: { answer: () => failure(503), isRefusal: false },
  babbles: { answer: () => new Response('<html>'), isRefusal: false },
} as const
type Way = keyof typeof ways

test('no call goes to a vendor twice unless it was refused before, whatever the keys meet', async () => {
  const names = ['two', 'three']
  const desk = await openDesk((vendor) => ({
    ...vendor,
    credential: 'sk-one',
    moreCredentials: more(...names),
  }))
  const way = fc.constantFrom(...(Object.keys(ways) as Way[]))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(way, way, way), { maxLength: 6 }), async (calls) => {
      for (const [one, two, three] of calls) {
        const meets: Record<string, Way> = { 'sk-one': one, 'sk-two': two, 'sk-three': three }
        desk.answer(
          Object.fromEntries(
            Object.entries(meets).flatMap(([key, met]) => {
              const { answer } = ways[met]
              return answer === null ? [] : [[key, answer]]
            }),
          ),
        )
        const before = Number((await desk.chapar.rest()).balance)
        const status = await statusOf(desk)
        const asked = desk.asked()
        expect(new Set(asked).size).toBe(asked.length)
        for (const key of asked.slice(0, -1))
          expect(ways[meets[key] ?? 'serves'].isRefusal).toBe(true)
        const served = asked.some((key) => meets[key] === 'serves')
        expect(status === 200).toBe(served)
        const after = Number((await desk.chapar.rest()).balance)
        expect((before - after) / 1e9).toBeCloseTo(served ? chargedUsd : 0, 9)
      }
    }),
    { numRuns: 25 },
  )
  expect((await desk.chapar.audit()).ok).toBe(true)
})

describe('what goes on from an earlier call', () => {
  test('a conversation that the vendor keeps is gone on with by the credential that it is of', async () => {
    let asked: string[] = []
    const keeps = responds([message('Hello')])
    const vendor = openStandIn((seen, request) => {
      asked.push(keyOf(seen))
      return keeps(seen, request)
    })
    const clock = handClock()
    const chapar = await openTestGateway({
      clock,
      async prepare(storage) {
        await addHubVendor({ kind: 'openai', url: vendor.url, models: { gpt: {} } })(storage)
        const [only] = await storage.catalogue.vendors()
        if (only !== undefined) await storage.catalogue.saveVendor(withTwo(only))
      },
    })
    closing.push(vendor.close, chapar.close)
    const send = async (body: object) => {
      asked = []
      const answer = await fetch(`${chapar.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}` },
        body: JSON.stringify({ model: 'gpt', input: 'Hello', ...body }),
      })
      const { id } = fieldsOf(await answer.json())
      return { id, asked }
    }
    const first = await send({})
    const [kept] = first.asked
    // From now on this project is served by the other one.
    const [only] = await chapar.storage.catalogue.vendors()
    if (only === undefined) throw new Error('no vendor')
    await chapar.storage.catalogue.saveVendor({ ...only, moreCredentials: more('alpha', 'two') })
    await chapar.gateway.reloadCatalogue()
    expect((await send({})).asked).not.toEqual([kept ?? ''])
    for (let turns = 0; turns < 2; turns++)
      expect((await send({ previous_response_id: first.id })).asked).toEqual([kept ?? ''])
  })

  test.each(['sk-one', 'sk-two'])(
    'a video is looked at, fetched and forgotten by %s, which ordered it, after a restart too',
    async (maker) => {
      using folder = testFolder()
      const vendor = openVideoStandIn()
      const seen: string[] = []
      let serves: string = maker
      vendor.play((request, path) => {
        const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
        if (request.method === 'POST')
          return key === serves ? null : Response.json({ error: {} }, { status: 429 })
        seen.push(`${request.method} ${key} ${path.endsWith('/content') ? 'content' : ''}`.trim())
        return key === maker ? null : Response.json({ error: {} }, { status: 404 })
      })
      const open = () =>
        openVideoDesk(vendor.url, {
          folder: folder.path,
          vendor: { credential: 'sk-one', moreCredentials: more('two') },
        })
      const before = await open()
      const { id } = await before.order()
      const orders = vendor.jobs.size
      await before.chapar.close()
      expect(orders).toBe(1)
      serves = ''
      const after = await open()
      closing.push(after.chapar.close)
      closing.push(vendor.close)
      const project = before.chapar.key
      const show = async () => {
        const headers = { authorization: `Bearer ${project}` }
        return (await (await fetch(`${after.chapar.url}/videos/${id}`, { headers })).json()) as {
          status: string
        }
      }
      vendor.last().state = { status: 'completed', progress: 100 }
      await after.pass(15_000, async () => (await show()).status === 'completed')
      const headers = { authorization: `Bearer ${project}` }
      const file = await fetch(`${after.chapar.url}/videos/${id}/content`, { headers })
      expect(file.status).toBe(200)
      await file.arrayBuffer()
      expect(new Set(seen)).toEqual(new Set([`GET ${maker}`, `GET ${maker} content`]))
    },
  )
})
