import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { systemClock } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'
import { temporaryFolder } from '../support/executable'
import {
  ask,
  commandSeen,
  openTestGateway,
  type Customer,
  type TestGateway,
} from '../support/gateway'
import { chunksOf, eventsOf } from '../support/sse'
import { openaiStream, openStandIn, streamReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
/** Another process on the same folder. */
let command: Storage
let folder: string
beforeAll(async () => {
  vendor = openStandIn()
  folder = temporaryFolder()
  chapar = await openTestGateway({ vendorUrl: vendor.url, folder })
  command = openStorage({ folder, exclusive: false, clock: systemClock })
})
afterAll(async () => {
  await command.close()
  await chapar.close()
  await vendor.close()
  rmSync(folder, { recursive: true, force: true })
})

const words = 20_000

/** A stream that waits after its first words until it is told to go on. */
function playInTwo(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const events = openaiStream('word '.repeat(words))
  vendor.play(() => {
    const parts = [events.slice(0, 20), events.slice(20)]
    const encoder = new TextEncoder()
    let next = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (next === 1) await promise
        const part = parts[next++]
        if (part === undefined) return controller.close()
        controller.enqueue(encoder.encode(part.join('')))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  return resolve
}

/** A stream in whose middle a command is given. @returns all of it, as the client read it */
async function commanded({ key }: Customer, control: () => Promise<void>): Promise<string> {
  const goOn = playInTwo()
  const response = await chapar.post(ask('priced', { stream: true, max_tokens: 50 }), {
    authorization: `Bearer ${key}`,
  })
  expect(response.status).toBe(200)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const first = await reader.read()
  let text = decoder.decode(first.value, { stream: true })
  await control()
  await commandSeen()
  goOn()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
}

test.each([
  [
    'revokes its key',
    'api_key_revoked',
    (who: Customer) => command.directory.setKey(who.keyId, { state: 'revoked' }),
  ],
  [
    'lowers its spend limit',
    'key_spend_limit_reached',
    (who: Customer) => command.directory.setKey(who.keyId, { spendLimit: nanoUsd(1) }),
  ],
  [
    'suspends its account',
    'account_suspended',
    (who: Customer) => command.directory.setAccount(who.account, { status: 'suspended' }),
  ],
  [
    'lowers the day of its account',
    'daily_cap_reached',
    (who: Customer) => command.directory.setAccount(who.account, { dailyCap: nanoUsd(1) }),
  ],
  [
    'lowers the capacity of the service',
    'daily_capacity_reached',
    () => command.settings.set('day-capacity', '0'),
  ],
] as const)(
  'a running stream ends in order where it needs more money once a command %s',
  async (_, code, control) => {
    const who = await chapar.customer()
    const text = await commanded(who, async () => void control(who))
    await command.settings.unset('day-capacity')
    expect(chunksOf(text).find((each) => each.error)?.error?.code).toBe(code)
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
    const { held, slots } = await chapar.rest()
    expect({ held, slots }).toEqual({ held: 0, slots: 0 })
    // Charged for what was sent, which is little of what there was.
    const paid =
      nanoUsd(100_000_000_000) - ((await command.directory.findAccount(who.account))?.balance ?? 0)
    expect(paid).toBeGreaterThan(0)
    expect(paid).toBeLessThan(words * 6000 * 0.3)
    expect((await chapar.audit()).differences).toEqual([])
  },
)

test('a running stream goes on when nothing was changed, and when a limit was raised', async () => {
  for (const control of [
    () => {},
    (who: Customer) => void command.directory.setKey(who.keyId, { spendLimit: nanoUsd(1e12) }),
  ]) {
    const who = await chapar.customer()
    const text = await commanded(who, async () => control(who))
    expect(chunksOf(text).some((each) => each.error)).toBe(false)
    expect(text.match(/"content":" ?word/g)?.length).toBe(words)
  }
})

test('a switch of the service leaves running streams alone', async () => {
  const who = await chapar.customer()
  const text = await commanded(who, async () => {
    await command.settings.set('gateway', 'off')
    await command.settings.set('streaming', 'off')
  })
  expect(chunksOf(text).some((each) => each.error)).toBe(false)
  expect((await chapar.post(ask('priced'))).status).toBe(503)
  await command.settings.unset('gateway')
  await command.settings.unset('streaming')
  await commandSeen()
  vendor.play(() => streamReply(openaiStream('ok')))
  expect((await chapar.post(ask('priced', { stream: true }))).status).toBe(200)
})
