import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { openTerminal, type Terminal } from '../cli/terminal'
import { openBooks, type Books, type Checked } from './books'

/** A report API on loopback: pages by path, asked for with one key. */
type Pages = Readonly<Record<string, (search: URLSearchParams, asked: number) => Response>>

let terminal: Terminal
let books: Books
let server: ReturnType<typeof Bun.serve> | null = null
const asked: string[] = []
beforeEach(() => {
  terminal = openTerminal()
  asked.length = 0
})
afterEach(async () => {
  await books.close()
  terminal.close()
  await server?.stop(true)
})

const adminKey = 'sk-admin-0123456789'

async function open(
  dialect: string,
  header: (headers: Headers) => string | null,
  pages: Pages,
): Promise<void> {
  const counts = new Map<string, number>()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const path = pathname.replace(/^\/v1/, '')
      asked.push(`${path}?${searchParams.toString()}`)
      if (header(request.headers) !== adminKey)
        return Response.json({ error: { message: `Incorrect key ${adminKey}` } }, { status: 401 })
      const count = (counts.get(path) ?? 0) + 1
      counts.set(path, count)
      return pages[path]?.(searchParams, count) ?? Response.json({ data: [], has_more: false })
    },
  })
  const kind = dialect === 'anthropic' ? 'anthropic' : 'openai'
  const baseUrl = `http://127.0.0.1:${server.port}/v1`
  books = await openBooks(terminal, { name: 'v', kind, dialect, baseUrl })
}

const bearer = (headers: Headers) => headers.get('authorization')?.replace('Bearer ', '') ?? null

/** Runs with a key on standard input. */
async function fetched(month = '2026-10', key = adminKey) {
  const input = spyOn(Bun.stdin, 'text').mockResolvedValue(`${key}\n`)
  const sleep = spyOn(Bun, 'sleep').mockResolvedValue()
  try {
    const line = `bill check --vendor v --month ${month} --fetch --key-stdin --json`
    const ran = await terminal.run(...line.split(' '))
    return { ...ran, waits: sleep.mock.calls.map(([ms]) => ms) }
  } finally {
    input.mockRestore()
    sleep.mockRestore()
  }
}

/** The reference's example, with a month's days on two pages. */
const openaiBucket = (day: string, results: readonly object[]) => {
  const start = Date.parse(day) / 1000
  return { object: 'bucket', start_time: start, end_time: start + 86_400, results }
}
const openaiPage = (data: readonly object[], next: string | null = null) =>
  Response.json({ object: 'page', data, has_more: next !== null, next_page: next })
const completions = (model: string, calls: number) => ({
  object: 'organization.usage.completions.result',
  input_tokens: 1200 * calls,
  output_tokens: 500 * calls,
  input_cached_tokens: 200 * calls,
  num_model_requests: calls,
  project_id: null,
  model,
  batch: null,
})
const costs = (lineItem: string, value: number | string) => ({
  object: 'organization.costs.result',
  amount: { value, currency: 'usd' },
  line_item: lineItem,
  project_id: null,
})
const openaiPages: Pages = {
  '/organization/usage/completions': (search) =>
    search.get('page') === null
      ? openaiPage([openaiBucket('2026-10-03', [completions('gpt-4o-2024-08-06', 4)])], 'AAA=')
      : openaiPage([openaiBucket('2026-10-04', [completions('gpt-4o-2024-08-06', 4)])]),
  '/organization/costs': () =>
    openaiPage(
      ['2026-10-03', '2026-10-04'].map((day) =>
        openaiBucket(day, [
          costs('gpt-4o-2024-08-06, input', 0.01),
          costs('gpt-4o-2024-08-06, cached input', '0.0010000000000000'),
          costs('gpt-4o-2024-08-06, output', 2e-2),
        ]),
      ),
    ),
}
const sellFour = (day: string) =>
  books.sell({
    at: `${day}T10:00`,
    model: 'gpt-4o',
    input: 1000,
    cached: 200,
    output: 500,
    calls: 4,
  })

