import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { answer, answers, turnUsage } from '../../support/realtime-stand-in'
import { openConversing, turnNanos, type Conversing } from './conversation'
import { ask, cutNanos, cutUnits, heardOnce, nanos, settled } from './desk'

let it: Conversing
beforeAll(async () => {
  it = await openConversing()
})
afterAll(() => it.close())
beforeEach(() => it.vendor.play(answers))

const buffer = (what: string) => ({ type: `input_audio_buffer.${what}`, item_id: 'item_1' })
const begin = async (key?: string) => {
  const client = it.call(key)
  await client.next('session.created')
  return { client, vendor: it.vendor.last() }
}
const arrived = async (count: number) => {
  while (it.vendor.last().frames.length < count) await Bun.sleep(2)
}

describe('of a cut answer is charged', () => {
  test('what was said, not the silence around it', async () => {
    const { client, vendor } = await begin()
    for (let times = 0; times < 20; times++) client.send(heardOnce)
    await arrived(20)
    vendor.send(buffer('speech_started'))
    await client.next('input_audio_buffer.speech_started')
    client.send(heardOnce)
    await arrived(21)
    vendor.send(buffer('committed'))
    await client.next('input_audio_buffer.committed')
    for (let times = 0; times < 20; times++) client.send(heardOnce)
    await arrived(41)
    for (const event of answer().slice(0, 3)) vendor.send(event)
    await client.next('response.output_audio.delta')
    vendor.drop()
    await client.closed
    expect(await settled(it)).toMatchObject({
      estimated: true,
      units: cutUnits,
      cost: nanos(cutNanos),
    })
  })

  test('nothing of what was thrown away', async () => {
    const { client, vendor } = await begin()
    for (let times = 0; times < 20; times++) client.send(heardOnce)
    await arrived(20)
    vendor.send(buffer('cleared'))
    await client.next('input_audio_buffer.cleared')
    client.send(heardOnce)
    client.send(buffer('commit'))
    await arrived(22)
    vendor.send(buffer('committed'))
    for (const event of answer().slice(0, 3)) vendor.send(event)
    await client.next('response.output_audio.delta')
    vendor.drop()
    await client.closed
    expect(await settled(it)).toMatchObject({ units: cutUnits, cost: nanos(cutNanos) })
  })

  test('nothing when nothing of it came', async () => {
    const { client, vendor } = await begin()
    client.send(heardOnce)
    await arrived(1)
    for (const event of answer().slice(0, 1)) vendor.send(event)
    await client.next('response.created')
    vendor.drop()
    await client.closed
    expect(await settled(it)).toMatchObject({ error: 'stream_interrupted', cost: nanos(0) })
  })
})

describe('a vendor', () => {
  test('whose answer failed before it began bills nothing, and tells nothing of our account', async () => {
    const { client, vendor } = await begin()
    client.send(heardOnce)
    await arrived(1)
    const message = 'No quota for org-AbCdEf123456 at https://api.example.com'
    const status_details = { type: 'failed', error: { code: 'insufficient_quota', message } }
    vendor.send({ type: 'response.created', response: { id: 'resp_1' } })
    vendor.send({
      type: 'response.done',
      response: { id: 'resp_1', status: 'failed', status_details, usage: null },
    })
    const told = JSON.stringify(await client.next('response.done'))
    expect(told).toContain('insufficient_quota')
    expect(told).not.toContain('org-')
    expect(told).not.toContain('example.com')
    client.close()
    expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(0) })
  })

  test('that counts more than there is money in the world is not believed', async () => {
    const { client, vendor } = await begin()
    client.send(ask)
    await client.next('response.done')
    client.send(heardOnce)
    await arrived(2)
    const absurd = { input_tokens: 2 ** 52, output_tokens: 2 ** 52 }
    for (const event of answer(absurd)) vendor.send(event)
    await client.next('response.done')
    client.close()
    expect(await settled(it)).toMatchObject({
      status: 'success',
      estimated: true,
      cost: nanos(turnNanos + cutNanos),
    })
  })

  test.each([
    ['nothing at all', { input_tokens: 0, output_tokens: 0 }, cutUnits, cutNanos],
    [
      'only what it heard',
      { input_tokens: 5, output_tokens: 0 },
      { input: 5, output_audio: 1, output: 1 },
      cutNanos - 32_000 + 5 * 4000,
    ],
  ])('that counts %s is not believed when it spoke', async (_, usage, units, cost) => {
    const { client, vendor } = await begin()
    client.send(heardOnce)
    await arrived(1)
    for (const event of answer(usage)) vendor.send(event)
    await client.next('response.done')
    client.close()
    const record = await settled(it)
    expect(record).toMatchObject({ status: 'success', estimated: true, cost: nanos(cost) })
    expect(record?.units).toEqual(units)
  })

  test('that says nonsense is passed on as it is', async () => {
    const { client, vendor } = await begin()
    const nonsense = [
      { type: 'response.done' },
      { type: 'response.done', response: { usage: { input_tokens: -1, output_tokens: 'many' } } },
      { type: 'session.updated', session: null },
      { type: 'conversation.item.input_audio_transcription.completed', usage: 7 },
      { type: 'error', error: 'no' },
      { type: 'input_audio_buffer.committed' },
    ]
    for (const event of nonsense) vendor.send(event)
    await client.next('input_audio_buffer.committed')
    expect(client.frames.slice(1)).toEqual(nonsense.map((event) => JSON.stringify(event)))
    client.close()
    expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(0) })
  })

  test('that hands out a secret of its own is not believed to mean our client', async () => {
    const { client, vendor } = await begin()
    const session = { type: 'realtime', id: 'sess_1', client_secret: { value: 'ek_123456' } }
    vendor.send({ type: 'session.updated', event_id: 'e', session })
    expect(await client.next('session.updated')).toEqual({
      type: 'session.updated',
      event_id: 'e',
      session: { type: 'realtime', id: 'sess_1' },
    })
    client.close()
    await settled(it)
  })

  test.each([
    [4401, 'bad key', { code: 1011, reason: 'stream_interrupted' }],
    [4000, 'as you like', { code: 4000, reason: 'stream_interrupted' }],
    [1000, 'ä'.repeat(61), { code: 1000, reason: 'ä'.repeat(61) }],
  ] as const)('that closes with %i is not taken for us', async (code, reason, told) => {
    const { client, vendor } = await begin()
    vendor.close(code, reason)
    expect(await client.closed).toEqual(told)
    await settled(it)
  })
})

