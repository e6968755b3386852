import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from '../cli/terminal'
import { openBooks, type Books, type Checked } from './books'

let terminal: Terminal
let books: Books
beforeEach(() => void (terminal = openTerminal()))
afterEach(async () => {
  await books.close()
  terminal.close()
})

const check = async (text: string, ...more: readonly string[]) => {
  const file = books.file('export.csv', text)
  const ran = await terminal.run(
    ...'bill check --vendor v --month 2026-10 --json --file'.split(' '),
    file,
    ...more,
  )
  return { code: ran.code, ...ran.json<Checked & { zone: string; sources: readonly string[] }>() }
}
const kinds = ({ findings }: Checked) => findings.map(({ kind, model, usd }) => [kind, model, usd])

test('Anthropic’s console exports: tokens by snapshot, costs by names for people, to the cent', async () => {
  books = await openBooks(terminal, { name: 'v', kind: 'anthropic', dialect: 'anthropic' })
  await books.sell({
    at: '2026-10-03T10:00',
    model: 'claude-sonnet-4-5',
    input: 400_000,
    cached: 100_000,
    output: 50_250,
  })
  // Columns of claude_api_tokens_*.csv and claude_api_cost_*.csv (published by users, 2026-03 to 2026-08).
  const tokens = (input: number) =>
    [
      'usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed',
      `2026-10-03 10:00,claude-sonnet-4-5-20250929,key,Default,standard,≤ 200k,${input},0,0,60000,30250,0,not_available,`,
      '2026-10-03 11:00,claude-sonnet-4-5-20250929,key,Default,standard,≤ 200k,100000,0,0,40000,20000,0,not_available,',
    ].join('\n')
  const costs = (output: string) =>
    [
      'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed,api_key_id,api_key_status',
      '2026-10-03,Claude Sonnet 4.5,Default,key,message,≤ 200k,input_no_cache,1.20,1.20,token,global,,apikey_1,active',
      '2026-10-03,Claude Sonnet 4.5,Default,key,message,≤ 200k,input_cache_read,0.03,0.03,token,global,,apikey_1,active',
      `2026-10-03,Claude Sonnet 4.5,Default,key,message,≤ 200k,output,${output},0.75,token,global,,apikey_1,active`,
    ].join('\n')
  const second = (text: string) => ['--file', books.file('tokens.csv', text)]
  // 1.98375 of ours: 0.0004 less by cents, which rounding explains even where nothing is tolerated.
  expect(await check(costs('0.75'), ...second(tokens(300_000)), '--tolerance', '0')).toMatchObject({
    code: 0,
  })
  const other = await check(costs('0.95'), ...second(tokens(300_000)))
  expect(other.findings).toMatchObject([
    { kind: 'other_price', model: 'claude-sonnet-4-5', prices: [{ unit: 'output', ours: '15' }] },
  ])
  const counted = await check(
    costs('0.75').replace('1.20,1.20', '1.50,1.50'),
    ...second(tokens(400_000)),
  )
  expect(counted.findings).toMatchObject([{ kind: 'other_units', units: { input: 100_000 } }])
  expect(counted.total).toMatchObject({ calls: 1, billed_calls: null })
})

test('OpenRouter’s exports: single generations, and days', async () => {
  books = await openBooks(terminal, { name: 'v', kind: 'openai', dialect: 'openrouter' })
  await books.sell({
    at: '2026-10-03T10:00',
    model: 'openai/gpt-4o',
    input: 800,
    cached: 200,
    output: 100,
    calls: 2,
  })
  // Columns of the activity page's exports (published by users, 2026-05 and 2026-09).
  const head =
    'generation_id,created_at,cost_total,cost_web_search,cost_cache,cost_file_processing,byok_usage_inference,tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,provider_name,variant,cancelled,streamed,user,finish_reason_raw,finish_reason_normalized'
  const generation = (id: number, usd: string) =>
    `gen-${id},2026-10-03 10:00:0${id}.713,${usd},0,-0.0002,0,0,1000,100,0,200,openai/gpt-4o-2024-08-06,OpenAI,standard,false,true,,stop,stop`
  const good = [head, generation(1, '0.00325'), generation(2, '0.00325')]
  expect(await check(good.join('\r\n'))).toMatchObject({ code: 0, findings: [] })
  const more = await check([...good, generation(3, '3.25e-3')].join('\n'))
  expect(more.findings).toMatchObject([{ kind: 'unknown_calls', calls: 1, usd: '0.003250' }])
  const days = (usd: string) =>
    `Date,Slug,Usage,BYOK Usage,Requests,Prompt Tokens,Completion Tokens,Reasoning Tokens\n"2026-10-03 00:00:00","openai/gpt-4o","${usd}","0","2","2000","200","0"\n`
  expect(await check(days('0.0065'))).toMatchObject({
    code: 0,
    sources: ['OpenRouter activity export by day export.csv'],
  })
  // Its days do not tell the cached part: what is dearer is told of all tokens together.
  const { findings } = await check(days('0.013'))
  expect(findings).toMatchObject([
    {
      kind: 'other_price',
      usd: '0.006500',
      prices: [{ unit: null, charged: '5.90909', ours: '2.95455' }],
    },
  ])
})

