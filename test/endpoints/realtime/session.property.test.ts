import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { playSession, turnOver } from './played-session'

type Played = ReturnType<typeof playSession>

/** Everything that may happen to a socket, in any order. */
const moves: Readonly<Record<string, (it: Played) => void | Promise<void>>> = {
  'a turn': turnOver,
  sound: (it) => it.hear('{"type":"input_audio_buffer.append","audio":"AAAA"}'),
  question: (it) => it.hear('{"type":"response.create"}'),
  nonsense: (it) => it.hear('no event'),
  bytes: (it) => it.hear(new Uint8Array(3)),
  'a frame too large': (it) => it.hear('x'.repeat(2000)),
  'an answer begins': (it) => it.vendorSays('{"type":"response.created","response":{}}'),
  'a word': (it) => it.vendorSays('{"type":"response.output_text.delta","delta":"hi"}'),
  'an answer ends': (it) => it.vendorSays('{"type":"response.done","response":{}}'),
  'the vendor babbles': (it) => it.vendorSays('no event either'),
  'the client is full': (it) => void (it.state.send = -1),
  'the client catches up': (it) => {
    it.state.send = 1
    it.drain()
  },
  'the vendor is full': (it) => void (it.state.waiting = 10_000_000),
  'the vendor catches up': (it) => void (it.state.waiting = 0),
  'the client lives': (it) => it.pong(),
  'the vendor lives': (it) => it.vendorPongs(),
  'a few seconds': (it) => it.ticks(1),
  'a minute': (it) => it.ticks(12),
  'the vendor closes': (it) => it.vendorCloses(1000),
  'the vendor breaks': (it) => it.vendorCloses(1006),
  'the client closes': (it) => it.leave(1000),
  'the client breaks': (it) => it.leave(1006),
  'the gateway finishes': (it) => it.finish(),
  'the gateway cuts': (it) => it.cut(),
}

const isClose = (entry: string) => entry.startsWith('(close') || entry === '(terminate)'
const isFrame = (entry: string) => !entry.startsWith('(')

test('any conversation is charged once, and each side is closed once, whatever happens in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(moves)), { maxLength: 40 }),
      async (played) => {
        const it = playSession()
        for (const name of played) await moves[name]?.(it)
        await turnOver()
        it.leave(1006)
        it.vendorCloses(1006)
        expect(it.bill.length).toBe(1)
        expect(it.isRunning()).toBe(false)

        const clientEnd = it.client.findIndex(isClose)
        if (clientEnd >= 0) expect(it.client.slice(clientEnd + 1).filter(isFrame)).toEqual([])
        expect(it.client.filter(isClose).length).toBeLessThanOrEqual(1)
        const vendorEnd = it.vendor.findIndex(isClose)
        if (vendorEnd >= 0) expect(it.vendor.slice(vendorEnd + 1).filter(isFrame)).toEqual([])
        expect(it.vendor.filter(isClose).length).toBeLessThanOrEqual(1)
        // Only what a client may say reaches the vendor.
        const asked = it.vendor
          .filter(isFrame)
          .map((frame) => (JSON.parse(frame) as { type: string }).type)
        const allowed = new Set(['input_audio_buffer.append', 'response.create', 'response.cancel'])
        expect(asked.filter((type) => !allowed.has(type))).toEqual([])
        expect(asked.filter((type) => type === 'response.cancel').length).toBeLessThanOrEqual(1)
      },
    ),
    { numRuns: 2000 },
  )
})
