import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from '../cli/terminal'
import { openBooks, type Books, type Checked } from './books'

/*
 * Exports as the dashboard writes them: columns are the members of results of the usage and costs
 * endpoints (API reference "Usage" and "Costs"; files published by users, 2025-10 and 2026-03).
 */

let terminal: Terminal
let books: Books
beforeEach(async () => {
  terminal = openTerminal()
  books = await openBooks(terminal, { name: 'openai', kind: 'openai', dialect: 'openai' })
})
afterEach(async () => {
  await books.close()
  terminal.close()
})

const seconds = (day: string) => Date.parse(day) / 1000
const frame = (day: string) => {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  return `${seconds(day)},${seconds(next)},${day}T00:00:00+00:00,${next}T00:00:00+00:00`
}

const usageHead =
  'start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,user_id,api_key_id,model,batch,service_tier,input_tokens,output_tokens,input_cached_tokens,input_uncached_tokens'
const used = (
  day: string,
  model: string,
  calls: number,
  [input, cached, output]: readonly [number, number, number],
) =>
  `${frame(day)},proj_1,${calls}.0,user-1,key_1,${model},FALSE,default,${input + cached}.0,${output}.0,${cached}.0,${input}.0`
const costHead =
  'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id,organization_id,organization_name'
const cost = (day: string, item: string, usd: string) =>
  `${frame(day)},${usd},usd,"${item}",,org-1,Personal`
const empty = (day: string) => `${frame(day)},,,,,,,,,,,`

const check = async (
  usage: readonly string[],
  costs: readonly string[],
  ...more: readonly string[]
) => {
  const files = [
    books.file('completions_usage.csv', [usageHead, ...usage].join('\n')),
    books.file('cost.csv', [costHead, ...costs].join('\n')),
  ]
  const ran = await terminal.run(
    ...'bill check --vendor openai --month 2026-10 --json'.split(' '),
    ...files.flatMap((file) => ['--file', file]),
    ...more,
  )
  return { code: ran.code, stderr: ran.stderr, ...ran.json<Checked>() }
}

/** Four calls of 1000 + 200 cached tokens in and 500 out: $0.031. */
const four = (day: string) => ({
  at: `${day}T10:00`,
  model: 'gpt-4o',
  input: 1000,
  cached: 200,
  output: 500,
  calls: 4,
})
const fourUsed = (day: string, model = 'gpt-4o-2024-08-06') =>
  used(day, model, 4, [4000, 800, 2000])
const fourCosts = (day: string, model = 'gpt-4o-2024-08-06') => [
  cost(day, `${model}, input`, '0.01'),
  cost(day, `${model}, cached input`, '0.001'),
  cost(day, `${model}, output`, '0.02'),
]

test('a bill that says what the records say is within tolerance, rounding and snapshots apart', async () => {
  await books.sell(four('2026-10-03'), four('2026-10-04'))
  const result = await check(
    [fourUsed('2026-10-03'), fourUsed('2026-10-04'), empty('2026-10-05')],
    [
      ...fourCosts('2026-10-03'),
      ...fourCosts('2026-10-04').slice(0, 2),
      cost('2026-10-04', 'gpt-4o-2024-08-06, output', '0.0201000000000001'),
    ],
  )
  expect(result).toMatchObject({ code: 0, within_tolerance: true, findings: [] })
  expect(result.total).toMatchObject({
    usd: '0.062000',
    billed_usd: '0.062100',
    difference_percent: '0.16',
  })
  const strict = await check(
    [fourUsed('2026-10-03'), fourUsed('2026-10-04')],
    [
      ...fourCosts('2026-10-03'),
      ...fourCosts('2026-10-04'),
      cost('2026-10-04', 'gpt-4o-2024-08-06, output', '0.0001'),
    ],
    '--tolerance',
    '0.1',
  )
  expect(strict).toMatchObject({ code: 1, within_tolerance: false })
})

