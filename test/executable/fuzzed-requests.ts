import type { TSchema } from '@sinclair/typebox'
import { modelsAt, textModels, validBodies } from '../api/valid-bodies'
import { allRoutes } from '../support/all-routes'
import { hostile, placesIn, withAt, type Json } from '../support/mutations'

/** Who sends a request: each part of the program is opened by something else. */
export type Sender = 'customer' | 'operator' | 'visitor' | 'staff' | 'stranger'

export interface FuzzedRequest {
  readonly sender: Sender
  readonly method: string
  /** Below the origin. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

/** Operations that are not asked for, by why. */
const leftOut: Readonly<Record<string, string>> = {
  'health.backup': 'writes a file of the whole database each time',
  'health.audit': 'reads everything each time',
  'health.doctor': 'asks vendors',
}

interface Route {
  readonly sender: Sender
  readonly method: string
  readonly path: string
  /** Bodies that are right, or nearly. */
  readonly bodies: readonly Json[]
}

type Random = () => number

const senders = {
  api: 'customer',
  admin: 'operator',
  'operator console': 'staff',
  console: 'visitor',
} as const satisfies Record<string, Sender>

/** Addresses that stand in no table, and some that are nowhere. */
const others = [
  ['GET', '/'],
  ['GET', '/app'],
  ['GET', '/app/{}'],
  ['GET', '/app/assets/{}'],
  ['GET', '/docs'],
  ['GET', '/admin/v1/openapi.json'],
  ['GET', '/metrics'],
  ['POST', '/pay/{}/{}'],
  ['GET', '/pay/{}/{}'],
  ['POST', '/webhooks/{}'],
  ['GET', '/{}'],
  ['POST', '/v1/{}'],
] as const

const routes: readonly Route[] = [
  ...allRoutes
    .filter(({ operation }) => operation === null || leftOut[operation] === undefined)
    .map(({ door, method, path, schema }) => ({
      sender: senders[door],
      method,
      path,
      bodies: door === 'api' ? bodiesAt(path) : [schema === null ? {} : valueOf(schema), {}],
    })),
  ...others.map(([method, path]) => ({ sender: 'stranger' as const, method, path, bodies: [{}] })),
]

function bodiesAt(path: string): readonly Json[] {
  const found = validBodies.filter((each) => `/v1${each.path}` === path)
  return found.flatMap((each) =>
    (modelsAt[each.path] ?? textModels.filter((model) => model.startsWith('sandbox/'))).map(
      (model) => ({ model, ...each.body }),
    ),
  )
}

/** A value that fits a schema, or nearly. */
function valueOf(schema: TSchema | undefined): Json {
  if (schema === undefined) return {}
  const {
    type,
    anyOf,
    const: only,
    properties,
    items,
    minimum = 1,
  } = schema as {
    readonly type?: string
    readonly anyOf?: readonly TSchema[]
    readonly const?: Json
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
    readonly minimum?: number
  }
  if (only !== undefined) return only
  if (anyOf !== undefined) return valueOf(anyOf[0])
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, each]) => [name, valueOf(each)]),
    )
  if (type === 'array') return [valueOf(items)]
  if (type === 'number' || type === 'integer') return minimum
  return type === 'boolean' ? true : '1'
}

/** Ids of nothing that the campaign needs: what is ended, closed or taken is never its own. */
const parts = ['x', '0', '-1', '999999', '1e9', '%', '%ff', '%00', '..%2f', 'a'.repeat(3000), '۱۲']
/** For reading, those too that are there. */
const readParts = [...parts, '1', '2', 'sandbox', 'sandbox%2Fecho', 'main']
const queries = [
  '',
  '?',
  '?limit=1e9',
  '?limit=-1&after=x',
  '?after=%ff',
  '?a[b]=1&a=2',
  '?from=9999-99-99&to=1',
  `?q=${'x'.repeat(2000)}`,
]
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '',
]
const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-dry-run': '1' },
  { 'accept-language': 'fa;q=nan, *;q=9' },
  { authorization: 'Bearer' },
  { authorization: `Bearer ${'x'.repeat(4000)}` },
  { 'x-api-key': '\u00ff' },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'x-forwarded-for': '1.2.3.4, ::, x' },
  { range: 'bytes=9-1,x' },
  { 'anthropic-version': '0', 'anthropic-beta': ',,' },
  { cookie: 'chapar=%; chapar-browser=\u00e9; =' },
  { expect: 'x', te: 'trailers' },
]

/** Makes requests, the same for the same numbers. */
export function openFuzzer(random: Random): () => FuzzedRequest {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const mutated = (body: Json): Json => {
    let value = body
    for (let times = Math.floor(random() * 3); times > 0; times--) {
      const places = placesIn(value)
      if (places.length > 0) value = withAt(value, pick(places), pick(hostile))
    }
    return value
  }
  return () => {
    const route = pick(routes)
    const reads = route.method === 'GET'
    const path = route.path.replaceAll('{}', () => pick(reads ? readParts : parts))
    const type = random() < 0.8 ? 'application/json' : pick(types)
    return {
      sender: random() < 0.9 ? route.sender : 'stranger',
      method: random() < 0.97 ? route.method : pick(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']),
      path: path + (random() < 0.7 ? '' : pick(queries)),
      headers: {
        ...(random() < 0.8 ? {} : pick(oddHeaders)),
        ...(reads || type === '' ? {} : { 'content-type': type }),
      },
      body: reads ? null : written(mutated(pick([...route.bodies, {}])), random),
    }
  }
}

/** A body as it is sent: some are cut, broken, or no text at all. */
function written(value: Json, random: Random): string | Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(value)
  const way = random()
  if (way < 0.8) return text
  if (way < 0.85) return text.slice(0, Math.floor(text.length * random()))
  if (way < 0.88) return `${'['.repeat(5000)}${text}`
  if (way < 0.91) return text.replace('{', '{"model":"a","model":1e999,')
  if (way < 0.94) return `--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n${text}\r\n--x`
  return Uint8Array.from({ length: 200 }, () => Math.floor(random() * 256))
}
