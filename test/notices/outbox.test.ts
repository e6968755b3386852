import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemClock, unixSeconds } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import type { Notice } from '../../src/domain/notice'
import { DeliveryFailed, type Channel } from '../../src/business/notices/channel'
import { webhookChannel } from '../../src/business/notices/channels/webhook'
import {
  openOutbox,
  patientRetry,
  type Outbox,
  type OutboxParts,
} from '../../src/business/notices/outbox'
import type { Retry } from '../../src/business/notices/retry'
import type { NoticeStore } from '../../src/business/notices/contract'
import type { Storage } from '../../src/business/data/storage'
import { customer, handClock, memoryStorage } from '../storage/folder'
import { hang } from '../support/stand-in'
import { openReceiver, receiverSecret, type Answer, type Receiver } from '../support/receiver'
import { openDesk } from './desk'
import { paced, until } from '../support/pace'

let receiver: Receiver
let storage: Storage
let outbox: Outbox | null
beforeEach(() => {
  receiver = openReceiver()
  storage = memoryStorage(systemClock)
  outbox = null
})
afterEach(async () => {
  outbox?.close()
  await receiver.close()
})

const quick: Retry = { firstMs: 5, maxMs: 40, giveUpAfterMs: 60_000 }

const webhook = (url = receiver.url, timeoutMs = 2000): Channel => ({
  ...webhookChannel({ url, secret: receiverSecret, timeoutMs, clock: systemClock }),
  name: 'log',
})

/** Notices that are due: two for each customer whose limit is spent, one when only nearly. */
async function notices(customers = 1, usd = '1'): Promise<void> {
  const clock = handClock(new Date().toISOString())
  const { spend } = openDesk(storage, clock)
  for (let each = 0; each < customers; each++)
    await spend(await customer(storage, { usd: '9', key: { spendLimit: parseUsd('1') } }), usd)
}

function open(channel: Channel, change: Partial<OutboxParts> = {}): Outbox {
  outbox = openOutbox({
    store: storage.notices,
    channels: [channel],
    clock: systemClock,
    random: Math.random,
    retry: quick,
    onFailure: () => {},
    onFault: (fault) => {
      throw fault
    },
    ...change,
  })
  outbox.wake()
  return outbox
}

/** A body that goes on for as long as somebody reads it. */
const endless = () =>
  new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1)
      controller.enqueue(new Uint8Array(100_000))
    },
  })

const pending = () => storage.notices.list({ pending: true, most: 100 })
const all = () => storage.notices.list({ pending: false, most: 100 })

const settled = () => until(async () => (await pending()).length === 0)

