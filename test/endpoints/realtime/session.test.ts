import { describe, expect, test } from 'bun:test'
import { GatewayError } from '../../../src/errors/gateway-error'
import { playSession as open } from './played-session'

describe('signs of life', () => {
  test('are asked of both sides every twenty seconds', () => {
    const it = open()
    it.ticks(9, () => {
      it.pong()
      it.vendorPongs()
    })
    expect(it.client).toEqual(['(ping)', '(ping)'])
    expect(it.vendor).toEqual(['(ping)', '(ping)'])
  })

  test('a client that gives none for a minute is gone', () => {
    const it = open()
    it.ticks(12, it.vendorPongs)
    expect(it.client.at(-1)).toBe('(terminate)')
    expect(it.vendor.at(-1)).toBe('(close 1000)')
    expect(it.bill).toEqual(['cancelled'])
    expect(it.isRunning()).toBe(false)
  })

  test('a vendor that gives none for a minute is gone, and the client is told', () => {
    const it = open()
    it.ticks(12, it.pong)
    expect(it.client.at(-2)).toContain('stream_interrupted')
    expect(it.client.at(-1)).toBe('(close 1011 stream_interrupted)')
    expect(it.bill).toEqual(['error stream_interrupted'])
  })

  test('a client that never takes what waits for it is gone too, though it answers', () => {
    const it = open()
    it.state.send = -1
    it.vendorSays('{"type":"response.text.delta"}')
    expect(it.vendor).toEqual(['(pause)'])
    it.ticks(12, it.pong)
    expect(it.client.at(-1)).toBe('(terminate)')
    expect(it.bill).toEqual(['cancelled'])
  })

  test('a client that is not read from is asked every second, for its leaving is not heard', async () => {
    const it = open({ maxFrameBytes: 10_000_000 })
    it.state.waiting = 2_000_000
    await it.say(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(70_000) }))
    expect(it.client).toEqual(['(pause)'])
    for (let tries = 0; !it.client.includes('(ping)') && tries < 2000; tries++) await Bun.sleep(10)
    expect(it.client).toEqual(['(pause)', '(ping)'])
    it.leave(1000)
  })

  test('one that catches up goes on', () => {
    const it = open()
    it.state.send = -1
    it.vendorSays('{"type":"response.text.delta"}')
    it.state.send = 1
    it.drain()
    expect(it.vendor).toEqual(['(pause)', '(resume)'])
    it.ticks(11, () => {
      it.pong()
      it.vendorPongs()
    })
    expect(it.isRunning()).toBe(true)
  })

  test('a vendor that takes nothing for a minute is gone', async () => {
    const it = open({ maxFrameBytes: 10_000_000 })
    it.state.waiting = 10_000_000
    await it.say(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(70_000) }))
    expect(it.client).toEqual(['(pause)'])
    it.ticks(12, () => {
      it.pong()
      it.vendorPongs()
    })
    expect(it.client.at(-1)).toBe('(close 1011 stream_interrupted)')
    expect(it.client).toContain('(resume)')
  })
})

test('a vendor’s frame beyond all bounds ends the conversation, and is not passed', () => {
  const it = open()
  it.vendorSays('x'.repeat(67_108_865))
  expect(it.client[0]).toContain('stream_interrupted')
  expect(it.client[1]).toBe('(close 1011 stream_interrupted)')
  expect(it.client).toHaveLength(2)
})