test('calls that we have no record of are named, with what they cost', async () => {
  await books.sell(four('2026-10-03'), four('2026-10-04'))
  const result = await check(
    [used('2026-10-03', 'gpt-4o-2024-08-06', 5, [5000, 1000, 2500]), fourUsed('2026-10-04')],
    [
      cost('2026-10-03', 'gpt-4o-2024-08-06, input', '0.0125'),
      cost('2026-10-03', 'gpt-4o-2024-08-06, cached input', '0.00125'),
      cost('2026-10-03', 'gpt-4o-2024-08-06, output', '0.025'),
      ...fourCosts('2026-10-04'),
    ],
  )
  expect(result.code).toBe(1)
  expect(result.findings).toMatchObject([
    {
      kind: 'unknown_calls',
      model: 'gpt-4o',
      days: ['2026-10-03'],
      usd: '0.007750',
      calls: 1,
      units: { output: 500 },
    },
  ])
  expect(result.days.filter((day) => day.beyond_tolerance).map(({ day }) => day)).toEqual([
    '2026-10-03',
  ])
})

test('another price is told by the million, beside our cost card', async () => {
  await books.sell(four('2026-10-03'))
  const result = await check(
    [fourUsed('2026-10-03')],
    [
      ...fourCosts('2026-10-03').slice(0, 2),
      cost('2026-10-03', 'gpt-4o-2024-08-06, output', '0.03'),
    ],
  )
  expect(result.findings).toMatchObject([
    {
      kind: 'other_price',
      usd: '0.010000',
      calls: 0,
      units: {},
      prices: [{ unit: 'output', charged: '15', ours: '10' }],
    },
  ])
  expect(result.findings[0]?.message).toContain(
    '$15 for a million output tokens, $10 by our cost card',
  )
})

test('a price and calls that both differ are told apart, and add up', async () => {
  await books.sell(four('2026-10-03'))
  const result = await check(
    [used('2026-10-03', 'gpt-4o', 8, [8000, 1600, 4000])],
    [
      cost('2026-10-03', 'gpt-4o, input', '0.02'),
      cost('2026-10-03', 'gpt-4o, cached input', '0.002'),
      cost('2026-10-03', 'gpt-4o, output', '0.06'),
    ],
  )
  expect(result.findings).toMatchObject([
    { kind: 'unknown_calls', usd: '0.031000', calls: 4 },
    {
      kind: 'other_price',
      usd: '0.020000',
      prices: [{ unit: 'output', charged: '15', ours: '10' }],
    },
  ])
})

test('a cut call that was billed whole is named', async () => {
  const cut = { status: 'cancelled' as const, error: null }
  const [, , , , id] = await books.sell(four('2026-10-03'), {
    at: '2026-10-03T11:00',
    model: 'gpt-4o',
    input: 1000,
    output: 10,
    ended: cut,
  })
  const result = await check(
    [used('2026-10-03', 'gpt-4o-2024-08-06', 5, [5000, 800, 6000])],
    [
      cost('2026-10-03', 'gpt-4o-2024-08-06, input', '0.0125'),
      cost('2026-10-03', 'gpt-4o-2024-08-06, cached input', '0.001'),
      cost('2026-10-03', 'gpt-4o-2024-08-06, output', '0.06'),
    ],
  )
  expect(result.findings).toMatchObject([
    {
      kind: 'cut_billed',
      usd: '0.039900',
      calls: 0,
      units: { output: 3990 },
      requests: [{ id: id as string }],
    },
  ])
})

test('a failed call that nobody billed as far as we knew, and the vendor counts', async () => {
  const [, , , , id] = await books.sell(four('2026-10-03'), {
    at: '2026-10-03T11:00',
    model: 'gpt-4o',
    unanswered: true,
    ended: { status: 'error', error: 'upstream_unreachable' },
  })
  const result = await check(
    [used('2026-10-03', 'gpt-4o', 5, [5000, 800, 2500])],
    [
      cost('2026-10-03', 'gpt-4o, input', '0.0125'),
      cost('2026-10-03', 'gpt-4o, cached input', '0.001'),
      cost('2026-10-03', 'gpt-4o, output', '0.025'),
    ],
  )
  expect(result.findings).toMatchObject([
    {
      kind: 'failed_billed',
      usd: '0.007500',
      calls: 1,
      requests: [{ id: id as string, error: 'upstream_unreachable' }],
    },
  ])
})

