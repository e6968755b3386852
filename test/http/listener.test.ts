import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { connectionsAt, findListener, shutListener } from '../../src/gateway/http/listener'
import { openRawClient, requestText } from '../support/raw-client'

const linux = test.skipIf(process.platform !== 'linux')

linux('a listener that is shut takes nobody, and answers on connections that it has', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('here') })
  const port = Number(server.port)
  const kept = openRawClient(String(server.url), requestText('GET /', {}))
  await kept.until('here')
  expect(connectionsAt(port)).toBe(1)
  expect(shutListener(port)).toBe(true)

  const refused = Promise.withResolvers<string>()
  connect(port, '127.0.0.1').on('error', ({ message }) => refused.resolve(message))
  expect(await refused.promise).toContain('ECONNREFUSED')
  for (let turn = 0; turn < 5; turn++) {
    kept.send(requestText(`GET /${turn}`, {}))
    while (kept.received().split('here').length < turn + 3) await Bun.sleep(1)
  }
  kept.leave()
  while (connectionsAt(port) > 0) await Bun.sleep(1)

  // Bun closes the number that the listener had: it must not be another one's by then.
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('other') })
  await server.stop(true)
  expect(await (await fetch(other.url)).text()).toBe('other')
  await other.stop(true)
})

test('where nobody listens there is nothing to shut', () => {
  expect(shutListener(1)).toBe(false)
})

linux('another listener at the same port goes on', async () => {
  const fetchAs = (name: string) => ({ fetch: () => new Response(name) })
  const options = { hostname: '127.0.0.1', reusePort: true }
  const first = Bun.serve({ ...options, port: 0, ...fetchAs('first') })
  const port = Number(first.port)
  const second = Bun.serve({ ...options, port, ...fetchAs('second') })
  // Of the two in this process the one with the lower number is shut.
  expect(findListener(port)).not.toBeNull()
  expect(shutListener(port)).toBe(true)
  const ask = () => fetch(second.url, { keepalive: false })
  const texts = await Promise.all(Array.from({ length: 12 }, async () => (await ask()).text()))
  expect(new Set(texts)).toEqual(new Set(['second']))
  await Promise.all([first.stop(true), second.stop(true)])
})
