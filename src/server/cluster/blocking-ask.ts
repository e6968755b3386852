import { openLibrary } from '../../gateway/http/listener'
import { closeOnExec, noSignal, unixAddress, unixFamily } from '../../gateway/net/unix-socket'
import { answerIn, OtherProcessAway } from './private-door'

/** Asks the process at a socket, and waits without giving way to anything. Linux only. */
export type BlockingRequest = (
  socket: string,
  question: string,
  given: readonly unknown[],
) => unknown

/** socket(7). */
const stream = 1
const socketLevel = 1
const receiveTimeout = 20
const sendTimeout = 21

const waitMs = 2000

/**
 * For questions in the middle of what must not be interrupted: whether a running answer may go on. The other process
 * never waits for this one in the same way.
 * @returns null where the system offers no way
 */
export function openBlockingRequest(): BlockingRequest | null {
  const library = openLibrary({
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    connect: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
    send: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
    recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  })
  if (library === null) return null
  const buffer = Buffer.alloc(65_536)
  const timeout = new BigInt64Array([BigInt(waitMs / 1000), 0n])

  const exchange = (descriptor: number, socket: string, request: Buffer): string => {
    for (const option of [receiveTimeout, sendTimeout])
      library.setsockopt(descriptor, socketLevel, option, timeout, timeout.byteLength)
    const address = unixAddress(socket)
    if (library.connect(descriptor, address, address.length) !== 0)
      throw new OtherProcessAway('not reached')
    for (let sent = 0; sent < request.length;) {
      const part = request.subarray(sent)
      const count = Number(library.send(descriptor, part, part.length, noSignal))
      if (count <= 0) throw new OtherProcessAway('question not taken')
      sent += count
    }
    let reply = ''
    // It ends the connection behind its answer.
    for (;;) {
      const count = Number(library.recv(descriptor, buffer, buffer.length, 0))
      if (count < 0) throw new OtherProcessAway('no answer')
      if (count === 0) return reply
      reply += buffer.toString('latin1', 0, count)
    }
  }

  return (socket, question, given) => {
    const body = Buffer.from(JSON.stringify(given))
    const head = `POST /${question} HTTP/1.1\r\nhost: chapar\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`
    const descriptor = library.socket(unixFamily, stream | closeOnExec, 0)
    if (descriptor < 0) throw new OtherProcessAway('no descriptor')
    try {
      const reply = exchange(descriptor, socket, Buffer.concat([Buffer.from(head), body]))
      const end = reply.indexOf('\r\n\r\n')
      if (end < 0) throw new OtherProcessAway('no whole answer')
      const status = Number(reply.slice(9, 12))
      return answerIn(status, Buffer.from(reply.slice(end + 4), 'latin1').toString())
    } finally {
      library.close(descriptor)
    }
  }
}
