import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn(async ({ body }) => {
    if (body['stream'] === true)
      return streamReply(openaiStream('word '.repeat(40)), { delayMs: 2 })
    await Bun.sleep(Math.random() * 60)
    return wholeReply('a whole answer')
  })
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** One client that leaves at a random moment: before, during or after the answer. */
async function leaver(stream: boolean): Promise<void> {
  const leaving = new AbortController()
  const timer = setTimeout(() => leaving.abort(), Math.random() * 120)
  try {
    const response = await chapar.post(
      ask('priced', { stream, max_tokens: 100 }),
      {},
      leaving.signal,
    )
    await response.text()
  } catch {
    // It left.
  } finally {
    clearTimeout(timer)
  }
}

test('after a thousand clients that left at random nothing is in use, nothing is held, the audit is exact', async () => {
  for (let wave = 0; wave < 10; wave++)
    await Promise.all(Array.from({ length: 100 }, (_, index) => leaver(index % 2 === 0)))
  const { held, slots } = await chapar.rest()
  expect({ held, slots, streams: chapar.gateway.parts.streams.count() }).toEqual({
    held: 0,
    slots: 0,
    streams: 0,
  })
  expect(await chapar.audit()).toMatchObject({ ok: true, pending: 0 })
})