test('a day that the bill lacks, a model never routed, one not billed, and charges of no model', async () => {
  await books.sell(four('2026-10-03'), four('2026-10-04'), {
    at: '2026-10-04T12:00',
    model: 'gpt-4o-mini',
    input: 100_000,
    output: 1000,
  })
  const result = await check(
    [fourUsed('2026-10-04'), used('2026-10-04', 'whisper-of-another', 2, [10, 0, 0])],
    [
      ...fourCosts('2026-10-04'),
      cost('2026-10-04', 'whisper-of-another, input', '0.5'),
      cost('2026-10-04', 'web search tool calls', '0.03'),
    ],
  )
  expect(result.findings.map(({ kind, model, usd, days }) => [kind, model, usd, ...days])).toEqual([
    ['not_routed', 'whisper-of-another', '0.500000', '2026-10-04'],
    ['missing_day', null, '-0.031000', '2026-10-03'],
    ['charges', null, '0.030000', '2026-10-04'],
    ['missing_model', 'gpt-4o-mini', '-0.015600', '2026-10-04'],
  ])
  const sum = result.findings.reduce((all, { usd }) => all + Number(usd), 0)
  expect(sum).toBeCloseTo(Number(result.total.billed_usd) - Number(result.total.usd), 9)
})

test('snapshots that both sides tell apart stay apart; one that only the bill tells does not', async () => {
  await books.sell(four('2026-10-03'))
  const { models } = await check(
    [fourUsed('2026-10-03', 'gpt-4o-2024-05-13')],
    fourCosts('2026-10-03', 'gpt-4o-2024-05-13'),
  )
  expect(models.map(({ model }) => model)).toEqual(['gpt-4o'])
})

test('calls without a known cost are told as such', async () => {
  await books.sell({ ...four('2026-10-03'), uncosted: true })
  const { findings } = await check([fourUsed('2026-10-03')], fourCosts('2026-10-03'))
  expect(findings).toMatchObject([{ kind: 'no_cost', model: 'gpt-4o', usd: '0.031000' }])
})

test('usage without costs is compared by calls and tokens', async () => {
  await books.sell(four('2026-10-03'))
  const usage = (row: string) => books.file('usage.csv', [usageHead, row].join('\n'))
  const line = 'bill check --vendor openai --month 2026-10 --file'.split(' ')
  expect((await terminal.run(...line, usage(fourUsed('2026-10-03')))).code).toBe(0)
  const other = await terminal.run(
    ...line,
    usage(used('2026-10-03', 'gpt-4o', 4, [4000, 800, 2500])),
  )
  expect(other.code).toBe(1)
  expect(other.stdout).toMatch(/^gpt-4o +4 +4 +6800 +7300 +0\.031000 +– +– +– ✗$/m)
  expect(other.stdout).toContain('500 more output tokens')
})

test('costs that are told for all models together are compared by the day', async () => {
  await books.sell(four('2026-10-03'), four('2026-10-04'))
  const costs = (usd: string) =>
    books.file(
      'cost.csv',
      [costHead, cost('2026-10-03', '', usd), cost('2026-10-04', '', '0.031')].join('\n'),
    )
  const line = 'bill check --vendor openai --month 2026-10 --file'.split(' ')
  expect(await terminal.run(...line, costs('0.031'))).toMatchObject({ code: 0 })
  const other = await terminal.run(...line, costs('0.05'))
  expect(other.code).toBe(1)
  expect(other.stdout).toContain('all models: the bill tells dollars of all models together')
  expect(other.stdout).toContain('on 2026-10-03')
})

test('people get a table, spreadsheets a row for each day and model', async () => {
  await books.sell(four('2026-10-03'), four('2026-10-04'))
  const file = books.file(
    'cost.csv',
    [costHead, ...fourCosts('2026-10-03'), ...fourCosts('2026-10-04', 'gpt-4o')].join('\n'),
  )
  const line = ['bill', 'check', '--vendor', 'openai', '--month', '2026-10', '--file', file]
  const { stdout } = await terminal.run(...line)
  expect(stdout).toMatch(/^MODEL +CALLS +BILLED +OUR COST +BILLED +DIFFERENCE +%$/m)
  expect(stdout).toMatch(/^gpt-4o +8 +– +0\.062000 +0\.062000 +0\.000000 +0\.00$/m)
  expect(stdout).toEndWith('✓ within 1 %\n')
  const csv = await terminal.run(...line, '--csv')
  expect(csv.stdout.trim().split('\n')).toEqual([
    'day,model,calls,billed_calls,usd,billed_usd,difference_usd,difference_percent,beyond_tolerance',
    '2026-10-03,gpt-4o,4,,0.031000,0.031000,0.000000,0.00,false',
    '2026-10-04,gpt-4o,4,,0.031000,0.031000,0.000000,0.00,false',
  ])
})
