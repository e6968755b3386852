import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { turnNanos, voicePrices } from '../endpoints/realtime/conversation'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { openRealtimeClient } from '../support/realtime-client'
import {
  answer,
  answers,
  openRealtimeStandIn,
  type RealtimeStandIn,
} from '../support/realtime-stand-in'

let vendor: RealtimeStandIn
let data: string
let key: string

beforeAll(async () => {
  vendor = openRealtimeStandIn()
  data = join(temporaryFolder(), 'data')
  key = await setUp(data, vendor.url)
  const prices = Object.entries(voicePrices).flatMap(([meter, price]) => [
    '--price',
    `${meter}_per_million=${price}`,
  ])
  const speaks = ['--trait', 'realtime=true', '--capability', 'realtime=true']
  const added = await run(
    [
      'model',
      'add',
      '--id',
      'voice',
      '--type',
      'chat',
      '--route',
      'standin:v',
      ...speaks,
      ...prices,
    ],
    { data },
  )
  expect(added.stderr).toBe('')
  expect(added.code).toBe(0)
})
afterAll(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

const address = ({ url }: Serving, model: string) =>
  `${url.replace('http', 'ws')}/realtime?model=${model}`
const begin = async (serving: Serving) => {
  const headers = { authorization: `Bearer ${key}` }
  const client = openRealtimeClient(address(serving, 'voice'), { headers })
  await client.next('session.created')
  return client
}
const ask = { type: 'response.create' }

test('a conversation with the sandbox, by a key in a sub-protocol', async () => {
  const serving = await serve(['--ephemeral'])
  const client = openRealtimeClient(address(serving, 'sandbox/realtime'), {
    protocols: ['realtime', `openai-insecure-api-key.${serving.key}`],
  })
  await client.next('session.created')
  expect(client.protocol()).toBe('realtime')
  const content = [{ type: 'input_text', text: 'سلام بر تو' }]
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content },
  })
  client.send(ask)
  expect(await client.next('response.output_audio_transcript.done')).toMatchObject({
    transcript: 'سلام بر تو',
  })
  await client.next('response.done')
  client.close()
  expect(await client.closed).toMatchObject({ code: 1000 })
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  expect(serving.logs()).not.toContain(serving.key ?? '-')
})

test('killed in the middle of conversations: what was answered is charged once, and nothing is held', async () => {
  const rounds = 3
  const sockets = 8
  const turns = 3
  for (let round = 1; round <= rounds; round++) {
    vendor.play(answers)
    const serving = await serve(['--data', data])
    const clients = await Promise.all(Array.from({ length: sockets }, () => begin(serving)))
    await Promise.all(
      clients.map(async (client) => {
        for (let turn = 0; turn < turns; turn++) {
          client.send(ask)
          await client.next('response.done')
        }
      }),
    )
    // What is owed is written within milliseconds; the answers after that are not whole.
    await Bun.sleep(100)
    vendor.play((socket, { type }) => {
      if (type === 'response.create') for (const event of answer().slice(0, 3)) socket.send(event)
    })
    await Promise.all(
      clients.map(async (client) => {
        client.send(ask)
        await client.next('response.output_audio.delta')
      }),
    )
    serving.kill('SIGKILL')
    await serving.exited
    await Promise.all(clients.map(({ closed }) => closed))

    const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
    try {
      expect(await storage.ledger.recover()).toBe(sockets)
      expect(await storage.ledger.recover()).toBe(0)
      expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
    } finally {
      await storage.close()
    }
    const { data: accounts } = (await run(['account', 'list', '--json'], { data })).json<{
      data: readonly { readonly balance: { readonly usd: string } }[]
    }>()
    const spent = (turnNanos * turns * sockets * round) / 1e9
    expect(Number(accounts[0]?.balance.usd)).toBeCloseTo(100 - spent, 9)
  }
  const audit = await run(['audit', '--json'], { data })
  expect(audit.code).toBe(0)
})

test('told to stop it ends quiet conversations at once, and lets an answer come to its end', async () => {
  vendor.play(answers)
  const serving = await serve(['--data', data], { CHAPAR_DRAIN: '30' })
  const quiet = await begin(serving)
  const answering = await begin(serving)
  let finish = () => {}
  vendor.play((socket, { type }) => {
    if (type !== 'response.create') return
    for (const event of answer().slice(0, 3)) socket.send(event)
    finish = () => socket.send(answer()[3] ?? {})
  })
  answering.send(ask)
  await answering.next('response.output_audio.delta')
  serving.kill('SIGTERM')
  expect(await quiet.closed).toEqual({ code: 1012, reason: 'stream_interrupted' })
  finish()
  await answering.next('response.done')
  expect(await answering.closed).toEqual({ code: 1012, reason: 'stream_interrupted' })
  expect(await serving.exited).toBe(0)
  const audit = await run(['audit', '--json'], { data })
  expect(audit.code).toBe(0)
})
