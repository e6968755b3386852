import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from '../cli/terminal'
import { openBooks, type Books, type Checked, type Sold } from './books'

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

const check = async (text: string, ...more: readonly string[]) => {
  const ran = await terminal.run(
    ...'bill check --vendor openai --month 2026-10 --json --file'.split(' '),
    books.file('bill.csv', text),
    ...more,
  )
  return { code: ran.code, ...ran.json<Checked & { error?: { code: string } }>() }
}
const kinds = ({ findings }: Checked) => findings.map(({ kind, usd, days }) => [kind, usd, ...days])

/** Half a dollar at noon. */
const half = (day: string, more: Partial<Sold> = {}): Sold => ({
  at: `${day}T12:00`,
  model: 'gpt-4o',
  input: 200_000,
  ...more,
})

test('counts alone are no dollars', async () => {
  await books.sell(half('2026-10-03'))
  const bill = (calls: number) => `date,model,requests\n2026-10-03,gpt-4o,${calls}\n`
  const same = await check(bill(1))
  expect(same).toMatchObject({ code: 0, total: { billed_usd: null } })
  expect(kinds(await check(bill(2)))).toEqual([['unknown_calls', null, '2026-10-03']])
})

test('calls that lack on one day and are too many on the next are the same; weeks apart they are not', async () => {
  await books.sell(
    half('2026-10-03', { calls: 4 }),
    half('2026-10-04', { calls: 4 }),
    half('2026-10-20', { calls: 4 }),
  )
  const bill = (...calls: readonly number[]) =>
    [
      'date,model,requests,cost',
      ...calls.map(
        (count, at) =>
          `2026-10-${['03', '04', '20'][at]},gpt-4o,${count},${(count / 2).toFixed(3)}`,
      ),
    ].join('\n')
  expect(kinds(await check(bill(3, 5, 4)))).toEqual([
    ['other_day', '0.000000', '2026-10-03', '2026-10-04'],
  ])
  expect(kinds(await check(bill(3, 4, 5)))).toEqual([
    ['calls_not_billed', '-0.500000', '2026-10-03'],
    ['unknown_calls', '0.500000', '2026-10-20'],
  ])
})

test('searches that are in our cost and apart on the bill are no difference of the model', async () => {
  const usage = {
    units: { input: 200_000, 'tool:web_search': 10 },
    reasoning: 0,
    estimated: false,
  } as const
  await books.sell(half('2026-10-03', { ended: { status: 'success', usage } }))
  const bill = (search: string) =>
    `start_time,end_time,amount_value,amount_currency,line_item\n${Date.parse('2026-10-03') / 1000},0,0.3,usd,"gpt-4o, input"\n${Date.parse('2026-10-03') / 1000},0,${search},usd,web search tool calls\n`
  const good = await check(bill('0.2'))
  expect(good).toMatchObject({ code: 0, within_tolerance: true })
  expect(kinds(good)).toEqual([
    ['charged_apart', '-0.200000', '2026-10-03'],
    ['charges', '0.200000', '2026-10-03'],
  ])
  expect((await check(bill('0.1'))).code).toBe(1)
})

test('one bill may be of two vendors, and of one that is gone', async () => {
  const second = await openBooks(terminal, { name: 'openai-2', kind: 'openai', dialect: 'openai' })
  await books.sell(half('2026-10-03'))
  await second.sell(half('2026-10-03', { at: '2026-10-03T13:00' }))
  const bill = 'date,model,requests,cost\n2026-10-03,gpt-4o-2024-08-06,2,1.00\n'
  expect(await check(bill, '--vendor', 'openai-2')).toMatchObject({ code: 0, findings: [] })
  expect((await check(bill)).code).toBe(1)
  await second.storage.catalogue.removeVendor('openai-2')
  expect(await check(bill, '--vendor', 'openai-2')).toMatchObject({ code: 0 })
  expect(await check(bill, '--vendor', 'openai-3')).toMatchObject({
    code: 1,
    error: { code: 'vendor_not_found' },
  })
  await second.close()
})

test('nothing that a bill says is written anywhere', async () => {
  await books.sell(half('2026-10-03'))
  const before = books.storage.version()
  await check('date,model,requests,cost\n2026-10-03,gpt-4o,9,9.99\n')
  expect(books.storage.version()).toBe(before)
})
