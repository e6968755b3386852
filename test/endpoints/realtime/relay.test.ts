import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { openRealtimeClient } from '../../support/realtime-client'
import { session } from '../../support/realtime-stand-in'
import { openConversing, type Conversing } from './conversation'

let it: Conversing
beforeAll(async () => {
  it = await openConversing()
})
afterAll(() => it.close())

const said = async (client: ReturnType<typeof openRealtimeClient>, frame: string) => {
  const before = it.vendor.last().frames.length
  client.send(frame)
  for (let tries = 0; it.vendor.last().frames.length === before && tries < 400; tries++)
    await Bun.sleep(2)
  return it.vendor.last().frames.at(-1)
}

describe('frames pass byte for byte', () => {
  test.each([
    ['sound', '{"type":"input_audio_buffer.append","audio":"AAAA"}'],
    [
      'sound of another client',
      '{ "event_id" : "e1", "type" : "input_audio_buffer.append" , "audio" : "QUJD" }',
    ],
    [
      'numbers as they were written',
      '{"type":"conversation.item.create","item":{"x":1.0,"y":1e2}}',
    ],
    [
      'letters of any language',
      '{"type":"conversation.item.create","item":{"t":"سلام 🌍 \\u0041"}}',
    ],
    ['blanks', ' {\n"type":\t"response.cancel" } '],
    [
      'a session that changes nothing of ours',
      '{"type":"session.update","session":{"instructions":"  hi"}}',
    ],
    ['events that nobody knows yet', '{"type":"something.new","a":[1,{"b":null}]}'],
  ])('to the vendor: %s', async (_, frame) => {
    const client = it.call()
    await client.next('session.created')
    expect(await said(client, frame)).toBe(frame)
    client.close()
    await client.closed
  })

  test.each([
    ['blanks and numbers', '{ "type": "response.output_item.added",  "n": 1.0 }'],
    ['members in another order', '{"n":1,"type":"response.text.done"}'],
    ['letters of any language', '{"type":"response.output_text.delta","delta":"سلام \\u0627 🌍"}'],
    [
      'five megabytes',
      JSON.stringify({ type: 'response.output_item.done', x: 'é'.repeat(2_500_000) }),
    ],
  ])('to the client: %s', async (_, frame) => {
    const client = it.call()
    await client.next('session.created')
    it.vendor.last().send(frame)
    await client.next((JSON.parse(frame) as { type: string }).type)
    expect(client.frames.at(-1)).toBe(frame)
    client.close()
    await client.closed
  })

  test('what a vendor says at once comes first', async () => {
    const client = it.call()
    expect(await client.next('session.created')).toEqual(session)
    client.close()
    await client.closed
  })
})

describe('the vendor', () => {
  test('is asked for its own model, with our credential and nothing of the client', async () => {
    const client = it.call(it.chapar.key, { 'x-own': 'secret', 'openai-organization': 'org-1' })
    await client.next('session.created')
    const { path, query, headers } = it.vendor.last()
    expect(path).toBe('/v1/realtime')
    expect([...query]).toEqual([['model', 'vendor-voice']])
    expect(headers.get('authorization')).toBe('Bearer sk-vendor-secret')
    for (const name of ['x-own', 'openai-organization', 'openai-beta', 'sec-websocket-protocol'])
      expect(headers.get(name)).toBeNull()
    expect(JSON.stringify([...headers])).not.toContain(it.chapar.key)
    client.close()
    await client.closed
  })

  test('tells nothing of our account there in its errors', async () => {
    const client = it.call()
    await client.next('session.created')
    const error = {
      type: 'x',
      code: 'y',
      message: 'Bad key sk-proj-abcdefgh1234567890 of org-AbC123',
    }
    it.vendor.last().send({ type: 'error', event_id: 'event_9', error })
    const { error: told } = await client.next('error')
    expect(told).toEqual({ type: 'x', code: 'y', message: 'Bad key … of …' })
    client.close()
    await client.closed
  })
})

describe('sides that are slow', () => {
  const big = JSON.stringify({
    type: 'response.output_audio.delta',
    response_id: 'resp_1',
    delta: 'A'.repeat(60_000),
  })
  const total = 300_000_000

  test('a client that does not read holds the vendor back, and gets everything when it does', async () => {
    const client = it.call()
    await client.next('session.created')
    client.socket.pause()
    const vendor = it.vendor.last()
    const before = process.memoryUsage().rss
    let pushed = 0
    let blocked = 0
    while (pushed < total && blocked < 20) {
      if (vendor.push(big) === -1) {
        await Bun.sleep(10)
        blocked++
      } else blocked = 0
      pushed += big.length
    }
    // The vendor's own side holds what is left; ours takes no part in it.
    expect(pushed).toBeLessThan(total / 4)
    expect(process.memoryUsage().rss - before).toBeLessThan(120_000_000)
    const frames = Math.round(pushed / big.length)
    client.socket.resume()
    while (client.frames.length < frames + 1) await Bun.sleep(5)
    expect(client.frames.slice(1).every((frame) => frame === big)).toBe(true)
    client.close()
    await client.closed
  })

  test('a vendor that does not read holds the client back, and gets everything when it does', async () => {
    const client = it.call()
    await client.next('session.created')
    const vendor = it.vendor.last()
    vendor.pause()
    const frame = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(60_000) })
    let sent = 0
    while (sent < 4000 && client.socket.bufferedAmount < 4_000_000) {
      client.send(frame)
      sent++
      if (sent % 50 === 0) await Bun.sleep(5)
    }
    // Not all of it could leave the client.
    expect(sent).toBeLessThan(4000)
    vendor.resume()
    while (vendor.frames.length < sent) await Bun.sleep(5)
    expect(vendor.frames.every((each) => each === frame)).toBe(true)
    client.close()
    await client.closed
  })
})
