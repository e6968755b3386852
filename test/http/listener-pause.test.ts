import { expect, test } from 'bun:test'
import { openListenerPause } from '../../src/gateway/http/listener-pause'
import { openRawClient, requestText } from '../support/raw-client'

test.skipIf(process.platform !== 'linux')(
  'a listener that is paused keeps clients waiting, and takes them when it goes on',
  async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('here') })
    const url = String(server.url)
    const kept = openRawClient(url, requestText('GET /', {}))
    await kept.until('here')
    const pause = openListenerPause(Number(server.port))
    expect(pause.pause()).toBe(true)
    const waiting = openRawClient(url, requestText('GET /', {}))
    // Whoever was there before is served all the while, several turns of the loop.
    for (let turn = 0; turn < 5; turn++) {
      kept.send(requestText(`GET /${turn}`, {}))
      while (kept.received().split('here').length < turn + 3) await Bun.sleep(1)
    }
    expect(waiting.received()).toBe('')
    pause.resume()
    expect(await waiting.until('here')).toStartWith('HTTP/1.1 200')
    for (const client of [kept, waiting]) client.leave()
    await server.stop(true)
  },
)

test('a port at which nobody listens has no listener', () => {
  expect(openListenerPause(1).pause()).toBe(false)
})