test('Google’s cost table: Pacific days, SKUs, other services, totals at its end', async () => {
  books = await openBooks(terminal, { name: 'v', kind: 'google', dialect: 'google' })
  // 02:00 UTC is the evening before in California, and 2026-11-01 at 03:00 still October there.
  await books.sell(
    { at: '2026-10-03T02:00', model: 'gemini-2.5-flash', input: 100_000, output: 20_000 },
    { at: '2026-11-01T03:00', model: 'gemini-2.5-flash', input: 100_000, output: 20_000 },
    { at: '2026-10-01T03:00', model: 'gemini-2.5-flash', input: 900_000, output: 20_000 },
  )
  const head =
    'Date,Service description,Service ID,SKU description,SKU ID,Usage amount,Usage unit,List cost ($),Negotiated savings ($),Savings programmes ($),Other savings ($),Unrounded subtotal ($),Subtotal ($)'
  const line = (day: string, sku: string, amount: string, usd: string, service = 'Gemini API') =>
    `${day},${service},AEFD-7695,${sku},2156-A528,"${amount}",count,0,0,0,0,${usd},${Number(usd).toFixed(2)}`
  const of = (day: string) => [
    line(
      day,
      'Generate content input token count gemini 2.5 flash short input text',
      '100,000',
      '0.030000',
    ),
    line(
      day,
      'Generate content output token count gemini 2.5 flash short output text',
      '20,000',
      '0.050000',
    ),
  ]
  const rows = [
    head,
    ...of('2026-10-02'),
    ...of('2026-10-31'),
    line('2026-10-31', 'N2 Instance Core', '5', '12.5', 'Compute Engine'),
  ]
  const totals = [',,,,,,,,,Subtotal,12.66,12.66', ',,,,,,,,,Tax,0.00,0.00']
  const result = await check([...rows, ...totals].join('\n'))
  expect(result).toMatchObject({ code: 0, zone: 'America/Los_Angeles', findings: [] })
  expect(result.total).toMatchObject({ usd: '0.160000', billed_usd: '0.160000' })
  expect(result.notes).toContain('1 lines of other Google services ($12.50) were left out')
  const search = line('2026-10-02', 'Grounding with Google Search', '3', '0.105')
  expect(kinds(await check([...rows, search].join('\n')))).toEqual([['charges', null, '0.105000']])
  const euro = await terminal.run(
    ...'bill check --vendor v --month 2026-10 --file'.split(' '),
    books.file('euro.csv', [head.replaceAll('$', '€'), ...of('2026-10-02')].join('\n')),
  )
  expect(euro).toMatchObject({ code: 1, stdout: '' })
  expect(euro.stderr).toContain('the bill is in €')
})

test('a CSV of any vendor: by usual names, by named columns, with semicolons and commas', async () => {
  books = await openBooks(terminal, { name: 'v', kind: 'openai', dialect: 'plain' })
  await books.storage.catalogue.saveModel(
    {
      id: 'acme/acme-large',
      type: 'chat',
      name: 'Large',
      ownedBy: 'acme',
      description: null,
      contextLength: null,
      maxOutputTokens: null,
      capabilities: {},
      traits: {},
      isFree: false,
      status: 'active',
      routes: [{ vendor: 'v', vendorModel: 'acme-large', priority: 0, weight: 1 }],
    },
    [],
  )
  await books.sell({
    at: '2026-10-03T23:30',
    model: 'acme-large',
    input: 1_000_000,
    output: 500_000,
    calls: 3,
  })
  const usual =
    '\ufeffDate,Model,Requests,Prompt Tokens,Completion Tokens,Cost (USD)\r\n2026-10-03,ACME Large,3,"3,000,000",1500000,"$9.00"\r\n,Total,3,,,9.00\r\n'
  expect(await check(usual)).toMatchObject({ code: 0, findings: [] })
  const european =
    'Tag;Modell;Anzahl;Betrag;Notiz\n2026-10-03;acme-large;3;9,00;"zwei\nZeilen; ""so"""\n'
  const named = ['--columns', 'day=Tag,model=Modell,calls=Anzahl,amount=Betrag']
  expect(await check(european, ...named)).toMatchObject({ code: 0, findings: [] })
  const thousands = european.replace('9,00', '1.009,00')
  expect(kinds(await check(thousands, ...named))).toEqual([
    ['unexplained', 'acme-large', '1000.000000'],
  ])
  // Half an hour before midnight UTC is the next day further east.
  const eastern = european.replace('2026-10-03', '2026-10-04')
  expect(await check(eastern, ...named, '--zone', 'Asia/Tehran')).toMatchObject({
    code: 0,
    findings: [],
  })
  expect(kinds(await check(eastern, ...named))).toEqual([['other_day', 'acme-large', '0.000000']])
  const units = 'day,model,units,amount\n2026-10-03,acme-large,4500000,9\n'
  expect(await check(units)).toMatchObject({ code: 0, findings: [] })
  expect(kinds(await check(units.replace('4500000', '9000000').replace(',9\n', ',18\n')))).toEqual([
    ['other_units', 'acme-large', '9.000000'],
  ])
  const more = units.replace(',9\n', ',18\n')
  expect((await check(more)).findings).toMatchObject([
    { kind: 'other_price', prices: [{ unit: 'unit', charged: '4' }] },
  ])
})
