import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import type { RequestId } from '../../src/domain/ids'
import { openStorage } from '../../src/storage/sqlite/open-storage'
import { serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

/** Two hundred in all; fewer would prove less, more would only take longer. */
const rounds = 200
const callers = 8

let vendor: StandIn
let data: string
let key: string

beforeAll(async () => {
  vendor = openStandIn(({ body }) =>
    body['stream'] === true
      ? streamReply(openaiStream('some words that are sent'), { delayMs: 1 })
      : wholeReply('ok'),
  )
  data = join(temporaryFolder(), 'data')
  key = await setUp(data, vendor.url, '1000')
})
afterAll(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

/** Calls without end until the gateway dies; tells which calls the client saw complete, and when. */
async function callUntilDead(serving: Serving, stream: boolean, seen: Map<string, number>) {
  const headers = { authorization: `Bearer ${key}` }
  const body = JSON.stringify(ask('priced', { stream, max_tokens: 50 }))
  for (;;)
    try {
      const response = await fetch(`${serving.url}/chat/completions`, {
        method: 'POST',
        headers,
        body,
      })
      const text = await response.text()
      const whole = stream ? text.endsWith('data: [DONE]\n\n') : text.endsWith('}')
      if (response.status === 200 && whole)
        seen.set(response.headers.get('x-request-id') ?? '', performance.now())
    } catch {
      return
    }
}

test(`${rounds} times killed under load: ready in under a second, audit exact, nothing held, nothing lost`, async () => {
  let slowestMs = 0
  let charged = 0
  for (let round = 0; round < rounds; round++) {
    const serving = await serve(['--data', data], { CHAPAR_ADDRESS_RPM: '100000000' })
    slowestMs = Math.max(slowestMs, serving.readyMs)
    const seen = new Map<string, number>()
    const calls = Array.from({ length: callers }, (_, index) =>
      callUntilDead(serving, index % 2 === 0, seen),
    )
    await Bun.sleep(20 + Math.random() * 80)
    serving.kill('SIGKILL')
    const killedAt = performance.now()
    await serving.exited
    await Promise.all(calls)

    const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
    try {
      storage.ledger.recover()
      expect(storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
      for (const [id, at] of seen) {
        const record = storage.ledger.find(id as RequestId)
        if (record === null) {
          // Only what fell into the last group may be absent, and then it is free.
          expect(killedAt - at).toBeLessThan(100)
          continue
        }
        // A pending record of the last group became an error that costs nothing.
        if (record.status === 'success') {
          expect(record.cost).toBeGreaterThan(0)
          charged++
        } else
          expect({ ...record, recent: killedAt - at < 100 }).toEqual({
            status: 'error',
            cost: 0 as never,
            recent: true,
          })
      }
    } finally {
      storage.close()
    }
  }
  expect(charged).toBeGreaterThan(rounds)
  expect(slowestMs).toBeLessThan(1000)
}, 300_000)
