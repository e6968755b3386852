import { afterEach, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { openLog } from '../../src/gateway/observability/log'
import { loadTraces } from '../../src/gateway/observability/observing'
import { readTraceConfig } from '../../src/gateway/observability/trace-config'
import type { Traces } from '../../src/gateway/observability/traces'
import type { Storage } from '../../src/business/data/storage'
import { openCollector, type Collector, type TakenSpan } from '../support/collector'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import {
  failure,
  hang,
  inTurn,
  openaiStream,
  openStandIn,
  refusingUrl,
  replies,
  streamReply,
  type StandIn,
} from '../support/stand-in'
import { paced } from '../support/pace'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

interface Opened {
  readonly gateway: TestGateway
  readonly vendor: StandIn
  readonly traces: Traces
}

interface Options {
  readonly env?: Record<string, string>
  readonly prepare?: (storage: Storage, vendorUrl: string) => void
}

async function open(collectorUrl: string, { env = {}, prepare }: Options = {}): Promise<Opened> {
  const config = readTraceConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    OTEL_BSP_SCHEDULE_DELAY: '1',
    ...env,
  })
  if (config === null) throw new Error('no traces')
  const traces = await loadTraces(config, systemClock, openLog('silent'))
  const vendor = openStandIn()
  const gateway = await openTestGateway({
    vendorUrl: vendor.url,
    traces,
    prepare: async (storage) => prepare?.(storage, vendor.url),
  })
  opened.push(vendor, gateway)
  return { gateway, vendor, traces }
}

function collect(answer?: () => Response | Promise<Response>): Collector {
  const collector = openCollector(answer)
  opened.push(collector)
  return collector
}

const serverOf = (spans: readonly TakenSpan[]): TakenSpan => {
  const found = spans.find(({ kind }) => kind === 'server')
  if (found === undefined) throw new Error('no server span')
  return found
}
const clientsOf = (spans: readonly TakenSpan[]): readonly TakenSpan[] =>
  spans.filter(({ kind }) => kind === 'client').sort((a, b) => a.startMs - b.startMs)

const trace = '0af7651916cd43dd8448eb211c80319c'
const caller = 'b7ad6b7169203331'
const traceparent = `00-${trace}-${caller}-01`

test('nothing of OpenTelemetry is read where there is no collector', async () => {
  const source = `${import.meta.dir}/../../src`
  const count = `Object.keys(require.cache).filter((path) => path.includes('opentelemetry')).length`
  const script = `
    await import('${source}/cli/program')
    const before = ${count}
    await import('${source}/gateway/observability/otlp-traces')
    console.log(JSON.stringify({ before, found: ${count} > 0 }))`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual({ before: 0, found: true })
})

