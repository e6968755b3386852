import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { answer, answers } from '../../support/realtime-stand-in'
import { openConversing, turnNanos, type Conversing } from './conversation'
import { ask, cutNanos, cutUnits, heardOnce, nanos, settled, typesOf } from './desk'

let it: Conversing
beforeAll(async () => {
  it = await openConversing()
})
afterAll(() => it.close())
beforeEach(() => it.vendor.play(answers))

const heldNow = () => it.chapar.gateway.parts.ledger.heldInAll()

describe('a conversation', () => {
  test('costs what its turns cost, by what was text, sound, and read from a cache', async () => {
    const client = it.call()
    await client.next('session.created')
    expect(heldNow()).toBe(nanos(100_000_000))
    for (let turn = 1; turn <= 3; turn++) {
      client.send(ask)
      await client.next('response.done')
      for (let tries = 0; heldNow() < turn * turnNanos + 100_000_000 && tries < 100; tries++)
        await Bun.sleep(2)
      // What it owes, and as much ahead as at the beginning.
      expect(heldNow()).toBe(nanos(turn * turnNanos + 100_000_000))
      expect((await it.records())[0]).toMatchObject({
        status: 'pending',
        cost: nanos(turn * turnNanos),
      })
    }
    client.close()
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(await settled(it)).toMatchObject({
      status: 'success',
      error: null,
      streamed: true,
      model: 'voice',
      vendor: 'standin',
      vendorModel: 'vendor-voice',
      cost: nanos(3 * turnNanos),
      inputTokens: 3 * 132,
      cachedTokens: 3 * 64,
      outputTokens: 3 * 121,
      estimated: false,
      units: {
        input: 177,
        cached_input: 180,
        input_audio: 27,
        cached_input_audio: 12,
        output: 90,
        output_audio: 273,
      },
    })
  })

  test('pays once for an answer whose end comes twice', async () => {
    it.vendor.play((socket, { type }) => {
      if (type !== 'response.create') return
      const events = answer()
      for (const event of [...events, ...events.slice(-1)]) socket.send(event)
    })
    const client = it.call()
    await client.next('session.created')
    for (let turn = 0; turn < 2; turn++) {
      client.send(ask)
      for (let ends = 0; ends < 2; ends++) await client.next('response.done')
    }
    client.close()
    expect(await settled(it)).toMatchObject({ cost: nanos(2 * turnNanos), estimated: false })
  })

  test('has a receipt that adds up, told by its request id', async () => {
    const client = it.call()
    await client.next('session.created')
    client.send(ask)
    await client.next('response.done')
    client.close()
    const id = (await settled(it))?.id
    const response = await fetch(`${it.chapar.url}/requests/${id}`, {
      headers: { authorization: `Bearer ${it.chapar.key}` },
    })
    const record = (await response.json()) as {
      usd: string
      receipt: { lines: { amount_usd: string }[]; charged_usd: string }
    }
    const sum = record.receipt.lines.reduce((all, line) => all + Number(line.amount_usd), 0)
    expect(sum).toBeCloseTo(turnNanos / 1e9, 9)
    expect(Number(record.usd)).toBeCloseTo(turnNanos / 1e9, 9)
    expect(record).toMatchObject({ endpoint: 'realtime', streamed: true, status: 'success' })
  })

  test('is one request of its key, and each answer that it asks for another', async () => {
    const { key } = await it.chapar.customer({ key: { requestsPerMinute: 3 } })
    const client = it.call(key)
    await client.next('session.created')
    for (let turn = 0; turn < 2; turn++) {
      client.send(ask)
      await client.next('response.done')
    }
    client.send({ ...ask, event_id: 'mine' })
    const { error, event_id } = await client.next('error')
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', event_id: 'mine' })
    expect(event_id).toStartWith('event_')
    // The conversation goes on.
    const { frames } = it.vendor.last()
    client.send({ type: 'response.cancel' })
    while (frames.length < 3) await Bun.sleep(2)
    expect(typesOf(frames)).toEqual(['response.create', 'response.create', 'response.cancel'])
    client.close()
    await settled(it)
  })

  test('without a word costs nothing', async () => {
    const client = it.call()
    await client.next('session.created')
    client.send(heardOnce)
    client.close()
    await client.closed
    expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(0) })
  })

  test('whose vendor does not count is charged by what passed', async () => {
    it.vendor.play((socket, { type }) => {
      if (type === 'response.create') for (const event of answer(null)) socket.send(event)
    })
    const client = it.call()
    await client.next('session.created')
    client.send(heardOnce)
    client.send(ask)
    await client.next('response.done')
    client.close()
    expect(await settled(it)).toMatchObject({
      status: 'success',
      estimated: true,
      units: cutUnits,
      cost: nanos(cutNanos),
    })
  })

  test('that gets dearer holds as much ahead as its last turn cost', async () => {
    const dear = { input_tokens: 100_000, output_tokens: 0 }
    it.vendor.play((socket, { type }) => {
      if (type !== 'response.create') return
      for (const at of [0, 3]) socket.send(answer(dear)[at] ?? {})
    })
    const client = it.call()
    await client.next('session.created')
    client.send(ask)
    await client.next('response.done')
    for (let tries = 0; heldNow() < 800_000_000 && tries < 100; tries++) await Bun.sleep(2)
    expect(heldNow()).toBe(nanos(800_000_000))
    client.close()
    expect(await settled(it)).toMatchObject({ cost: nanos(400_000_000) })
  })
})

