import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { openTerminal, type Terminal } from '../cli/terminal'
import { openBooks, type Books } from './books'

let terminal: Terminal
let books: Books
beforeAll(async () => {
  terminal = openTerminal()
  books = await openBooks(terminal, { name: 'v', kind: 'openai', dialect: 'plain' })
  await books.sell({ at: '2026-10-03T10:00', model: 'acme-large', input: 10, output: 10 })
})
afterAll(async () => {
  await books.close()
  terminal.close()
})

const run = (content: string | Uint8Array, ...more: readonly string[]) =>
  terminal.run(
    ...'bill check --vendor v --month 2026-10 --file'.split(' '),
    books.file('bill.csv', content),
    ...more,
  )

const good = 'day,model,amount\n2026-10-03,acme-large,1\n'
const utf16 = new Uint8Array(Buffer.from(`\ufeff${good}`, 'utf16le'))
const bytes = (size: number) => new Uint8Array(size).map((_, at) => (at * 7919) % 251)

test.each<[string, string | Uint8Array, string]>([
  ['nothing', '', 'the file is empty'],
  ['blank lines', '\n \r\n', 'the file is empty'],
  ['a heading alone', 'day,model,amount\n', 'the file has no lines of a bill'],
  ['a web page', '<!DOCTYPE html><html><body>Sign in', 'the file is a web page, not a CSV'],
  ['JSON', '{"data": []}', 'the file is JSON: give the CSV export, or ask the vendor with --fetch'],
  ['a picture', bytes(5000), 'the file is binary, not a CSV'],
  [
    'binary behind a good head',
    Buffer.concat([Buffer.from(good.repeat(9000)), bytes(99)]),
    'is binary',
  ],
  ['a packed file', gzipSync(good), 'the file is packed (gzip): unpack it first'],
  ['a sheet', Buffer.from('PK\u0003\u0004rest'), 'an Excel sheet: give the CSV'],
  ['a PDF', '%PDF-1.7\n1 0 obj', 'the file is a PDF'],
  ['UTF-16', utf16, 'the file is UTF-16 text: save it as CSV in UTF-8'],
  [
    'half a row',
    `${good}2026-10-04,acme`,
    'line 3 has 2 of 3 cells: the file is cut off or broken',
  ],
  ['half a cell', `${good}2026-10-04,"acme-la`, 'the file ends inside of a quoted cell'],
  ['a quote in a cell', `${good}2026-10-04,acme"large,1\n`, 'a quote stands where none may'],
  ['a row without end', `${good}2026-10-04,"${'x'.repeat(1_100_000)}`, 'a row is longer than 1 MB'],
  ['too many columns', 'a,'.repeat(1500), 'more than 1000 columns'],
  ['other columns', 'a,b\n1,2\n', 'name them with --columns day=…,model=…,amount=…'],
  ['another month', good.replace('10-03', '09-03'), 'it goes from 2026-09-03 to 2026-09-03'],
  ['no amount', good.replace(',1\n', ',one\n'), 'line 2: amount is “one”, not an amount'],
  ['more than money', good.replace(',1\n', ',1e12\n'), 'line 2: amount is “1e12”, not an amount'],
  [
    'no day',
    good.replace('2026-10-03', '3 Oct'),
    'line 2: day is “3 Oct”, not a day such as 2026-10-31',
  ],
  [
    'no such day',
    good.replace('2026-10-03', '2026-13-03'),
    'line 2: day is “2026-13-03”, not a day',
  ],
  ['a negative count', 'day,model,calls\n2026-10-03,m,-1\n', 'line 2: calls is “-1”, not a count'],
  ['another currency', 'day,model,amount,currency\n2026-10-03,m,1,EUR\n', 'the bill is in EUR'],
  [
    'what would write on a terminal',
    'day,model,amount\n2026-10-03,m,\u001b[31mred\n',
    'amount is “[31mred”',
  ],
])('%s is refused in one line, and nothing is printed or changed', async (_, content, message) => {
  const ran = await run(content)
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
  expect(ran.stderr).toContain(message)
  expect(ran.stderr).toStartWith(
    'chapar: bill.csv: '.slice(0, /goes from|the bill comes/.test(ran.stderr) ? 8 : 18),
  )
  expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
})

test.each<[string, string]>([
  ['--vendor v', "required option '--month <month>' not specified"],
  ['--vendor v --month 2026-13 --file x', 'A month is needed'],
  ['--vendor v --month 2026-10', "required option '--file <path>' or '--fetch' not specified"],
  [
    '--vendor v --month 2026-10 --file x --fetch --key-stdin',
    "option '--fetch' cannot be used with option '--file <path>'",
  ],
  ['--vendor v --month 2026-10 --fetch', "required option '--key-stdin' not specified"],
  ['--vendor v --month 2026-10 --file - --file -', 'standard input is read once'],
  ['--vendor v --month 2026-10 --file /no/such.csv', 'there is no file /no/such.csv'],
  ['--vendor v --month 2026-10 --file / ', 'there is no file /'],
  ['--vendor v --month 2026-10 --file x --columns a=b', 'columns are named as day=Date'],
  ['--vendor v --month 2026-10 --file x --zone Mars', 'A time zone is needed'],
  ['--vendor v --month 2026-10 --file x --tolerance much', 'Percent are needed'],
  ['--vendor v --month 2026-10 --file x --csv --json', 'cannot be used with'],
])('bill check %s is misuse', async (line, message) => {
  const ran = await terminal.run('bill', 'check', ...line.trim().split(' '))
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(message)
})

test('a vendor that nobody knows, and a month that has not begun', async () => {
  const file = books.file('bill.csv', good)
  const line = ['--month', '2026-10', '--file', file]
  const unknown = await terminal.run('bill', 'check', '--vendor', 'nobody', ...line)
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toContain('there is no vendor nobody')
  books.file('bill.csv', good.replace('2026-10', '2099-10'))
  const later = await terminal.run(
    'bill',
    'check',
    '--vendor',
    'v',
    '--month',
    '2099-10',
    '--file',
    file,
  )
  expect(later).toMatchObject({ code: 1, stderr: 'chapar: no day of 2099-10 is over yet\n' })
})

test('a named column that is not there is told, with those that are', async () => {
  const ran = await run(good, '--columns', 'day=Tag')
  expect(ran.stderr).toContain('the file has no column “Tag”: it has day, model, amount')
})
