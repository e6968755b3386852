import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createServer, type AddressInfo } from 'node:net'
import { systemMonotonic } from '../../src/domain/clock'
import { openTurn } from '../../src/gateway/net/write-batcher'
import { Attempt } from '../../src/gateway/outbound/http1/attempt'
import { readOrigin } from '../../src/gateway/outbound/http1/origin'
import { openPool } from '../../src/gateway/outbound/http1/pool'
import { ReplyParser } from '../../src/gateway/outbound/http1/reply-parser'
import { openRequestHead } from '../../src/gateway/outbound/http1/request-head'
import { replyCases } from './reply-cases'
import { wholeText } from '../support/whole-text'

const cases = Object.entries(replyCases).flatMap(([outcome, rows]) =>
  rows.map(([name, wire, difference = {}]) => ({ name, wire, outcome, difference })),
)

const own = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nown'

/** Answers `/N` with the bytes of that case, and every other path with a reply of its own. */
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    const number = /^\w+ \/(\d+) /.exec(bytes.toString('latin1'))?.[1]
    const asked = number === undefined ? undefined : cases[Number(number)]
    socket.write(asked?.wire ?? own, 'latin1')
    if (asked !== undefined && !asked.outcome.endsWith('kept')) socket.end()
  })
})
let connections = 0
server.on('connection', () => connections++)
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** Pushes these pieces as a connection does, and closes. */
function outcomeOf(pieces: readonly Buffer[]): string {
  let head = ''
  let body = ''
  let end = ''
  const parser = new ReplyParser({
    head: ({ status }) => void (head = String(status)),
    data: (bytes) => void (body += Buffer.from(bytes).toString('latin1')),
    end: (reusable) => void (end = reusable ? 'kept' : 'closed'),
  })
  try {
    for (const piece of pieces) {
      if (piece.length === 0) continue
      // What comes while nobody has asked costs the connection.
      if (end !== '') end = 'closed'
      else parser.push(piece)
    }
    parser.closed()
  } catch {
    // What was whole before it went wrong was handed on.
  }
  return end === '' ? 'refused' : `${head} ${body} ${end}`
}

const cut = (wire: string, at: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(wire, 'latin1')
  const ends = [
    ...at.map((one) => one % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

const withoutEnd = (outcome: string): string => outcome.replace(/ (?:kept|closed)$/, '')

const outcomeOfFetch = (number: number): Promise<string> =>
  fetch(`${url}/${number}`, { method: 'POST', body: '{}', redirect: 'manual', decompress: false })
    .then(async (reply) => `${reply.status} ${Buffer.from(await reply.bytes()).toString('latin1')}`)
    .catch(() => 'refused')

describe('of what a server sends', () => {
  test.each(cases)(
    '$name is always the same, in one piece and byte by byte',
    ({ wire, outcome }) => {
      const bytes = Buffer.from(wire, 'latin1')
      expect(outcomeOf([bytes])).toBe(outcome)
      if (bytes.length < 1_000)
        expect(outcomeOf(Array.from(bytes, (byte) => Buffer.of(byte)))).toBe(outcome)
    },
  )

  test('the same is made in any pieces', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases.filter(({ wire }) => wire.length < 1_000)),
        fc.array(fc.nat(1_000), { maxLength: 6 }),
        ({ wire, outcome }, at) => {
          expect(outcomeOf(cut(wire, at))).toBe(outcome)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('fetch makes the same but for known differences', async () => {
    const differing: string[] = []
    for (const [number, { name, outcome, difference }] of cases.entries()) {
      const seen = await outcomeOfFetch(number)
      const expected = difference.fetch ?? withoutEnd(outcome)
      if (expected === 'taken' ? seen === 'refused' : seen !== expected)
        differing.push(`${name}: ${seen}, not ${expected}`)
    }
    expect(differing).toEqual([])
  })

  test('what both others refuse is refused, but where it has one meaning only', () => {
    const alone = cases.filter(
      ({ outcome, difference: { fetch: other, llhttp } }) =>
        outcome !== 'refused' && other === 'refused' && llhttp === 'refused',
    )
    expect(alone.map(({ name }) => name)).toEqual([
      // RFC 9112 6.3, fifth rule.
      'one length in a list',
      // RFC 9112 7.1.1; old servers fill sizes up with blanks.
      'blanks behind a chunk size',
      'blanks around the semicolon of a chunk extension',
    ])
  })

  test('nothing is taken for the answer to the next request', async () => {
    const origin = readOrigin(url)
    const head = openRequestHead(origin, [])
    for (const [number, { name, outcome }] of cases.entries()) {
      const pool = openPool(systemMonotonic, openTurn())
      const ask = (path: string) => {
        const line = head({ method: 'POST', path, contentType: null, contentBytes: 2 })
        return pool.exchange(origin, { head: line, body: '{}', idempotent: false }, new Attempt())
      }
      const before = connections
      const asked = ask(`/${number}`)
      const seen = await asked
        .then(async (reply) => `${reply.status} ${await wholeText(reply)}`)
        .catch(() => 'refused')
      expect(`${name}: ${seen}`).toBe(`${name}: ${withoutEnd(outcome)}`)
      expect(await wholeText(ask('/own'))).toBe('own')
      const made = outcome.endsWith('kept') ? 1 : 2
      expect(`${name}: ${connections - before} connections`).toBe(`${name}: ${made} connections`)
      pool.close()
    }
  })
})