describe('the webhook', () => {
  test('gets each notice once, signed, with everything that a receiver needs', async () => {
    await notices()
    open(webhook())
    await settled()
    expect(receiver.posted.map(({ signed, body }) => [signed, body.threshold])).toEqual([
      [true, 80],
      [true, 100],
    ])
    const [first] = receiver.posted
    expect(first?.id).toMatch(/^ntc_[0-9a-f]{32}$/)
    expect(Math.abs((first?.timestamp ?? 0) - unixSeconds(systemClock.now()))).toBeLessThan(5)
    expect(first?.body).toEqual({
      id: first?.id ?? '',
      object: 'notice',
      kind: 'key_spend_limit',
      subject: {
        type: 'key',
        account: { id: 1, name: 'customer' },
        project: { id: 1, name: 'main' },
        key: { id: 1, name: 'key', prefix: 'sk-test' },
      },
      threshold: 80,
      limit: '1.000000',
      spent: '1.000000',
      balance: null,
      period: 'lifetime',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      text: {
        fa: expect.stringContaining('کلید «\u2068key\u2069»') as string,
        en: expect.stringContaining('$1.000000 of $1.000000 is spent') as string,
      },
    })
  })

  // A busy machine answers later.
  const silentMs = paced(200)
  const failures: readonly [string, Answer, string][] = [
    ['an error', () => new Response('no', { status: 500 }), 'it answered 500'],
    [
      'a redirect, which is not followed',
      () => new Response(null, { status: 307, headers: { location: '/notices' } }),
      'it answered 307',
    ],
    ['no answer', () => hang({} as never, {} as never), `no answer in ${silentMs} ms`],
    ['a body without end', () => new Response(endless(), { status: 503 }), 'it answered 503'],
  ]
  test.each(failures)('is tried again after %s, with the same id', async (_, answer, error) => {
    await notices()
    const told: [string, boolean][] = []
    receiver.answer((posted, index) =>
      posted.body.threshold === 80 &&
      receiver.posted.filter(({ id }) => id === posted.id).length < 4
        ? answer(posted, index)
        : new Response(),
    )
    // On a busy machine an answer takes longer than the one that never comes is waited for.
    open(webhook(receiver.url, error.startsWith('no answer') ? silentMs : 2000), {
      onFailure: (_, message, final) => void told.push([message, final]),
    })
    await settled()
    const id = receiver.posted.find(({ body }) => body.threshold === 80)?.id
    expect(receiver.posted.filter((posted) => posted.id === id)).toHaveLength(4)
    expect(receiver.posted.every(({ signed }) => signed)).toBe(true)
    expect(receiver.posted).toHaveLength(5)
    expect(told).toEqual([1, 2, 3].map(() => [error, false]))
    expect(
      (await all()).find(({ notice }) => notice.id === (id as Notice['id']))?.deliveries,
    ).toMatchObject([{ state: 'delivered', attempts: 4, error: null }])
  })

  test('that nobody listens at is told as not reached', async () => {
    await receiver.close()
    await notices()
    open(webhook(), { retry: { ...quick, giveUpAfterMs: 0 } })
    await settled()
    expect((await all()).map(({ deliveries }) => deliveries[0])).toMatchObject([
      { state: 'failed', attempts: 1, error: 'not reached: ECONNREFUSED' },
      { state: 'failed', attempts: 1, error: 'not reached: ECONNREFUSED' },
    ])
  })

  test('whose secret has the usual prefix is signed as the libraries do it', async () => {
    const secret = `whsec_${Buffer.from(receiverSecret).toString('base64')}`
    await notices()
    const { url } = receiver
    const channel = webhookChannel({ url, secret, timeoutMs: 2000, clock: systemClock })
    open({ ...channel, name: 'log' })
    expect((await receiver.until(2)).map(({ signed }) => signed)).toEqual([true, true])
  })
})

