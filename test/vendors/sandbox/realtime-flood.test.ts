import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect as connectTcp, type Socket } from 'node:net'
import { connectSandbox } from '../../../src/gateway/vendors/sandbox/realtime'
import { openTestGateway, type TestGateway } from '../../support/gateway'

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway()
})
afterAll(() => chapar.close())

const item = (letters: number) => ({
  type: 'conversation.item.create',
  item: {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'x'.repeat(letters) }],
  },
})
const ask = { type: 'response.create' }

/** The vendor's end alone, with what it says. */
function openEnd() {
  const said: string[] = []
  const counts = new Map<string, number>()
  const socket = connectSandbox({ url: 'ws://sandbox/?model=realtime', headers: [] }, 'x')
  socket.listen({
    frame(frame) {
      const text = String(frame)
      said.push(text)
      const { type } = JSON.parse(text) as { type: string }
      counts.set(type, (counts.get(type) ?? 0) + 1)
    },
    pong() {},
    closed() {},
  })
  return {
    socket,
    said,
    send: (event: object) => socket.send(JSON.stringify(event)),
    async until(type: string, count = 1) {
      while ((counts.get(type) ?? 0) < count) await new Promise(setImmediate)
    },
  }
}

test('nothing is heard while its answers are not read, and what waits is told by its bytes', async () => {
  const { socket, said, send, until } = openEnd()
  await until('session.created')
  socket.pause()
  for (let times = 0; times < 10; times++) send(item(300_000))
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  expect(said).toHaveLength(1)
  expect(socket.waiting()).toBeGreaterThan(3_000_000)
  socket.resume()
  await until('conversation.item.done')
  expect(socket.waiting()).toBeLessThan(3_000_000)
  socket.close(1000, '')
})

test('an event longer than its memory is refused, and so is a session', async () => {
  const { socket, said, send, until } = openEnd()
  send(item(400_001))
  await until('error')
  expect(said.at(-1)).toContain('string_above_max_length')
  send({ type: 'session.update', session: { instructions: 'x'.repeat(200_000) } })
  await until('error', 2)
  expect(said.at(-1)).toContain('session_too_large')
  send({ type: 'input_audio_buffer.append', audio: 'AAAA'.repeat(200_000) })
  send({ type: 'input_audio_buffer.commit' })
  await until('input_audio_buffer.committed')
  socket.close(1000, '')
})

test('what it says itself counts towards what it remembers', async () => {
  const { socket, said, send, until } = openEnd()
  send(item(90_000))
  for (let answer = 1; answer <= 6; answer++) {
    send({ ...ask, response: { output_modalities: ['text'] } })
    await until('response.done', answer)
  }
  const done = said.findLast((frame) => frame.includes('"response.done"')) ?? ''
  const { response } = JSON.parse(done) as { response: { usage: { input_tokens: number } } }
  expect(response.usage.input_tokens).toBeGreaterThan(90_000 / 16)
  expect(response.usage.input_tokens).toBeLessThan(400_000 / 16)
  socket.close(1000, '')
})

/** A client that sends as fast as it is read, and reads nothing. */
function openFlood(frames: Buffer, mostBytes: number) {
  const { hostname, port, host } = new URL(chapar.url)
  const socket: Socket = connectTcp(Number(port), hostname)
  socket.pause()
  socket.on('error', () => {})
  const head = [
    'GET /v1/realtime?model=sandbox/realtime HTTP/1.1',
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${chapar.key}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  let handed = 0
  const push = () => {
    while (handed < mostBytes) {
      handed += frames.length
      if (!socket.write(frames)) return
    }
  }
  socket.on('drain', push)
  push()
  return { socket, taken: () => socket.bytesWritten - socket.writableLength }
}

/** A client's frame, masked with nothing. */
function frameOf(event: object): Buffer {
  const text = Buffer.from(JSON.stringify(event))
  const head = Buffer.alloc(14)
  head.writeUInt16BE(0x81ff)
  head.writeBigUInt64BE(BigInt(text.length), 2)
  return Buffer.concat([head, text])
}

test.each([
  ['are remembered', 300_000],
  ['are refused', 960_000],
])('clients that send items that %s, and never read, fill no memory', async (_, letters) => {
  const frames = Buffer.concat([frameOf(item(letters)), frameOf(ask)])
  const health = chapar.url.replace('/v1', '/healthz')
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const floods = Array.from({ length: 8 }, () => openFlood(frames, 64_000_000))
  let most = before
  for (let answered = 0; answered < 150; answered++) {
    expect((await fetch(health)).status).toBe(200)
    most = Math.max(most, process.memoryUsage.rss())
  }
  const taken = floods.reduce((sum, each) => sum + each.taken(), 0)
  for (const { socket } of floods) socket.destroy()
  // Most of it still waits on the other side: in the client, and in the kernel between.
  expect(taken).toBeLessThan(256_000_000)
  expect(most - before).toBeLessThan(150 * 1_048_576)
  await chapar.rest()
})