describe('somebody goes', () => {
  const begin = async () => {
    it.vendor.play((socket, { type }) => {
      if (type !== 'response.create') return
      for (const event of answer().slice(0, 3)) socket.send(event)
    })
    const client = it.call()
    await client.next('session.created')
    client.send(heardOnce)
    client.send(ask)
    await client.next('response.output_audio.delta')
    return { client, vendor: it.vendor.last() }
  }

  test('the vendor: the client is told, and pays by estimate for what it got', async () => {
    const { client, vendor } = await begin()
    vendor.drop()
    expect((await client.next('error'))['error']).toMatchObject({ code: 'stream_interrupted' })
    expect(await client.closed).toEqual({ code: 1011, reason: 'stream_interrupted' })
    expect(await settled(it)).toMatchObject({
      status: 'error',
      error: 'stream_interrupted',
      estimated: true,
      units: cutUnits,
      cost: nanos(cutNanos),
    })
  })

  test('the vendor between two answers: only what was billed is charged', async () => {
    const client = it.call()
    await client.next('session.created')
    client.send(ask)
    await client.next('response.done')
    client.send(heardOnce)
    while (it.vendor.last().frames.length < 2) await Bun.sleep(2)
    it.vendor.last().drop()
    expect(await client.closed).toMatchObject({ code: 1011 })
    expect(await settled(it)).toMatchObject({ status: 'error', cost: nanos(turnNanos) })
  })

  test('the vendor in order: its own code passes', async () => {
    const client = it.call()
    await client.next('session.created')
    client.send(ask)
    await client.next('response.done')
    it.vendor.last().close(1001, 'session expired')
    expect(await client.closed).toEqual({ code: 1001, reason: 'session expired' })
    expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(turnNanos) })
  })

  test('the client in the middle of an answer: the vendor is told to stop, and what it bills is charged', async () => {
    const { client, vendor } = await begin()
    it.vendor.play((socket, { type }) => {
      if (type === 'response.cancel') socket.send(answer()[3] ?? {})
    })
    client.leave()
    expect(await settled(it)).toMatchObject({
      status: 'cancelled',
      error: null,
      estimated: false,
      cost: nanos(turnNanos),
    })
    for (let tries = 0; vendor.closed === null && tries < 100; tries++) await Bun.sleep(5)
    expect(vendor.closed).toMatchObject({ code: 1000 })
  })

  test('the client, and the vendor bills nothing: what passed is charged', async () => {
    const { client } = await begin()
    client.leave()
    const slots = () => it.chapar.gateway.parts.limits.slotsInUse()
    while (slots() > 0) await Bun.sleep(20)
    expect(await settled(it)).toMatchObject({
      status: 'cancelled',
      estimated: true,
      units: cutUnits,
      cost: nanos(cutNanos),
    })
  })

  test('the gateway: everybody is told, and what was is charged', async () => {
    const { client } = await begin()
    const { streams } = it.chapar.gateway.parts
    streams.cutAll()
    expect((await client.next('error'))['error']).toMatchObject({ code: 'stream_interrupted' })
    expect(await client.closed).toMatchObject({ code: 1012 })
    expect(await settled(it)).toMatchObject({
      status: 'error',
      error: 'stream_interrupted',
      estimated: true,
      cost: nanos(cutNanos),
    })
    expect(streams.count()).toBe(0)
  })
})