describe('money', () => {
  test('for what was said is there before it is answered', async () => {
    const who = await it.chapar.customer({ usd: '0.105' })
    const { client, vendor } = await begin(who.key)
    // Five minutes: 3,000 tokens, 0.096 dollars.
    const half = { type: 'input_audio_buffer.append', audio: 'A'.repeat(960_000) }
    for (let times = 0; times < 20; times++) client.send(half)
    await arrived(20)
    vendor.send(buffer('committed'))
    expect(await client.closed).toEqual({ code: 4402, reason: 'insufficient_credit' })
    expect(await settled(it)).toMatchObject({ error: 'insufficient_credit', cost: nanos(0) })
  })

  const message = (words: number) => ({
    type: 'conversation.item.create',
    item: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'word '.repeat(words) }],
    },
  })
  test.each([
    ['many long texts', message(10_000)],
    ['many very long ones', message(40_000)],
    [
      'what a tool gave',
      { type: 'conversation.item.create', item: { output: 'x'.repeat(200_000) } },
    ],
    ['instructions', { type: 'session.update', session: { instructions: 'x'.repeat(200_000) } }],
  ])('for %s is there before they are passed on', async (_, event) => {
    const who = await it.chapar.customer({ usd: '0.105' })
    const { client, vendor } = await begin(who.key)
    for (let times = 0; times < 20; times++) client.send(event)
    expect(await client.closed).toEqual({ code: 4402, reason: 'insufficient_credit' })
    expect(vendor.frames.length).toBeLessThan(9)
    expect(await settled(it)).toMatchObject({ error: 'insufficient_credit', cost: nanos(0) })
  })

  test('is the same for all sockets of an account', async () => {
    const who = await it.chapar.customer({ usd: '0.25', account: { concurrency: 10 } })
    const clients = [await begin(who.key), await begin(who.key)]
    const third = it.call(who.key)
    expect(await third.opened.then(() => 'open', String)).toContain('closed')
    // Half a dollar's worth of answers, three cents each, in both at once.
    const dear = { ...turnUsage, output_tokens: 2000, output_token_details: { text_tokens: 2000 } }
    it.vendor.play((socket, { type }) => {
      if (type === 'response.create') for (const event of answer(dear)) socket.send(event)
    })
    const ends = await Promise.all(
      clients.map(async ({ client }) => {
        const timer = setInterval(() => client.send(ask), 1)
        const { code } = await client.closed
        clearInterval(timer)
        return code
      }),
    )
    expect(ends).toEqual([4402, 4402])
    const spent = (await it.records()).filter(({ account }) => account === who.account)
    await settled(it)
    const charged = spent.reduce((sum, { cost }) => sum + cost, 0)
    expect(charged).toBeGreaterThan(100_000_000)
    expect(charged).toBeLessThanOrEqual(250_000_000)
  })
})

test('a transcription is priced as what was chosen when it was said', async () => {
  const { client, vendor } = await begin()
  const choose = (model: string) => ({
    type: 'session.update',
    session: { audio: { input: { transcription: { model } } } },
  })
  const usage = { type: 'tokens', input_tokens: 20, output_tokens: 10 }
  const done = {
    type: 'conversation.item.input_audio_transcription.completed',
    item_id: 'item_1',
    usage,
  }
  client.send(choose('ears'))
  await arrived(1)
  vendor.send({ type: 'session.updated', session: {} })
  vendor.send(buffer('committed'))
  await client.next('input_audio_buffer.committed')
  client.send(choose('seconds'))
  await arrived(2)
  vendor.send({ type: 'session.updated', session: {} })
  vendor.send(done)
  await client.next(done.type)
  client.close()
  await settled(it)
  const found = new Map((await it.records()).map((each) => [each.model, each]))
  expect(found.get('ears')).toMatchObject({ units: { input: 20, output: 10 } })
  expect(found.get('seconds')).toMatchObject({ cost: nanos(0) })
})