describe('a call', () => {
  test('is a span of ours below the client’s, and one of the vendor below it', async () => {
    const collector = collect()
    const { gateway } = await open(collector.url)
    const before = systemClock.now()
    const response = await gateway.post(ask('priced'), { traceparent })
    const { id } = (await response.json()) as { id: string }
    const spans = await collector.until(2)
    const server = serverOf(spans)
    expect(server).toMatchObject({
      traceId: trace,
      parent: caller,
      name: 'POST /v1/chat/completions',
      failed: false,
    })
    const { 'chapar.first_byte_seconds': firstByte, ...attributes } = server.attributes
    expect(firstByte).toBeNumber()
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'priced',
      'gen_ai.response.id': id,
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'http.response.status_code': 200,
      'chapar.vendor': 'standin',
      'chapar.status': 'success',
      'chapar.stream': false,
      'chapar.cost_usd': Number(response.headers.get('x-cost-usd')),
      'chapar.usage.input': 100,
      'chapar.usage.output': 50,
    })
    const [client, ...more] = clientsOf(spans)
    expect(more).toEqual([])
    expect(client).toMatchObject({
      traceId: trace,
      parent: server.spanId,
      name: 'chat vendor-model',
      failed: false,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'standin',
        'gen_ai.request.model': 'vendor-model',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 50,
        'chapar.vendor': 'standin',
      },
    })
    const times = [before, server.startMs, client?.startMs, client?.endMs, server.endMs]
    expect(times).toEqual(times.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
    expect(server.endMs).toBeLessThanOrEqual(systemClock.now())
  })

  test('begins a trace of its own when the client has none, or none that can be read', async () => {
    const collector = collect()
    const { gateway } = await open(collector.url)
    await gateway.post(ask('priced'))
    await gateway.post(ask('priced'), { traceparent: `00-${'0'.repeat(32)}-${caller}-01` })
    const servers = (await collector.until(4)).filter(({ kind }) => kind === 'server')
    expect(servers.map(({ parent }) => parent)).toEqual([null, null])
    expect(new Set(servers.map(({ traceId }) => traceId)).size).toBe(2)
  })

  test('whose first vendor fails has a span of each', async () => {
    const collector = collect()
    const { gateway, vendor } = await open(collector.url, {
      async prepare(storage, vendorUrl) {
        await addVendor(storage, 'spare', vendorUrl)
        await addModel(storage, 'two-ways', ['standin', 'spare'])
      },
    })
    vendor.play(inTurn(failure(503, { message: 'busy' }), replies()))
    await (await gateway.post(ask('two-ways', { stream: true }))).text()
    const spans = await collector.until(3)
    const [first, second] = clientsOf(spans)
    const code = first?.attributes['error.type']
    expect(first).toMatchObject({ failed: true, attributes: { 'chapar.vendor': 'standin' } })
    expect(String(code)).toMatch(/^(?:upstream_|model_temporarily)/)
    expect(second).toMatchObject({ failed: false, attributes: { 'chapar.vendor': 'spare' } })
    expect(first?.attributes['gen_ai.usage.output_tokens']).toBeUndefined()
    const firstChunk = Number(second?.attributes['gen_ai.response.time_to_first_chunk'])
    expect(firstChunk).toBeGreaterThanOrEqual(0)
    // In seconds, as the convention has it.
    expect(firstChunk).toBeLessThan(60)
    expect(serverOf(spans).failed).toBe(false)
    expect(serverOf(spans).attributes).toMatchObject({ 'chapar.stream': true })
  })

  test('that breaks while it streams, and one whose client leaves, say so', async () => {
    const collector = collect()
    const { gateway, vendor } = await open(collector.url)
    vendor.play(() => streamReply(openaiStream('one two three'), { cutAfter: 3, delayMs: 20 }))
    await (await gateway.post(ask('priced', { stream: true }))).text()
    const broken = await collector.until(2)
    for (const span of broken)
      expect(span).toMatchObject({
        failed: true,
        attributes: { 'error.type': 'stream_interrupted' },
      })
    expect(serverOf(broken).attributes).toMatchObject({ 'http.response.status_code': 200 })

    vendor.play(hang)
    const leaving = new AbortController()
    const gone = gateway.post(ask('priced'), {}, leaving.signal).catch(() => null)
    while (vendor.seen.length < 2) await Bun.sleep(1)
    leaving.abort()
    await gone
    const left = (await collector.until(4)).slice(2)
    expect(serverOf(left)).toMatchObject({ attributes: { 'chapar.status': 'cancelled' } })
    expect(left.map(({ failed }) => failed)).toEqual([false, false])
  })

  test('that is refused is a span with its code, but one without a key is none', async () => {
    const collector = collect()
    const { gateway } = await open(collector.url)
    await gateway.post(ask('priced'), { authorization: 'Bearer wrong' })
    await gateway.post(ask('nowhere'), { traceparent })
    const [span] = await collector.until(1)
    expect(span).toMatchObject({
      traceId: trace,
      kind: 'server',
      failed: false,
      attributes: { 'error.type': 'model_not_found', 'http.response.status_code': 404 },
    })
    expect(span?.attributes['gen_ai.request.model']).toBeUndefined()
    await gateway.post(ask('priced'))
    expect(await collector.until(3)).toHaveLength(3)
  })

  test('never tells what was said, by which key, or from where', async () => {
    const collector = collect()
    const { gateway, vendor, traces } = await open(collector.url)
    const [said, answered] = ['unmistakable-question', 'unmistakable-answer']
    const body = { model: 'priced', user: said, messages: [{ role: 'user', content: said }] }
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      baggage: `user=${said}`,
      traceparent,
      tracestate: `x=${said}`,
    }
    vendor.play(replies(answered))
    await (await gateway.post(body, headers)).text()
    await (await gateway.post({ ...body, stream: true }, headers)).text()
    vendor.play(failure(400, { message: `${said} is not allowed for sk-vendor-secret` }))
    await (await gateway.post(body, headers)).text()
    await gateway.post({ ...body, model: said }, headers)
    await collector.until(7)
    await traces.close()
    const text = collector.texts.join('\n')
    expect(text).toContain('upstream_rejected')
    const hidden = [
      said,
      answered,
      gateway.key.slice(0, 18),
      'sk-vendor',
      '203.0.113.7',
      '127.0.0.1',
    ]
    expect(hidden.filter((each) => text.includes(each))).toEqual([])
    expect(vendor.seen.every((each) => each.headers.get('traceparent') === null)).toBe(true)
  })
})

