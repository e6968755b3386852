import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { openReceivedBytes } from '../../src/gateway/http/received-bytes'
import { until } from '../support/pace'

test.skipIf(process.platform !== 'linux').each(['127.0.0.1', '::1'])(
  'bytes that were read from a connection are told, from %s',
  async (hostname) => {
    const received = openReceivedBytes()
    let read = 0
    using server = Bun.listen({
      hostname,
      port: 0,
      socket: { data: (_, bytes) => void (read += bytes.byteLength) },
    })
    const socket = connect(server.port, hostname)
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    const peer = { address: hostname, port: socket.localPort ?? 0 }
    for (const bytes of [1, 70_000, 3_000_000]) {
      const before = read
      socket.write(Buffer.alloc(bytes))
      await until(() => read === before + bytes)
      expect(received?.(peer)).toBe(read)
    }
    expect(received?.({ address: hostname, port: 1 })).toBeNull()
    socket.destroy()
    await until(() => received?.(peer) === null)
  },
)
