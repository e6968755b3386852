import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openCollector } from '../support/collector'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { readExposition } from '../support/exposition'
import { ask } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendor: StandIn
let data: string
let key: string

beforeAll(async () => {
  vendor = openStandIn()
  data = join(temporaryFolder(), 'data')
  key = await setUp(data, vendor.url)
})
afterAll(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

const post = async ({ url }: Serving): Promise<number> => {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(ask('priced')),
  })
  await response.text()
  return response.status
}

test('metrics are at an address of their own, which the ready file names', async () => {
  const serving = await serve(['--data', data, '--metrics-port', '0'])
  expect(await post(serving)).toBe(200)
  const shown = readExposition(await (await fetch(serving.metricsUrl ?? '')).text())
  expect(shown.value('chapar_calls_total', { model: 'priced', status: 'success' })).toBe(1)
  expect(shown.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(shown.value('process_start_time_seconds')).toBeGreaterThan(Date.now() / 1000 - 60)
  expect(shown.value('process_start_time_seconds')).toBeLessThanOrEqual(Date.now() / 1000)
  const build = shown.families.get('chapar_build_info')?.samples[0]?.labels
  expect(build?.['version']).toMatch(/^\d+\./)
  expect(build?.['commit']).toMatch(/^(?:source|unknown|[\da-f]{12}(?:\+changes)?)$/)
  expect((await run(['--version'])).stdout).toContain(
    build?.['commit'] === 'source' ? 'from source' : (build?.['commit'] ?? ''),
  )
  expect((await fetch(serving.url.replace('/v1', '/metrics'))).status).toBe(404)
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  expect(await fetch(serving.metricsUrl ?? '').catch(() => null)).toBeNull()
})

test('a metrics port that is taken is told, and nothing is served', async () => {
  const taken = new URL(vendor.url).port
  const told = await serve(['--data', data, '--metrics-port', taken]).catch(String)
  expect(told).toContain('is not ready')
  expect(told).toContain(taken)
})

test('traces go to the collector, packed as it wants them, the last ones at the end', async () => {
  const collector = openCollector()
  const serving = await serve(['--data', data], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_BSP_SCHEDULE_DELAY: '100000',
  })
  expect(await post(serving)).toBe(200)
  const began = performance.now()
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  // It waits neither for the schedule nor for anybody else.
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(collector.spans.map(({ kind }) => kind).sort()).toEqual(['client', 'server'])
  expect(collector.requests[0]?.headers.get('content-encoding')).toBe('gzip')
  await collector.close()
})

test('a collector that never answers keeps the program from ending for seconds only', async () => {
  const collector = openCollector(() => new Promise<Response>(() => {}))
  const serving = await serve(['--data', data], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '300000',
  })
  expect(await post(serving)).toBe(200)
  const began = performance.now()
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  expect(performance.now() - began).toBeLessThan(60_000)
  await collector.close()
})

test('an ephemeral gateway reaches no collector', async () => {
  const collector = openCollector()
  const serving = await serve(['--ephemeral'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '1',
  })
  const { status } = await fetch(`${serving.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${serving.key ?? ''}` },
    body: JSON.stringify(ask('sandbox/echo')),
  })
  expect(status).toBe(200)
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  expect(collector.requests).toEqual([])
  await collector.close()
})
