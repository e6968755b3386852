import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { arrivingBodies, sweepBodies } from '../../src/gateway/http/slow-body-guard'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openRawClient, requestText } from '../support/raw-client'

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway({ account: { maxRequestKb: 1024 } })
})
afterAll(() => chapar.close())

const form = 'multipart/form-data; boundary=x'
const chat = 'POST /v1/chat/completions'
const lateMs = 61_000

/** Until so many bodies are being read. */
async function reading(count: number): Promise<void> {
  while (arrivingBodies() < count) await Bun.sleep(1)
}

describe('a connection whose answer is out while its body still comes', () => {
  const open = (target: string, headers: Record<string, string>, body = '{"mo') =>
    openRawClient(chapar.url, requestText(target, headers, body))
  const half = { 'content-length': '100000' }

  test('is closed within seconds, and stays open when the body came whole', async () => {
    const key = { authorization: `Bearer ${chapar.key}` }
    const refused = [
      open(chat, half),
      open(chat, { ...half, authorization: 'Bearer sk-chapar-v1-guess' }),
      open(chat, { 'transfer-encoding': 'chunked' }, '4\r\n{"mo\r\n'),
      open(chat, { ...key, 'content-length': '9000000' }),
      open('POST /v1/audio/transcriptions', { ...half, 'content-type': form }, '--x\r\n'),
      open('POST /v1/audio/transcriptions', { ...key, ...half, 'content-type': 'text/plain' }),
      open('POST /v1/nothing', half),
      open('GET /healthz', half),
    ]
    const whole = open(chat, { 'content-length': '4' })
    const statuses = refused.map(async (client) => {
      const [status = ''] = (await client.until('\r\n\r\n')).split(' ').slice(1)
      // Bytes now and then renew nothing.
      const trickle = setInterval(() => client.send('x'), 100)
      await client.closed
      clearInterval(trickle)
      return status
    })
    expect(await Promise.all(statuses)).toEqual([
      '401',
      '401',
      '401',
      '413',
      '401',
      '400',
      '404',
      '200',
    ])
    expect(whole.isClosed()).toBe(false)
    whole.send(requestText('GET /healthz', {}))
    expect(await whole.until('"ok"')).toContain('401 Unauthorized')
    whole.leave()
  })
})

describe('a body that does not come', () => {
  test.each([
    ['of JSON', '/v1/chat/completions', { 'content-length': '1000' }, '{"mo'],
    ['of much JSON', '/v1/chat/completions', { 'content-length': '900000' }, '{"mo'],
    ['of no told length', '/v1/embeddings', { 'transfer-encoding': 'chunked' }, '4\r\n{"mo\r\n'],
    [
      'of a form',
      '/v1/audio/transcriptions',
      { 'content-length': '9000', 'content-type': form },
      '--x\r\n',
    ],
  ])('%s is answered with 408, and given up', async (_, path, headers, body) => {
    const head = { ...headers, authorization: `Bearer ${chapar.key}` }
    const client = openRawClient(chapar.url, requestText(`POST ${path}`, head, body))
    await reading(1)
    const now = performance.now()
    sweepBodies(now)
    sweepBodies(now + lateMs)
    const answer = await client.until('}}')
    expect(answer).toStartWith('HTTP/1.1 408')
    expect(answer.toLowerCase()).toContain('x-should-retry: false')
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      error: { type: 'invalid_request_error', code: null, param: null },
    })
    expect(arrivingBodies()).toBe(0)
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
    client.leave()
  })
})
