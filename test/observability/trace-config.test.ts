import { describe, expect, test } from 'bun:test'
import { readTraceConfig } from '../../src/gateway/observability/trace-config'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const read = (env: Record<string, string>) => readTraceConfig({ ...endpoint, ...env })

describe('traces are off', () => {
  test.each([
    ['when no endpoint is named', {}],
    ['when the kit is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    ['when their exporter is none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ] as const)('%s', (_, env) => expect(readTraceConfig(env)).toBeNull())
})

describe('the endpoint', () => {
  test('of everything is a folder, the one of traces is taken as it is', () => {
    expect(read({})?.url).toBe('http://collector:4318/v1/traces')
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/otlp/' })?.url).toBe(
      'http://c/otlp/v1/traces',
    )
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' })?.url).toBe('http://t/x')
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'gRPC'],
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER'],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'SAMPLER_ARG'],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'OTEL_BSP_MAX_QUEUE_SIZE'],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 'OTEL_EXPORTER_OTLP_TIMEOUT'],
  ])('and what stands beside it is refused by name: %j', (env, named) =>
    expect(() => read(env)).toThrow(named),
  )

  test('is refused without telling the secrets beside it', () => {
    const secret = 'Bearer very-secret'
    expect(() => read({ OTEL_EXPORTER_OTLP_HEADERS: secret })).toThrow('OTEL_EXPORTER_OTLP_HEADERS')
    expect(() => read({ OTEL_EXPORTER_OTLP_HEADERS: secret })).not.toThrow('very-secret')
  })
})

test('headers of traces win over those of everything', () => {
  const headers = read({
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=2%3D',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=3',
  })?.headers
  expect(headers).toEqual({ a: '3', b: '2=' })
})

test.each([
  ['', '', { kind: 'always_on', parentBased: true }],
  ['always_off', '', { kind: 'always_off', parentBased: false }],
  ['parentbased_traceidratio', '0.25', { kind: 'traceidratio', parentBased: true, ratio: 0.25 }],
])('the sampler %p is known', (name, argument, expected) => {
  const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }
  expect(read(env)?.sampler).toMatchObject(expected)
})
