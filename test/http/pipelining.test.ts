import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPipelineGuard } from '../../src/gateway/http/pipelining'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openRawClient, requestText } from '../support/raw-client'

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway({ web: true })
})
afterAll(() => chapar.close())

const answersIn = (text: string) => text.split('HTTP/1.1 ').length - 1

test.each(['/healthz', '/v1/models', '/v1/me', '/nothing', '/docs'])(
  'a connection that sends thousands of requests for %s at once is closed',
  async (path) => {
    const client = openRawClient(chapar.url, requestText(`GET ${path}`, {}).repeat(3000))
    await client.closed
    expect(answersIn(client.received())).toBeLessThan(1000)
  },
)

test('a few at once, and many one after the other, are answered', async () => {
  const client = openRawClient(chapar.url, requestText('GET /healthz', {}).repeat(20))
  while (answersIn(client.received()) < 20) await Bun.sleep(1)
  for (let count = 21; count <= 200; count++) {
    client.send(requestText('GET /healthz', {}))
    while (answersIn(client.received()) < count) await Bun.sleep(0)
  }
  expect(client.isClosed()).toBe(false)
  client.leave()
})

test('connections are told apart', () => {
  const comesAtOnce = openPipelineGuard()
  const many = (port: number) => Array.from({ length: 64 }, () => comesAtOnce(port))
  expect([...many(1), ...many(2), ...many(1)]).not.toContain(true)
  expect(comesAtOnce(1)).toBe(true)
  expect(comesAtOnce(2)).toBe(false)
})
