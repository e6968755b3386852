import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openConversing, turnNanos, type Conversing } from './conversation'
import { ask, heardOnce, nanos, settled } from './desk'

let it: Conversing
beforeAll(async () => {
  it = await openConversing()
})
afterAll(() => it.close())

const choose = (model: string) => ({
  type: 'session.update',
  event_id: 'mine',
  session: { audio: { input: { transcription: { model, language: 'fa' } } } },
})
const completed = 'conversation.item.input_audio_transcription.completed'
const done = (usage: object, item = 'item_1') => ({
  type: completed,
  item_id: item,
  content_index: 0,
  transcript: 'سلام',
  usage,
})
const frames = async (count: number) => {
  const vendor = it.vendor.last()
  while (vendor.frames.length < count) await Bun.sleep(2)
  return vendor.frames.map((frame) => JSON.parse(frame) as unknown)
}
const begin = async () => {
  const client = it.call()
  await client.next('session.created')
  return { client, vendor: it.vendor.last() }
}

describe('transcriptions of what is said', () => {
  test('are charged on a record of their own, at the price of their model', async () => {
    const { client, vendor } = await begin()
    client.send(choose('ears'))
    expect(await frames(1)).toEqual([choose('vendor-ears')])
    const tokens = { type: 'tokens', total_tokens: 30, input_tokens: 20, output_tokens: 10 }
    const details = { input_token_details: { text_tokens: 5, audio_tokens: 15 } }
    // The last one comes twice.
    for (const item of ['item_1', 'item_2', 'item_2']) {
      vendor.send(done({ ...tokens, ...details }, item))
      await client.next(completed)
    }
    client.send(ask)
    await client.next('response.done')
    client.send(choose('seconds'))
    await frames(3)
    vendor.send(done({ type: 'duration', seconds: 2.5 }, 'item_3'))
    await client.next(completed)
    client.close()
    await settled(it)
    const found = new Map((await it.records()).map((each) => [each.model, each]))
    expect(found.get('voice')).toMatchObject({ cost: nanos(turnNanos) })
    expect(found.get('ears')).toMatchObject({
      status: 'success',
      units: { input: 10, input_audio: 30, output: 20 },
      cost: nanos(10 * 1000 + 30 * 3000 + 20 * 5000),
    })
    expect(found.get('seconds')).toMatchObject({
      units: { audio_second: 2.5 },
      cost: nanos(250_000),
    })
  })

  test('are counted as the card counts, whatever the vendor says', async () => {
    const { client, vendor } = await begin()
    client.send(choose('seconds'))
    await frames(1)
    const details = { input_token_details: { text_tokens: 0, audio_tokens: 25 } }
    vendor.send(done({ type: 'tokens', input_tokens: 25, output_tokens: 3, ...details }))
    await client.next(completed)
    client.send(choose('ears'))
    await frames(2)
    vendor.send(done({ type: 'duration', seconds: 1.5 }, 'item_2'))
    await client.next(completed)
    client.close()
    await settled(it)
    const [newest, other] = await it.records()
    expect([newest?.model, newest?.units]).toEqual(['ears', { input_audio: 15 }])
    expect([other?.model, other?.units]).toEqual(['seconds', { audio_second: 2.5 }])
  })

  const say = async ({ client, vendor }: Awaited<ReturnType<typeof begin>>) => {
    client.send(choose('ears'))
    client.send(heardOnce)
    await frames(2)
    vendor.send({ type: 'input_audio_buffer.committed', item_id: 'item_1' })
    await client.next('input_audio_buffer.committed')
  }
  const delta = 'conversation.item.input_audio_transcription.delta'

  test('are charged by their sound where the vendor counts nothing', async () => {
    const joined = await begin()
    await say(joined)
    joined.vendor.send({ type: completed, item_id: 'item_1', transcript: 'سلام بر شما' })
    await joined.client.next(completed)
    joined.client.close()
    await settled(it)
    const ears = (await it.records()).find(({ model }) => model === 'ears')
    expect(ears).toMatchObject({ units: { input_audio: 1, output: 3 }, estimated: true })
  })

  test('are charged as far as they came when the client leaves before the bill', async () => {
    const joined = await begin()
    await say(joined)
    joined.vendor.send({ type: delta, item_id: 'item_1', delta: 'سلام' })
    await joined.client.next(delta)
    joined.client.close()
    await settled(it)
    const ears = (await it.records()).find(({ model }) => model === 'ears')
    expect(ears).toMatchObject({ units: { input_audio: 1, output: 1 }, estimated: true })
  })

  test('of which nothing came cost nothing', async () => {
    const joined = await begin()
    await say(joined)
    joined.client.close()
    await settled(it)
    expect((await it.records()).find(({ model }) => model === 'ears')?.cost).toBe(nanos(0))
  })

  test('that nobody asked for cost nothing', async () => {
    const { client, vendor } = await begin()
    vendor.send(done({ type: 'duration', seconds: 60 }))
    await client.next(completed)
    client.close()
    expect(await settled(it)).toMatchObject({ cost: nanos(0) })
  })

  test.each([
    ['nothing', 'model_not_found'],
    ['voice', 'model_endpoint_mismatch'],
    ['', null],
  ])(
    'by a model that cannot be had (%s) are refused, and the conversation goes on',
    async (model, code) => {
      const { client, vendor } = await begin()
      client.send(choose(model))
      expect((await client.next('error'))['error']).toMatchObject({ code, event_id: 'mine' })
      client.send(ask)
      await client.next('response.done')
      expect(vendor.frames).toEqual([JSON.stringify(ask)])
      client.close()
      await settled(it)
    },
  )

  test('need a key that may use their model, and money for them', async () => {
    const narrow = await it.chapar.customer({ key: { allowedModels: ['voice'] } })
    const poor = await it.chapar.customer({ usd: '0.105' })
    for (const [who, code] of [
      [narrow, 'model_not_allowed'],
      [poor, 'insufficient_credit'],
    ] as const) {
      const client = it.call(who.key)
      await client.next('session.created')
      client.send(choose('ears'))
      expect((await client.next('error'))['error']).toMatchObject({ code })
      client.close()
      await client.closed
    }
    await settled(it)
  })
})
