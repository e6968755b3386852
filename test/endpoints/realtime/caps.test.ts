import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { systemClock } from '../../../src/domain/clock'
import { openStorage } from '../../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../../src/business/data/storage'
import { temporaryFolder } from '../../support/executable'
import { commandSeen, type Customer, type CustomerOptions } from '../../support/gateway'
import { openRealtimeClient } from '../../support/realtime-client'
import { answers, turnUsage } from '../../support/realtime-stand-in'
import { openConversing, turnNanos, type Conversing } from './conversation'
import { ask, heardOnce, nanos, settled, typesOf } from './desk'

let it: Conversing
/** Another process on the same folder. */
let command: Storage
let folder: string
beforeAll(async () => {
  folder = temporaryFolder()
  it = await openConversing({ folder })
  command = openStorage({ folder, exclusive: false, clock: systemClock })
})
afterAll(async () => {
  await command.close()
  await it.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => it.vendor.play(answers))

/** Asks for one answer, and is told of the end by an event and by the close alike. */
async function ended(who: Customer, control: () => Promise<unknown> = async () => {}) {
  const client = it.call(who.key)
  await client.next('session.created')
  await control()
  await commandSeen()
  client.send(ask)
  const { error } = await client.next('error')
  const { code, reason } = await client.closed
  expect((error as { code: string }).code).toBe(reason)
  return { code, reason, types: typesOf(client.frames), frames: client.frames }
}

const cap = nanos(105_000_000)
const caps: readonly (readonly [string, CustomerOptions, number, string])[] = [
  ['credit', { usd: '0.105' }, 4402, 'insufficient_credit'],
  ['a key’s limit', { key: { spendLimit: cap } }, 4402, 'key_spend_limit_reached'],
  ['a project’s month', { project: { monthlyBudget: cap } }, 4402, 'project_budget_exceeded'],
  ['an account’s day', { account: { dailyCap: cap } }, 4402, 'daily_cap_reached'],
]

test.each([...caps])(
  '%s ends: the answer is whole, then the socket is closed',
  async (_, options, code, reason) => {
    const { types, ...told } = await ended(await it.chapar.customer(options))
    expect(told).toMatchObject({ code, reason })
    expect(types.slice(-2)).toEqual(['response.done', 'error'])
    expect(await settled(it)).toMatchObject({
      status: 'error',
      error: reason,
      cost: nanos(turnNanos),
    })
  },
)

test('the ceiling before identity is verified ends it too', async () => {
  const set = async (act: () => Promise<unknown>) => {
    await act()
    await it.chapar.gateway.reloadSettings()
  }
  const { settings } = it.chapar.storage
  const who = await it.chapar.customer({ account: { verified: false } })
  await set(() => settings.set('kyc-ceiling', '0.105'))
  const { code, reason } = await ended(who)
  await set(() => settings.unset('kyc-ceiling'))
  expect({ code, reason }).toEqual({ code: 4403, reason: 'kyc_required' })
  expect(await settled(it)).toMatchObject({ cost: nanos(turnNanos) })
})

test('a key that another process revokes ends it at its next word', async () => {
  const who = await it.chapar.customer()
  const revoke = () => command.directory.setKey(who.keyId, { state: 'revoked' })
  expect(await ended(who, revoke)).toMatchObject({ code: 4401, reason: 'api_key_revoked' })
  expect(await settled(it)).toMatchObject({ status: 'error', cost: nanos(0) })
})

test('an account that another process suspends ends it in a few seconds, though nobody says a word', async () => {
  const who = await it.chapar.customer()
  const client = it.call(who.key)
  await client.next('session.created')
  await command.directory.setAccount(who.account, { status: 'suspended' })
  client.send(heardOnce)
  const { code, reason } = await client.closed
  expect({ code, reason }).toEqual({ code: 4403, reason: 'account_suspended' })
  await settled(it)
})

test('a key that may not use the model any more ends it too', async () => {
  const who = await it.chapar.customer()
  const narrow = () => command.directory.setKey(who.keyId, { allowedModels: ['other'] })
  expect(await ended(who, narrow)).toMatchObject({ code: 4403, reason: 'model_not_allowed' })
  expect(await settled(it)).toMatchObject({ status: 'error', cost: nanos(0) })
})

test('so does one that may not be used from this address any more', async () => {
  const who = await it.chapar.customer()
  const move = () => command.directory.setKey(who.keyId, { allowedAddresses: ['192.0.2.1'] })
  expect(await ended(who, move)).toMatchObject({ code: 4403, reason: 'ip_not_allowed' })
  await settled(it)
})

test('a gateway that another process closes begins no answer', async () => {
  const client = it.call()
  await client.next('session.created')
  await command.settings.set('gateway', 'off')
  await commandSeen()
  client.send({ ...ask, event_id: 'mine' })
  const { error } = await client.next('error')
  expect(error).toMatchObject({ code: 'gateway_disabled', event_id: 'mine' })
  await command.settings.set('gateway', 'on')
  await commandSeen()
  client.send(ask)
  await client.next('response.done')
  client.close()
  expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(turnNanos) })
})

test('in the middle of an answer the vendor is told to stop, and what it bills is charged', async () => {
  // Ten seconds of sound: 200 tokens, 0.0128 dollars.
  const delta = { type: 'response.output_audio.delta', delta: 'A'.repeat(640_000) }
  let cancelled = 0
  it.vendor.play((socket, { type }) => {
    if (type === 'response.cancel') {
      cancelled++
      const response = { id: 'resp_1', status: 'cancelled', usage: turnUsage }
      socket.send({ type: 'response.done', response })
    } else if (type === 'response.create') {
      socket.send({ type: 'response.created', response: { id: 'resp_1' } })
      for (let times = 0; times < 20; times++) socket.send(delta)
    }
  })
  const { code, frames } = await ended(await it.chapar.customer({ usd: '0.12' }))
  expect(code).toBe(4402)
  const got = frames.filter((each) => each.includes('audio.delta')).length
  expect(got).toBeGreaterThan(2)
  expect(got).toBeLessThan(8)
  expect(await settled(it)).toMatchObject({
    status: 'error',
    error: 'insufficient_credit',
    estimated: false,
    cost: nanos(turnNanos),
  })
  expect(cancelled).toBe(1)
})

test('a model that is free needs no money', async () => {
  const { key } = await it.chapar.customer({ usd: '0' })
  const client = openRealtimeClient(it.address.replace('voice', 'sandbox/realtime'), {
    headers: { authorization: `Bearer ${key}` },
  })
  await client.next('session.created')
  client.send(ask)
  await client.next('response.done')
  client.close()
  await client.closed
  expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(0) })
})
