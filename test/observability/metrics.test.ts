import { afterEach, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/server/config'
import { openMetricsDoor, serveMetrics } from '../../src/gateway/observability/metrics-door'
import { openMetricRegistry } from '../../src/gateway/observability/metric-registry'
import type { Storage } from '../../src/business/data/storage'
import { readExposition, type Exposition } from '../support/exposition'
import {
  addModel,
  addVendor,
  ask,
  openTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../support/gateway'
import {
  failure,
  hang,
  inTurn,
  openaiStream,
  openStandIn,
  replies,
  streamReply,
  type StandIn,
} from '../support/stand-in'

const token = 'a token that nobody guesses'
const bearer = { authorization: `Bearer ${token}` }
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

type Options = Omit<TestGatewayOptions, 'prepare'> & {
  readonly prepare?: (storage: Storage, vendorUrl: string) => void
}

async function open(options: Options = {}): Promise<{ gateway: TestGateway; vendor: StandIn }> {
  const vendor = openStandIn()
  const gateway = await openTestGateway({
    vendorUrl: vendor.url,
    ...options,
    prepare: async (storage) => options.prepare?.(storage, vendor.url),
    env: { CHAPAR_METRICS_TOKEN: token, ...options.env },
  })
  opened.push(vendor, gateway)
  return { gateway, vendor }
}

const metricsUrl = ({ url }: TestGateway): string => url.replace(/\/v1$/, '/metrics')

async function scrape(gateway: TestGateway): Promise<Exposition> {
  await gateway.rest()
  const response = await fetch(metricsUrl(gateway), { headers: bearer })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return readExposition(await response.text())
}

const place = { endpoint: 'chat', model: 'priced', vendor: 'standin' }

describe('metrics', () => {
  test('tell calls, tokens, dollars and times of a whole and a streamed answer', async () => {
    const { gateway, vendor } = await open()
    vendor.play(
      replies('Hello', {
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 20 },
      }),
    )
    await (await gateway.post(ask('priced'))).text()
    await (await gateway.post(ask('priced', { stream: true }))).text()
    const shown = await scrape(gateway)
    const calls = { ...place, status: 'success', code: 'none' }
    expect(shown.value('chapar_calls_total', calls)).toBe(2)
    expect(shown.value('chapar_calls_total')).toBe(2)
    expect(shown.value('chapar_tokens_total', { ...place, meter: 'input' })).toBe(140)
    expect(shown.value('chapar_tokens_total', { ...place, meter: 'cached_input' })).toBe(60)
    expect(shown.value('chapar_tokens_total', { ...place, meter: 'output' })).toBe(100)
    expect(shown.value('chapar_reasoning_tokens_total', place)).toBe(40)
    const before = (await gateway.storage.directory.findAccount(gateway.account))?.balance ?? 0
    expect(shown.value('chapar_charged_dollars_total', place)).toBe((100e9 - before) / 1e9)
    expect(shown.value('chapar_call_duration_seconds_count', place)).toBe(2)
    expect(shown.value('chapar_call_first_byte_seconds_count', place)).toBe(2)
    expect(shown.value('chapar_vendor_attempts_total', { vendor: 'standin' })).toBe(2)
    expect(shown.value('chapar_vendor_failures_total')).toBe(0)
    expect(shown.value('chapar_ledger_commit_duration_seconds_count')).toBeGreaterThan(0)
  })

  test('tell videos that are on their way, and what is given back for those that are not made', async () => {
    const { gateway } = await open()
    const headers = { authorization: `Bearer ${gateway.key}` }
    const answer = await fetch(`${gateway.url}/videos`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'sandbox/video-stalled-priced', prompt: 'the sea' }),
    })
    const { id } = (await answer.json()) as { id: string }
    const during = await scrape(gateway)
    expect(during.value('chapar_videos_open')).toBe(1)
    expect(during.value('chapar_units_total', { meter: 'video_second:1280x720' })).toBe(4)
    expect(during.value('chapar_charged_dollars_total')).toBe(0.4)
    await fetch(`${gateway.url}/videos/${id}`, { method: 'DELETE', headers })
    const after = await scrape(gateway)
    expect(after.value('chapar_videos_open')).toBe(0)
    expect(after.value('chapar_refunded_dollars_total')).toBe(0.4)
  })

  test('tell what runs now, and that nothing is left of it after', async () => {
    const { gateway, vendor } = await open()
    vendor.play(() => streamReply(openaiStream('one two three'), { hangAfter: 2 }))
    const leaving = new AbortController()
    const response = await gateway.post(ask('priced', { stream: true }), {}, leaving.signal)
    await response.body?.getReader().read()
    // A call that is written as pending holds money all the same.
    await gateway.gateway.parts.ledger.flush()
    const during = readExposition(
      await (await fetch(metricsUrl(gateway), { headers: bearer })).text(),
    )
    expect(during.value('chapar_calls_running')).toBe(1)
    expect(during.value('chapar_streams_open')).toBe(1)
    expect(during.value('chapar_holds_open')).toBe(1)
    expect(during.value('chapar_held_dollars')).toBe(gateway.gateway.parts.ledger.heldInAll() / 1e9)
    expect(during.value('chapar_held_dollars')).toBeGreaterThan(0)
    leaving.abort()
    const after = await scrape(gateway)
    for (const name of ['calls_running', 'streams_open', 'holds_open', 'held_dollars'])
      expect(after.value(`chapar_${name}`)).toBe(0)
    expect(after.value('chapar_calls_total', { ...place, status: 'cancelled' })).toBe(1)
    expect(after.value('chapar_call_first_byte_seconds_count', place)).toBe(1)
    expect(after.value('chapar_call_duration_seconds_count')).toBe(0)
    expect(after.value('chapar_tokens_total', { ...place, meter: 'output' })).toBeGreaterThan(0)
  })

  test('tell a client that left before there was an answer', async () => {
    const { gateway, vendor } = await open()
    vendor.play(hang)
    const leaving = new AbortController()
    const gone = gateway.post(ask('priced'), {}, leaving.signal).catch(() => null)
    while (vendor.seen.length === 0) await Bun.sleep(1)
    leaving.abort()
    await gone
    const shown = await scrape(gateway)
    const cancelled = { vendor: 'none', status: 'cancelled', code: 'none' }
    expect(shown.value('chapar_calls_total', cancelled)).toBe(1)
    expect(shown.value('chapar_vendor_attempts_total')).toBe(1)
    expect(shown.value('chapar_vendor_failures_total')).toBe(0)
  })

  test('tell refusals by code, also of those that are known by no key', async () => {
    const { gateway } = await open()
    await gateway.post(ask('nowhere'))
    await gateway.post(ask('priced'), { authorization: 'Bearer sk-chapar-v1-wrong' })
    await gateway.post('{')
    await fetch(`${gateway.url}/nothing`)
    await fetch(`${gateway.url}/me`, { headers: { authorization: 'Bearer wrong' } })
    const shown = await scrape(gateway)
    const refused = (code: string) => shown.value('chapar_refused_requests_total', { code })
    expect(refused('model_not_found')).toBe(1)
    expect(refused('invalid_api_key')).toBe(2)
    expect(refused('invalid_json')).toBe(1)
    expect(refused('unknown_url')).toBe(1)
    expect(shown.value('chapar_calls_total')).toBe(0)
  })

  test('tell a vendor’s failures, and the change to the next route', async () => {
    const { gateway, vendor } = await open({
      async prepare(storage, vendorUrl) {
        await addVendor(storage, 'spare', vendorUrl)
        await addModel(storage, 'two-ways', ['standin', 'spare'])
      },
    })
    vendor.play(
      inTurn(failure(500, { message: 'no' }), replies(), failure(400, { message: 'you' })),
    )
    expect((await gateway.post(ask('two-ways'))).status).toBe(200)
    expect((await gateway.post(ask('priced'))).status).toBe(400)
    const shown = await scrape(gateway)
    const failures = 'chapar_vendor_failures_total'
    expect(shown.value(failures, { vendor: 'standin', code: 'upstream_error' })).toBe(1)
    expect(shown.value(failures, { vendor: 'standin', code: 'upstream_rejected' })).toBe(1)
    expect(shown.value('chapar_route_changes_total', { vendor: 'standin' })).toBe(1)
    expect(shown.value('chapar_route_changes_total')).toBe(1)
    const answered = { model: 'two-ways', vendor: 'spare', status: 'success' }
    expect(shown.value('chapar_calls_total', answered)).toBe(1)
    const failed = { model: 'priced', vendor: 'none', status: 'error', code: 'upstream_rejected' }
    expect(shown.value('chapar_calls_total', failed)).toBe(1)
    expect(shown.value('chapar_refused_requests_total')).toBe(0)
  })

  test('tell of no failure where no vendor was asked, however often clients try it', async () => {
    const told: string[] = []
    const note = (event: string) => void told.push(event)
    const says = { debug: note, info: note, warn: note, error: note, print: note }
    const log = { ...says, debugging: false, flush() {} }
    const { gateway, vendor } = await open({ log })
    const refused = await fetch(`${gateway.url}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ model: 'priced', input: 'Hi', previous_response_id: 'resp_1' }),
    })
    expect(refused.status).toBe(400)
    expect(vendor.seen).toEqual([])
    const shown = await scrape(gateway)
    expect(shown.value('chapar_vendor_attempts_total')).toBe(0)
    expect(shown.value('chapar_vendor_failures_total')).toBe(0)
    expect(told).not.toContain('vendor failed')
  })

  test('tell commits that failed', async () => {
    const failing = { times: 0 }
    const { gateway } = await open({
      prepare({ ledger }) {
        const { commit } = ledger
        const commitOrFail: typeof commit = (batch, durable) => {
          if (failing.times-- > 0) throw new Error('the disk is full')
          return commit(batch, durable)
        }
        Object.assign(ledger, { commit: commitOrFail })
      },
    })
    failing.times = 2
    await gateway.post(ask('priced'))
    while (failing.times > 0) await Bun.sleep(1)
    const shown = await scrape(gateway)
    expect(shown.value('chapar_ledger_commit_failures_total')).toBe(2)
    expect(shown.value('chapar_ledger_queue_length')).toBe(0)
    expect((await gateway.audit()).ok).toBe(true)
  })

  test('never name what a client named, who it is, or what it said', async () => {
    const { gateway } = await open()
    const secret = 'unmistakable-words'
    await gateway.post({ model: secret, messages: [{ role: 'user', content: secret }] })
    await gateway.post({
      model: 'priced',
      user: secret,
      messages: [{ role: 'user', content: secret }],
    })
    await fetch(`${gateway.url}/${secret}`, { headers: { authorization: `Bearer ${secret}` } })
    await gateway.rest()
    const text = await (await fetch(metricsUrl(gateway), { headers: bearer })).text()
    expect(text).toContain('model="priced"')
    expect(text).not.toContain(secret)
    expect(text).not.toContain(gateway.key.slice(0, 18))
    const labels = readExposition(text).samples.flatMap((each) => Object.keys(each.labels))
    const known = new Set([
      'endpoint',
      'model',
      'vendor',
      'credential',
      'status',
      'code',
      'meter',
      'le',
      'version',
      'commit',
      'built',
      'bun',
    ])
    expect(labels.filter((label) => !known.has(label))).toEqual([])
  })

  test('are all explained in the guide, and the guide explains no other', async () => {
    const { gateway } = await open()
    const page = await Bun.file(`${import.meta.dir}/../../src/guide/en/metrics.md`).text()
    const explained = new Set(page.match(/\b(?:chapar|process)_[a-z_]+\b/g))
    const shown = await scrape(gateway)
    const traced = ['exported', 'failed', 'dropped'].map(
      (each) => `chapar_trace_spans_${each}_total`,
    )
    expect([...explained].sort()).toEqual([...shown.families.keys(), ...traced].sort())
  })
})

describe('the public address', () => {
  test('answers whoever has no token as if there were no metrics', async () => {
    const { gateway } = await open()
    const without = await openTestGateway()
    opened.push(without)
    const answerOf = async (at: TestGateway, init: RequestInit = {}) => {
      const response = await fetch(metricsUrl(at), init)
      const { error } = (await response.json()) as { error: object }
      const names = [...response.headers.keys()].sort()
      return { status: response.status, error, names }
    }
    const nothing = await answerOf(without)
    expect(nothing).toMatchObject({ status: 404, error: { code: 'unknown_url' } })
    const wrong = ['Bearer wrong', `bearer ${token}x`, token, `Bearer ${gateway.key}`]
    expect(await answerOf(gateway)).toEqual(nothing)
    for (const authorization of wrong)
      expect(await answerOf(gateway, { headers: { authorization } })).toEqual(nothing)
    const post = { method: 'POST', headers: bearer }
    expect(await answerOf(gateway, post)).toEqual(await answerOf(without, post))
  })

  test('shows none to anybody when there is no token', async () => {
    const without = await openTestGateway({ env: { CHAPAR_METRICS_PORT: '0' } })
    opened.push(without)
    expect((await fetch(metricsUrl(without), { headers: bearer })).status).toBe(404)
  })
})

describe('the configuration', () => {
  test('shows metrics nowhere unless told to', () => {
    expect(readConfig({}).metrics).toBeNull()
    expect(readConfig({ CHAPAR_METRICS_HOST: '0.0.0.0' }).metrics).toBeNull()
    expect(readConfig({ CHAPAR_METRICS_TOKEN: token }).metrics).toEqual({ listen: null, token })
    const own = { listen: { host: '127.0.0.1', port: 9464 }, token: null }
    expect(readConfig({ CHAPAR_METRICS_PORT: '9464' }).metrics).toEqual(own)
  })

  test.each([
    [{ CHAPAR_METRICS_TOKEN: 'short' }, 'CHAPAR_METRICS_TOKEN'],
    [{ CHAPAR_METRICS_PORT: 'x' }, 'CHAPAR_METRICS_PORT'],
  ])('refuses %j', (env, named) => expect(() => readConfig(env)).toThrow(named))
})

describe('an address of its own', () => {
  const listen = { host: '127.0.0.1', port: 0 }

  test('shows metrics and nothing else', async () => {
    const server = serveMetrics(
      openMetricsDoor(async () => openMetricRegistry(10).text(), null),
      listen,
    )
    opened.push(server)
    expect((await fetch(server.url)).status).toBe(200)
    expect((await fetch(`${server.url}/more`)).status).toBe(404)
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(404)
  })

  test('wants the token when there is one', async () => {
    const server = serveMetrics(
      openMetricsDoor(async () => openMetricRegistry(10).text(), token),
      listen,
    )
    opened.push(server)
    expect((await fetch(server.url)).status).toBe(404)
    expect((await fetch(server.url, { headers: bearer })).status).toBe(200)
  })
})
