import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import type { RequestId } from '../../src/domain/ids'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import {
  openaiStream,
  openStandIn,
  refusingUrl,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'
import { roundsOf } from '../support/campaigns'
import { until } from '../support/pace'

/** More prove more, and take longer. */
const rounds = roundsOf('kill under load')
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
  // Its vendor is not there: another model answers for it, at another price.
  const address = ['--base-url', await refusingUrl(), '--api-key', 'x']
  const prices = ['--price', 'input_per_million=7', '--price', 'output_per_million=7']
  const handed = ['--id', 'handed-over', '--type', 'chat', '--route', 'down:m', ...prices]
  for (const command of [
    ['vendor', 'add', '--name', 'down', '--kind', 'openai', '--no-test', ...address],
    ['model', 'add', ...handed, '--fallbacks', 'priced'],
  ])
    expect(await run(command, { data })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

/** Calls without end until the gateway dies; tells which calls the client saw complete, in this order. */
async function callUntilDead(
  serving: Serving,
  { model, stream }: { model: string; stream: boolean },
  seen: RequestId[],
) {
  const headers = { authorization: `Bearer ${key}` }
  const body = JSON.stringify(ask(model, { stream, max_tokens: 50 }))
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
        seen.push((response.headers.get('x-request-id') ?? '') as RequestId)
    } catch {
      return
    }
}

/**
 * What a program takes to start that only tells its version: what every start takes on this machine
 * as busy as it is now.
 */
async function bareStartMs(): Promise<number> {
  const began = performance.now()
  await run(['--version'])
  return performance.now() - began
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test(`${rounds} times killed under load: ready soon, audit exact, nothing held, no answer that a client had uncharged`, async () => {
  const readyMs: number[] = []
  const bareMs: number[] = []
  let charged = 0
  for (let round = 0; round < rounds; round++) {
    const serving = await serve(['--data', data], { CHAPAR_ADDRESS_RPM: '100000000' })
    readyMs.push(serving.readyMs)
    if (round % 10 === 0) bareMs.push(await bareStartMs())
    const seen: RequestId[] = []
    const calls = Array.from({ length: callers }, (_, index) =>
      callUntilDead(
        serving,
        { model: index % 4 < 2 ? 'priced' : 'handed-over', stream: index % 2 === 0 },
        seen,
      ),
    )
    // A third of them dies before it has answered.
    if (round % 3 > 0) await until(() => seen.length > 0)
    await Bun.sleep(20 + Math.random() * 80)
    serving.kill('SIGKILL')
    await serving.exited
    await Promise.all(calls)

    const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
    try {
      await storage.ledger.recover()
      expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
      const records = await Promise.all(seen.map((id) => storage.ledger.find(id)))
      expect(records.filter((record) => record?.status !== 'success')).toEqual([])
      for (const record of records) expect(record?.cost).toBeGreaterThan(0)
      for (const id of seen) expect((await storage.reports.call(id, null))?.model).toBe('priced')
      charged += records.length
    } finally {
      await storage.close()
    }
  }
  expect(charged).toBeGreaterThan(rounds / 2)
  // Under a second where a bare start takes less than a tenth of one.
  expect(median(readyMs)).toBeLessThan(10 * Math.max(100, median(bareMs)))
})
