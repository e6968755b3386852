import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { addVendor } from '../../support/gateway'
import { openRealtimeClient } from '../../support/realtime-client'
import { openConversing, saveVoice, type Conversing } from './conversation'
import { nanos, settled } from './desk'

/** What a vendor answers a handshake with: bytes as they stand, or nothing. */
const vendors = {
  silent: null,
  wrong:
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n',
  plain: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  babble: 'hello, this is no HTTP\r\n\r\n',
  moved: 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
  busy: 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n',
} as const
/** What a handshake's key is answered with is made of. */
const acceptMark = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
type Name = keyof typeof vendors

let it: Conversing
const servers: Server[] = []
/** Connections to the silent one. */
const waiting = new Set<Socket>()
beforeAll(async () => {
  const urls = new Map<Name, string>()
  for (const [name, answer] of Object.entries(vendors) as [Name, string | null][]) {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        if (answer !== null) socket.end(answer)
        else {
          waiting.add(socket)
          socket.once('close', () => waiting.delete(socket))
        }
      })
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    urls.set(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  }
  it = await openConversing({
    async prepare(storage) {
      for (const [name, url] of urls) {
        await addVendor(storage, name, url)
        await saveVoice(storage, name, [name])
        await saveVoice(storage, `${name}-or-good`, [name, 'standin'])
      }
    },
  })
})
afterAll(async () => {
  await it.close()
  for (const server of servers) server.close()
})

const handshake = (model: string) =>
  [
    `GET /v1/realtime?model=${model} HTTP/1.1`,
    `Host: localhost`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${it.chapar.key}`,
    '',
    '',
  ].join('\r\n')

/** A client that can leave in the middle of its handshake. */
function knock(model: string) {
  const { port } = new URL(it.chapar.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(handshake(model))
  const answer = new Promise<string>((resolve) =>
    socket.once('data', (bytes) => resolve(bytes.toString())),
  )
  return { socket, answer }
}

const bad = ['wrong', 'plain', 'babble', 'moved', 'busy'] as const

test.each(bad)(
  'a vendor that answers a handshake with something else (%s) is not there',
  async (name) => {
    const { socket, answer } = knock(name)
    const told = await answer
    expect(told).toStartWith(name === 'busy' ? 'HTTP/1.1 429' : 'HTTP/1.1 502')
    expect(told).toMatch(/"code":"upstream_(?:unreachable|capacity_full)"/)
    socket.destroy()
    expect(await settled(it)).toMatchObject({ status: 'error', cost: nanos(0) })
  },
)

test.each(bad)('and the next route is taken (%s)', async (name) => {
  const { socket, answer } = knock(`${name}-or-good`)
  expect(await answer).toStartWith('HTTP/1.1 101')
  socket.destroy()
  expect(await settled(it)).toMatchObject({ status: 'cancelled', vendor: 'standin' })
})

test('a client that leaves while a vendor is being reached gives everything back', async () => {
  const { socket } = knock('silent')
  while (waiting.size === 0) await Bun.sleep(2)
  expect(it.chapar.gateway.parts.ledger.heldInAll()).toBeGreaterThan(0)
  socket.destroy()
  expect(await settled(it)).toMatchObject({ status: 'cancelled', cost: nanos(0), vendor: null })
  for (let tries = 0; waiting.size > 0 && tries < 200; tries++) await Bun.sleep(5)
  expect(waiting.size).toBe(0)
})

test('a vendor that does not answer in its time is not there', async () => {
  const silent = (await it.chapar.storage.catalogue.vendors()).find(({ name }) => name === 'silent')
  if (silent === undefined) throw new Error('there is no silent vendor')
  await it.chapar.storage.catalogue.saveVendor({ ...silent, timeoutMs: 100 })
  await it.chapar.gateway.reloadCatalogue()
  const { socket, answer } = knock('silent')
  expect(await answer).toContain('upstream_unreachable')
  socket.destroy()
  expect(await settled(it)).toMatchObject({ error: 'upstream_unreachable', cost: nanos(0) })
})

test('a vendor whose frame has no end is left, before it takes memory', async () => {
  const megabyte = Buffer.alloc(1_048_576, 'a')
  let sent = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      const key = /sec-websocket-key: (.*)\r\n/i.exec(head.toString())?.[1] ?? ''
      const accept = createHash('sha1').update(`${key}${acceptMark}`).digest('base64')
      const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      const begin = Buffer.alloc(10)
      begin[0] = 0x81
      begin[1] = 127
      begin.writeBigUInt64BE(4n << 30n, 2)
      socket.write(begin)
      const pour = () => {
        while (!socket.destroyed && sent < 4096) {
          sent++
          if (!socket.write(megabyte)) return
        }
      }
      socket.on('drain', pour)
      pour()
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { storage, gateway } = it.chapar
  await addVendor(
    storage,
    'endless',
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
  )
  await saveVoice(storage, 'endless', ['endless'])
  await gateway.reloadCatalogue()
  const before = process.memoryUsage.rss()
  const client = openRealtimeClient(it.address.replace('voice', 'endless'), {
    headers: { authorization: `Bearer ${it.chapar.key}` },
  })
  expect((await client.next('error'))['error']).toMatchObject({ code: 'stream_interrupted' })
  expect(await client.closed).toMatchObject({ code: 1011 })
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
  expect(sent).toBeLessThan(512)
  await settled(it)
})