describe('the outbox', () => {
  test('waits twice as long after each failure, from half of it to all of it, up to a ceiling', async () => {
    let attempts = 0
    const waits: number[] = []
    const clock = handClock()
    await notices(1, '0.8')
    const store: NoticeStore = {
      ...storage.notices,
      due: (channel, _, latest, most) =>
        storage.notices.due(channel, systemClock.now(), latest, most),
      async postpone(id, channel, next, error) {
        waits.push(next - clock.now())
        await storage.notices.postpone(id, channel, systemClock.now(), error)
      },
    }
    const failing: Channel = {
      name: 'log',
      deliver() {
        return ++attempts > 8 ? Promise.resolve() : Promise.reject(new DeliveryFailed('no'))
      },
    }
    clock.set(Date.now())
    const chance = [0, 0.5, 0.999, 0, 0, 0, 0, 0.999]
    let draw = 0
    open(failing, {
      store,
      clock,
      retry: { firstMs: 100, maxMs: 2000, giveUpAfterMs: 1e12 },
      random: () => chance[draw++] ?? 0,
    })
    await settled()
    expect(waits).toEqual([50, 150, 400, 400, 800, 1000, 1000, 1999])
  })

  test('gives up when a notice is too old, and says so', async () => {
    await notices()
    const told: boolean[] = []
    const failing: Channel = {
      name: 'log',
      deliver: () => Promise.reject(new DeliveryFailed('no')),
    }
    open(failing, {
      retry: { firstMs: 5, maxMs: 5, giveUpAfterMs: 60 },
      onFailure: (_, __, final) => void told.push(final),
    })
    await settled()
    expect(told.filter(Boolean)).toHaveLength(2)
    expect(told.length).toBeGreaterThan(2)
    expect((await all()).map(({ deliveries }) => deliveries[0]?.state)).toEqual([
      'failed',
      'failed',
    ])
  })

  test.each([
    ['forward, then back', 30 * 86_400_000],
    ['back', -30 * 86_400_000],
  ])('neither loses nor keeps what failed once when the clock is set %s', async (_, jumpMs) => {
    const clock = handClock(new Date().toISOString())
    await notices(1, '0.8')
    const told: boolean[] = []
    let isReached = false
    const channel: Channel = {
      name: 'log',
      deliver: () => (isReached ? Promise.resolve() : Promise.reject(new DeliveryFailed('no'))),
    }
    const onFailure = (...[, , final]: readonly [unknown, unknown, boolean]) =>
      void told.push(final)
    const failed = async (times: number) => {
      for (let tries = 0; told.length < times && tries < 2000; tries++) await Bun.sleep(1)
      expect(told).toEqual(Array.from({ length: times }, () => false))
    }
    clock.set(Date.now() + 1000)
    const box = open(channel, { clock, retry: patientRetry, onFailure })
    await failed(1)
    clock.jump(jumpMs)
    box.wake()
    await failed(2)
    if (jumpMs > 0) clock.jump(-jumpMs)
    isReached = true
    // A jump back is felt once; from then on waits are as long as they are.
    if (jumpMs < 0) clock.jump(10_000)
    box.wake()
    await settled()
    expect((await all())[0]?.deliveries[0]).toMatchObject({ state: 'delivered' })
  })

  test('is sent again by a channel that gave up, once somebody asks for it', async () => {
    await notices()
    let isReached = false
    const channel: Channel = {
      name: 'log',
      deliver: () => (isReached ? Promise.resolve() : Promise.reject(new DeliveryFailed('no'))),
    }
    const box = open(channel, { retry: { firstMs: 5, maxMs: 5, giveUpAfterMs: 20 } })
    await settled()
    const lost = () => storage.notices.list({ pending: false, failed: true, most: 10 })
    const [first, second] = await lost()
    isReached = true
    const again = (id = first?.notice.id) =>
      storage.notices.retry(id ?? ('' as never), systemClock.now())
    expect(await again()).toEqual(['log'])
    expect(await again()).toEqual([])
    box.wake()
    await settled()
    expect((await lost()).map(({ notice }) => notice.id)).toEqual([second?.notice.id as never])
    const sent = (await all()).find(({ notice }) => notice.id === first?.notice.id)
    expect(sent?.deliveries[0]).toMatchObject({ state: 'delivered', error: null })
  })

  test('a channel that hangs holds up no other', async () => {
    const clock = handClock(new Date().toISOString())
    const desk = openDesk(storage, clock, { channels: ['stuck', 'swift'] })
    await desk.spend(await customer(storage, { usd: '9', key: { spendLimit: parseUsd('1') } }), '1')
    const swift: string[] = []
    open(
      { name: 'stuck', deliver: () => new Promise(() => {}) },
      {
        channels: [
          { name: 'stuck', deliver: () => new Promise(() => {}) },
          { name: 'swift', deliver: async ({ id }) => void swift.push(id) },
        ],
      },
    )
    for (let tries = 0; swift.length < 2 && tries < 2000; tries++) await Bun.sleep(5)
    expect(swift).toHaveLength(2)
    expect((await pending()).map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual(
      [
        ['pending', 'delivered'],
        ['pending', 'delivered'],
      ],
    )
  })

  test('that is closed while it sends leaves it pending, and the next one sends it, same id', async () => {
    await notices()
    receiver.answer(() => hang({} as never, {} as never))
    const first = open(webhook())
    const [before] = await receiver.until(1)
    first.close()
    await Bun.sleep(20)
    expect((await pending()).map(({ deliveries }) => deliveries[0]?.attempts)).toEqual([0, 0])
    receiver.answer(() => new Response())
    open(webhook())
    await settled()
    expect(receiver.posted.filter(({ id }) => id === before?.id)).toHaveLength(2)
  })

  test('goes on when the database could not be written', async () => {
    await notices(5)
    let failures = 2
    const faults: unknown[] = []
    const store: NoticeStore = {
      ...storage.notices,
      async delivered(...told) {
        if (failures-- > 0) throw new Error('database is locked')
        await storage.notices.delivered(...told)
      },
    }
    open(webhook(), { store, onFault: (fault) => void faults.push(fault) })
    await settled()
    expect(faults.length).toBeGreaterThan(0)
    // At least once: those two came twice.
    expect(receiver.posted).toHaveLength(12)
    expect(new Set(receiver.posted.map(({ id }) => id)).size).toBe(10)
  })
})
