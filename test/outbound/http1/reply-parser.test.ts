import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ReplyParser } from '../../../src/gateway/outbound/http1/reply-parser'

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')

/** Everything that a parser finds, as one text a reply. */
function parse(pieces: readonly Uint8Array[]): string[] {
  const found: string[] = []
  let body = ''
  const parser = new ReplyParser({
    head: ({ status, headers }) => {
      body = ''
      found.push(`${status} ${headers.get('content-type') ?? '-'}`)
    },
    data: (bytes) => void (body += Buffer.from(bytes).toString('latin1')),
    end: (reusable) => void found.push(body, reusable ? 'kept' : 'closed'),
  })
  for (const piece of pieces) parser.push(piece)
  if (parser.closed()) found.push('by close')
  return found
}

const pieces = (text: string, ...at: readonly number[]): Uint8Array[] => {
  const cuts = [0, ...at.map((one) => one % (text.length + 1)).sort((a, b) => a - b), text.length]
  return cuts.slice(1).map((to, index) => latin1(text.slice(cuts[index], to)))
}

const type = 'Content-Type: text/plain\r\n'
const replies: readonly (readonly [name: string, wire: string, found: readonly string[]])[] = [
  [
    'of a told length',
    `HTTP/1.1 200 OK\r\n${type}Content-Length: 5\r\n\r\nhello`,
    ['200 text/plain', 'hello', 'kept'],
  ],
  ['of no length', `HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`, ['200 -', '', 'kept']],
  ['without a body', `HTTP/1.1 204 No Content\r\n\r\n`, ['204 -', '', 'kept']],
  [
    'in chunks',
    `HTTP/1.1 200 OK\r\n${type}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nA\r\nlo, world!\r\n0\r\n\r\n`,
    ['200 text/plain', 'hello, world!', 'kept'],
  ],
  [
    'in chunks with extensions and trailers',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2 \r\nlo\r\n0;x\r\nx-sum: 1\r\ny: 2\r\n\r\n`,
    ['200 -', 'hello', 'kept'],
  ],
  [
    'until the connection closes',
    `HTTP/1.1 200 OK\r\n${type}\r\nhello`,
    ['200 text/plain', 'hello', 'closed', 'by close'],
  ],
  [
    'that asks to close',
    `HTTP/1.1 500 Oops\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno`,
    ['500 -', 'no', 'closed'],
  ],
  [
    'of an older server',
    `HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok`,
    ['200 -', 'ok', 'closed'],
  ],
  [
    'after announcements',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`,
    ['200 -', 'ok', 'kept'],
  ],
  [
    'with one length told twice',
    `HTTP/1.1 200 OK\r\ncontent-length: 2\r\nContent-Length: 2\r\n\r\nok`,
    ['200 -', 'ok', 'kept'],
  ],
]

describe('a reply', () => {
  test.each(replies)('%s is read', (_, wire, found) => {
    expect(parse([latin1(wire)])).toEqual([...found])
  })

  test.each(replies)('%s is read whatever it is cut into', (_, wire, found) => {
    for (let at = 1; at < wire.length; at++) expect(parse(pieces(wire, at))).toEqual([...found])
    expect(parse(Array.from(wire, latin1))).toEqual([...found])
  })

  test('any body in any chunks comes out as it was, in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 }),
        fc.array(fc.nat(3000), { maxLength: 12 }),
        (chunks, cuts) => {
          const texts = chunks.map((bytes) => Buffer.from(bytes).toString('latin1'))
          const coded = texts.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('')
          const wire = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${coded}0\r\n\r\n`
          expect(parse(pieces(wire, ...cuts))).toEqual(['200 -', texts.join(''), 'kept'])
        },
      ),
    )
  })

  test.each([1, 2, 63])('chunks of %d bytes that arrive together come out joined', (size) => {
    const text = Array.from({ length: 20_000 * size }, (_, at) => at % 10).join('')
    const chunk = (_: unknown, at: number) => text.slice(at * size, (at + 1) * size)
    const coded = Array.from({ length: 20_000 }, chunk)
      .map((one) => `${size.toString(16)}\r\n${one}\r\n`)
      .join('')
    const wire = latin1(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${coded}0\r\n\r\n`)
    let events = 0
    let body = ''
    const parser = new ReplyParser({
      head() {},
      data(bytes) {
        events++
        body += Buffer.from(bytes).toString('latin1')
      },
      end() {},
    })
    parser.push(wire)
    expect(body === text).toBeTrue()
    expect(events).toBeLessThanOrEqual(Math.ceil(text.length / 16_000))
  })

  test.each([
    ['a head without end', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(70_000)}`],
    [
      'a size without end',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'b'.repeat(20_000)}`,
    ],
    [
      'a trailer without end',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\na: ${'b'.repeat(20_000)}`,
    ],
  ])('with %s is refused', (_, wire) => {
    expect(() => parse([latin1(wire)])).toThrow()
  })

  test('cut off by a close is no reply', () => {
    for (const [, wire, found] of replies) {
      const cut = parse([latin1(wire.slice(0, -1))])
      expect(cut.includes('by close')).toBe(found.includes('by close'))
    }
  })

  test('whatever bytes come, nothing but an error is thrown and no body outgrows them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (noise, chunked) => {
        const head = `HTTP/1.1 200 OK\r\n${chunked ? 'transfer-encoding: chunked\r\n' : ''}\r\n`
        let bytes = 0
        const parser = new ReplyParser({
          head() {},
          data: (piece) => void (bytes += piece.byteLength),
          end() {},
        })
        try {
          parser.push(Buffer.concat([latin1(head), noise]))
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error)
        }
        expect(bytes).toBeLessThanOrEqual(noise.byteLength)
      }),
    )
  })
})
