import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { RefusalStore, RefusedCalls } from '../../src/domain/refused-calls'
import type { RequestId } from '../../src/domain/ids'
import { GatewayError } from '../../src/errors/gateway-error'
import type { Log, LogFields } from '../../src/gateway/observability/log'
import { openRefusalBook } from '../../src/gateway/observability/refusal-book'
import { customer, handClock, memoryStorage } from '../storage/folder'

interface Told {
  readonly event: string
  readonly fields: LogFields
}

/** A book, and everything that leaves it. */
function desk(store?: RefusalStore) {
  const clock = handClock('2026-11-20T12:00:30Z')
  const lines: Told[] = []
  const writes: (readonly RefusedCalls[])[] = []
  const note = (event: string, fields: LogFields = {}) => void lines.push({ event, fields })
  const log: Log = {
    debug: note,
    info: note,
    warn: note,
    error: note,
    debugging: false,
    print() {},
    flush() {},
  }
  const kept: RefusalStore = {
    add: async (batch) => void writes.push(batch),
    list: async () => [],
  }
  const book = openRefusalBook({ store: store ?? kept, log, clock })
  let calls = 0
  return {
    book,
    clock,
    lines,
    /** Everything that was written, added up over the writes. */
    written: async () => {
      await book.close()
      return writes.flat()
    },
    refuse(code: 'invalid_api_key' | 'gateway_disabled', address: string, held = false) {
      const requestId = `req_${++calls}` as RequestId
      const received = clock.now()
      const request = { requestId, received, method: 'POST', path: '/v1/x', headers, address }
      const error = new GatewayError(code, {})
      book.refused({ error, caller: null, endpoint: 'chat', held }, request)
    },
    as(caller: Awaited<ReturnType<typeof customer>>, address = '192.0.2.1') {
      const requestId = `req_${++calls}` as RequestId
      const request = {
        requestId,
        received: clock.now(),
        method: 'POST',
        path: '/',
        headers,
        address,
      }
      const error = new GatewayError('gateway_disabled', {})
      book.refused({ error, caller, endpoint: 'chat', held: false }, request)
    },
  }
}

const headers = { get: () => null }

describe('refused calls', () => {
  test('are one line for each key, code and minute, with the last address', async () => {
    const it = desk()
    const one = await customer(memoryStorage())
    it.as(one, '192.0.2.1')
    it.as(one, '192.0.2.2')
    it.refuse('invalid_api_key', '2001:db8:1:2:3:4:5:6')
    it.refuse('invalid_api_key', '2001:db8:1:2:9:9:9:9')
    it.clock.set('2026-11-20T12:01:00Z')
    it.as(one, '192.0.2.3')
    const told = (await it.written()).map((line) => [
      new Date(line.minute).toISOString().slice(11, 16),
      line.key as number | null,
      line.source,
      line.code,
      line.count,
      line.address,
    ])
    expect(told).toEqual([
      ['12:00', 1, '', 'gateway_disabled', 2, '192.0.2.2'],
      ['12:00', null, '2001:db8:1:2::/64', 'invalid_api_key', 2, '2001:db8:1:2:9:9:9:9'],
      ['12:01', 1, '', 'gateway_disabled', 1, '192.0.2.3'],
    ])
    expect(it.lines.map(({ event, fields }) => [event, fields['code'], fields['key']])).toEqual([
      ['refused', 'gateway_disabled', 1],
      ['refused', 'invalid_api_key', null],
      ['refused', 'gateway_disabled', 1],
    ])
  })

  test('in a flood from everywhere cost a bounded number of lines, and none is uncounted', async () => {
    const it = desk()
    for (let n = 0; n < 20_000; n++) it.refuse('invalid_api_key', `10.${n >> 8}.${n & 255}.1`)
    const lines = await it.written()
    expect(lines).toHaveLength(201)
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(20_000)
    expect(lines.at(-1)).toMatchObject({ source: '*', key: null, count: 19_800 })
    expect(it.lines).toHaveLength(201)
  })

  test('of calls whose money was held are left to their records', async () => {
    const it = desk()
    it.refuse('gateway_disabled', '192.0.2.1', true)
    expect(await it.written()).toEqual([])
  })

  test('wait while the database cannot be written, and are counted once', async () => {
    const seen: (readonly RefusedCalls[])[] = []
    let broken = true
    const it = desk({
      add: async (batch) => {
        if (broken) throw new Error('locked')
        seen.push(batch)
      },
      list: async () => [],
    })
    it.refuse('invalid_api_key', '192.0.2.1')
    await it.book.close()
    expect(it.lines.at(-1)).toMatchObject({ event: 'refused calls not written' })
    it.refuse('invalid_api_key', '192.0.2.1')
    broken = false
    await it.book.close()
    expect(seen.flat().map(({ count }) => count)).toEqual([2])
  })
})

describe('kept lines', () => {
  const line = (n: number): RefusedCalls => ({
    minute: (n * 60_000) as Ms,
    code: 'invalid_api_key',
    key: null,
    project: null,
    account: null,
    source: '192.0.2.1',
    count: 1,
    endpoint: null,
    address: '192.0.2.1',
    request: `req_${n}` as RequestId,
    time: (n * 60_000) as Ms,
  })
  const all = { from: 0 as Ms, to: 1e15 as Ms, account: null, project: null, key: null }

  test('are the newest 10,000, and the same line is added up', async () => {
    const { refusals } = memoryStorage()
    await refusals.add(Array.from({ length: 10_050 }, (_, n) => line(n)))
    await refusals.add([{ ...line(10_049), count: 4, address: '192.0.2.9' }])
    const kept = await refusals.list(all)
    expect(kept).toHaveLength(10_000)
    expect(kept[0]).toMatchObject({ request: 'req_10049', count: 5, address: '192.0.2.9' })
    expect(kept.at(-1)).toMatchObject({ request: 'req_50' })
  })
})