describe('a client’s frame', () => {
  test('above the ceiling ends the socket, and is not passed', async () => {
    const it = open()
    await it.say(JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1000) }))
    expect(it.client[0]).toContain('request_too_large')
    expect(it.client[1]).toBe('(close 1009 request_too_large)')
    expect(it.vendor).toEqual(['(close 1000)'])
  })

  test('is measured in bytes, not in letters', async () => {
    const item = (text: string) => JSON.stringify({ type: 'conversation.item.create', text })
    const it = open()
    await it.say(item('a'.repeat(900)))
    expect(it.vendor.length).toBe(1)
    await it.say(item('س'.repeat(480)))
    expect(it.client[1]).toBe('(close 1009 request_too_large)')
  })

  test('that is refused is answered, and the next one passes', async () => {
    const it = open()
    await it.say('nonsense')
    expect(JSON.parse(it.client[0] ?? '')).toEqual({
      type: 'error',
      event_id: 'event_1_1',
      error: {
        type: 'invalid_request_error',
        code: 'invalid_json',
        message: expect.any(String) as unknown,
        param: null,
        event_id: null,
      },
    })
    await it.say('{"type":"response.cancel"}')
    expect(it.vendor).toEqual(['{"type":"response.cancel"}'])
  })

  test('after the end goes nowhere', async () => {
    const it = open()
    it.leave(1000)
    await it.say('{"type":"response.create"}')
    expect(it.vendor).toEqual(['(close 1000)'])
    expect(it.bill).toEqual(['success'])
  })
})

test('whoever may not call any more is told so within seconds', () => {
  const it = open({
    checkCaller: () => {
      throw new GatewayError('account_suspended', {})
    },
  })
  it.ticks(1)
  expect(it.client[0]).toContain('account_suspended')
  expect(it.client[1]).toBe('(close 4403 account_suspended)')
})

test('a side that is not read from for a minute, in parts, is not taken for gone', () => {
  const it = open({ maxFrameBytes: 10_000_000 })
  for (let round = 0; round < 3; round++) {
    it.state.send = -1
    it.vendorSays('{"type":"response.text.delta"}')
    it.ticks(11, it.pong)
    it.state.send = 1
    it.drain()
    it.ticks(1, it.pong)
    it.vendorPongs()
  }
  expect(it.isRunning()).toBe(true)
})

describe('a service that is closed', () => {
  const closed = {
    checkService: () => {
      throw new GatewayError('gateway_disabled', {})
    },
  }

  test('ends a quiet conversation within seconds', () => {
    const it = open(closed)
    it.ticks(1)
    expect(it.client.at(-1)).toBe('(close 1011 gateway_disabled)')
    expect(it.bill).toEqual(['error gateway_disabled'])
  })

  test('lets an answer end, and begins none', async () => {
    const it = open(closed)
    it.vendorSays('{"type":"response.created"}')
    await it.say('{"type":"response.create","event_id":"mine"}')
    expect(it.client.at(-1)).toContain('gateway_disabled')
    expect(it.vendor).toEqual([])
    it.ticks(1)
    expect(it.isRunning()).toBe(true)
    it.vendorSays('{"type":"response.done","response":{}}')
    it.ticks(1)
    expect(it.isRunning()).toBe(false)
  })
})

describe('a gateway that stops', () => {
  test('ends a quiet conversation at once', () => {
    const it = open()
    it.finish()
    expect(it.client.at(-1)).toBe('(close 1012 stream_interrupted)')
    expect(it.vendor).toEqual(['(close 1000)'])
  })

  test('ends one that is being answered when it was answered', () => {
    const it = open()
    it.vendorSays('{"type":"response.created"}')
    it.finish()
    expect(it.isRunning()).toBe(true)
    it.vendorSays('{"type":"response.done","response":{}}')
    expect(it.client.slice(1, 2)).toEqual(['{"type":"response.done","response":{}}'])
    expect(it.client.at(-1)).toBe('(close 1012 stream_interrupted)')
  })
})

test('an end is told once, whatever comes behind it', () => {
  const it = open()
  it.vendorSays('{"type":"response.created"}')
  it.leave(1006)
  expect(it.vendor.at(-1)).toBe('{"type":"response.cancel"}')
  it.leave(1000)
  it.vendorSays('{"type":"response.done","response":{}}')
  it.vendorSays('{"type":"response.done","response":{}}')
  expect(it.bill).toEqual(['cancelled'])
  expect(it.vendor.filter((each) => each === '(close 1000)').length).toBe(1)
})