test('OpenAI: usage and costs, page after page, by days and models', async () => {
  await open('openai', bearer, openaiPages)
  await sellFour('2026-10-03')
  await sellFour('2026-10-04')
  const ran = await fetched()
  expect(ran.json<Checked>()).toMatchObject({ within_tolerance: true, findings: [] })
  expect(ran.json<Checked>().total).toMatchObject({
    usd: '0.062000',
    billed_usd: '0.062000',
    billed_calls: 8,
  })
  const [from, to] = ['2026-10-01', '2026-11-01'].map((day) => Date.parse(day) / 1000)
  const span = `start_time=${from}&end_time=${to}&bucket_width=1d&limit=31`
  expect(asked.slice(0, 2)).toEqual([
    `/organization/usage/completions?${span}&group_by%5B%5D=model`,
    `/organization/usage/completions?${span}&group_by%5B%5D=model&page=AAA%3D`,
  ])
  expect(asked.at(-1)).toBe(`/organization/costs?${span}&group_by%5B%5D=line_item`)
})

test('Anthropic: tokens without calls, costs in cents', async () => {
  const bucket = (results: readonly object[]) => ({
    starting_at: '2026-10-03T00:00:00Z',
    ending_at: '2026-10-04T00:00:00Z',
    results,
  })
  const cost = (tokenType: string | null, amount: string, more: object = {}) => ({
    currency: 'USD',
    amount,
    workspace_id: null,
    description: 'Claude Sonnet 4.5 Usage',
    cost_type: 'tokens',
    context_window: '0-200k',
    model: 'claude-sonnet-4-5-20250929',
    service_tier: 'standard',
    token_type: tokenType,
    ...more,
  })
  await open('anthropic', (headers) => headers.get('x-api-key'), {
    '/organizations/usage_report/messages': () =>
      Response.json({
        data: [
          bucket([
            {
              uncached_input_tokens: 1000,
              cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
              cache_read_input_tokens: 0,
              output_tokens: 500,
              server_tool_use: { web_search_requests: 0 },
              model: 'claude-sonnet-4-5-20250929',
            },
          ]),
        ],
        has_more: false,
        next_page: null,
      }),
    '/organizations/cost_report': (search) =>
      search.get('page') === null
        ? Response.json({
            data: [bucket([cost('uncached_input_tokens', '0.3')])],
            has_more: true,
            next_page: 'page_2',
          })
        : Response.json({
            data: [
              bucket([
                cost('output_tokens', '1.5'),
                cost(null, '2', {
                  model: null,
                  cost_type: 'web_search',
                  description: 'Web Search Usage',
                }),
              ]),
            ],
            has_more: false,
            next_page: null,
          }),
  })
  await books.sell({ at: '2026-10-03T10:00', model: 'claude-sonnet-4-5', input: 1000, output: 250 })
  const { findings, total } = (await fetched()).json<Checked>()
  expect(total).toMatchObject({ usd: '0.006750', billed_usd: '0.038000' })
  expect(findings).toMatchObject([
    { kind: 'charges', charge: 'Web Search Usage', usd: '0.020000' },
    { kind: 'other_price', usd: '0.007500' },
    { kind: 'other_units', model: 'claude-sonnet-4-5', usd: '0.003750', units: { output: 250 } },
  ])
})

test('OpenRouter: the last thirty days, and those only', async () => {
  const now = Date.now()
  const day = new Date(now - 5 * 86_400_000).toISOString().slice(0, 10)
  await open('openrouter', bearer, {
    '/activity': () =>
      Response.json({
        data: [
          {
            date: day,
            model: 'openai/gpt-4o',
            model_permaslug: 'openai/gpt-4o-2024-08-06',
            endpoint_id: 'e',
            provider_name: 'OpenAI',
            usage: 0.0035,
            byok_usage_inference: 0,
            requests: 1,
            prompt_tokens: 1000,
            completion_tokens: 100,
            reasoning_tokens: 0,
          },
        ],
      }),
  })
  await books.sell({ at: `${day}T10:00`, model: 'openai/gpt-4o', input: 1000, output: 100 })
  const ran = await fetched(day.slice(0, 7))
  expect(ran.json<Checked>()).toMatchObject({ within_tolerance: true, findings: [] })
  const earlier = await fetched('2026-01')
  expect(earlier.code).toBe(1)
  expect(earlier.stdout).toContain('OpenRouter tells the last 30 days only')
})

