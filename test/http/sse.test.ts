import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventStreamHeaders, keepAliveComment } from '../../src/gateway/http/sse'
import { eventsOf } from '../support/sse'

let server: Bun.Server<undefined>
beforeAll(() => {
  const event = new TextEncoder().encode('data: 1\n\n')
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      const pieces = [keepAliveComment, event, keepAliveComment]
      const stream = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(1)
          const piece = pieces.shift()
          if (piece === undefined) controller.close()
          else controller.enqueue(piece)
        },
      })
      return new Response(stream, { headers: eventStreamHeaders })
    },
  })
})
afterAll(() => server.stop(true))

test('a keep-alive comes as often as it is sent, in every stream, and is no event', async () => {
  const comment = ': keep-alive\n\n'
  for (let stream = 0; stream < 3; stream++) {
    const text = await (await fetch(server.url)).text()
    expect(text).toBe(`${comment}data: 1\n\n${comment}`)
    expect(eventsOf(text)).toEqual(['1'])
  }
})

test('an event stream is sent as one, which nobody keeps, holds back or packs', async () => {
  const { headers } = await fetch(server.url, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('x-accel-buffering')).toBe('no')
  expect(headers.get('content-encoding')).toBeNull()
  expect(headers.get('content-length')).toBeNull()
})