describe('the collector', () => {
  test('is told who speaks, and gets the headers it wants', async () => {
    const collector = collect()
    const { gateway } = await open(collector.url, {
      env: {
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b,x-key=1',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
        OTEL_SERVICE_NAME: 'gate',
      },
    })
    await gateway.post(ask('priced'))
    await collector.until(2)
    const [request] = collector.requests
    expect(new URL(request?.url ?? '').pathname).toBe('/v1/traces')
    expect(request?.headers.get('x-team')).toBe('a b')
    expect(request?.headers.get('x-key')).toBe('1')
    expect(collector.resource).toMatchObject({
      'service.name': 'gate',
      'deployment.environment.name': 'test',
      'telemetry.sdk.name': 'opentelemetry',
    })
    expect(String(collector.resource['service.version'])).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('is sent a share, and what the client’s trace decided', async () => {
    const collector = collect()
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
    const { gateway } = await open(collector.url, { env })
    await gateway.post(ask('priced'))
    await gateway.post(ask('priced'), { traceparent: `00-${trace}-${caller}-00` })
    await gateway.post(ask('priced'), { traceparent })
    const spans = await collector.until(2)
    expect(spans.map(({ traceId }) => traceId)).toEqual([trace, trace])
  })

  test('gets what waits when the gateway ends', async () => {
    const collector = collect()
    const { gateway, traces } = await open(collector.url, {
      env: { OTEL_BSP_SCHEDULE_DELAY: '100000' },
    })
    await gateway.post(ask('priced'))
    await gateway.rest()
    expect(collector.spans).toEqual([])
    await traces.close()
    expect(collector.spans).toHaveLength(2)
    expect(traces.counts()).toEqual({ exported: 2, failed: 0, dropped: 0 })
  })

  test('that is not there delays and fails no call, and keeps nothing from ending', async () => {
    const url = (await refusingUrl()).replace('/v1', '')
    const { gateway, traces } = await open(url, { env: { OTEL_EXPORTER_OTLP_TIMEOUT: '50' } })
    for (let calls = 0; calls < 20; calls++)
      expect((await gateway.post(ask('priced'))).status).toBe(200)
    while (traces.counts().failed === 0) await Bun.sleep(5)
    expect(traces.counts()).toMatchObject({ exported: 0 })
    expect(traces.counts().failed).toBeGreaterThan(0)
    const began = performance.now()
    await traces.close()
    // What is still to be sent waits for seconds, not for the collector's own limit.
    expect(performance.now() - began).toBeLessThan(paced(45_000))
    expect((await gateway.rest()).held).toBe(0)
  })

  test('that never answers fills a queue that has an end, and what is lost is counted', async () => {
    const collector = collect(() => new Promise<Response>(() => {}))
    const { gateway, traces } = await open(collector.url, {
      env: { OTEL_BSP_MAX_QUEUE_SIZE: '4', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' },
    })
    for (let calls = 0; calls < 20; calls++)
      expect((await gateway.post(ask('priced'))).status).toBe(200)
    await gateway.rest()
    const { exported, failed, dropped } = traces.counts()
    expect({ exported, failed }).toEqual({ exported: 0, failed: 0 })
    // Four are on their way, four wait.
    expect(dropped).toBeGreaterThanOrEqual(40 - 8)
    expect(dropped).toBeLessThan(40)
    const began = performance.now()
    await traces.close()
    // What is still to be sent waits for seconds, not for the collector's own limit.
    expect(performance.now() - began).toBeLessThan(paced(45_000))
  })
})