test('what passes is asked again, as long as the vendor says', async () => {
  await open('openai', bearer, {
    ...openaiPages,
    '/organization/costs': (search, count) =>
      count === 1
        ? new Response('slow down', { status: 429, headers: { 'retry-after': '7' } })
        : count === 2
          ? new Response('oops', { status: 503 })
          : (openaiPages['/organization/costs']?.(search, count) ?? new Response()),
  })
  await sellFour('2026-10-03')
  await sellFour('2026-10-04')
  const ran = await fetched()
  expect(ran.json<Checked>().within_tolerance).toBe(true)
  expect(ran.waits).toEqual([7000, 4000])
})

const bad: Readonly<Record<string, () => Response>> = {
  'is asked too often (429): try again in a few minutes': () =>
    new Response('', { status: 429, headers: { 'retry-after': '3600' } }),
  'answered 500: it has a fault of its own': () => new Response('', { status: 500 }),
  'answered 404: is its address right?': () => new Response('', { status: 404 }),
  'answered 302': () =>
    new Response('', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
  'it is not JSON': () => new Response('<html>'),
  'there is no list of data in it': () => Response.json({ object: 'page' }),
  'a bucket has no time or no results': () => Response.json({ data: [{ results: [] }] }),
  'its pages never end': () => openaiPage([], 'again'),
  'a page names no next one': () => Response.json({ data: [], has_more: true }),
  'its answer is larger than 64 MB': () => new Response('x'.repeat(65 * 2 ** 20)),
}
test.each(Object.entries(bad))('an answer is refused: %s', async (message, answer) => {
  await open('openai', bearer, { '/organization/usage/completions': answer })
  const ran = await fetched()
  expect(ran.code).toBe(1)
  expect(ran.json<{ error: { message: string } }>().error.message).toContain(message)
})

test('an amount that is none, and another currency, are refused', async () => {
  for (const [result, message] of [
    [costs('gpt-4o, input', 'many'), 'tells an amount that is none: many'],
    [{ amount: { value: 1, currency: 'eur' } }, 'the bill is in eur'],
  ] as const) {
    await open('openai', bearer, {
      '/organization/costs': () => openaiPage([openaiBucket('2026-10-03', [result])]),
    })
    expect((await fetched()).stdout).toContain(message)
    await books.close()
    await server?.stop(true)
  }
  await open('openai', bearer, {})
})

test('a key that is no admin key is told where to make one, and stands nowhere', async () => {
  await open('openai', bearer, openaiPages)
  const ran = await fetched('2026-10', 'sk-proj-of-a-project-0123')
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('OpenAI refuses this key (401): it wants an admin key')
  expect(ran.stdout).toContain('https://platform.openai.com/settings/organization/admin-keys')
  expect((await fetched()).code).toBe(1)
  const seen = terminal.printed.join('')
  expect(seen).not.toContain(adminKey)
  expect(seen).not.toContain('sk-proj-of')
  expect(JSON.stringify(await books.storage.catalogue.vendors())).not.toContain(adminKey)
})

test('no key goes out by http to another machine, and vendors without a report say so', async () => {
  await open('openai', bearer, {})
  await books.storage.catalogue.saveVendor({
    name: 'v',
    kind: 'openai',
    dialect: 'openai',
    baseUrl: 'http://api.example/v1',
    credential: null,
    timeoutMs: 1000,
    transport: 'own',
    active: true,
    source: 'command',
  })
  expect((await fetched()).stdout).toContain(
    'cannot be asked at http://api.example/v1: its address is not https',
  )
  await books.close()
  books = await openBooks(terminal, { name: 'v', kind: 'openai', dialect: 'plain' })
  expect((await fetched()).stdout).toContain('v (plain) tells no bill by its API')
  expect((await fetched('2026-10', '')).stdout).toContain('standard input is empty')
})
