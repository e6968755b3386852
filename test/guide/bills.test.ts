import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBooks, type Books } from '../bills/books'
import { openTerminal, type Terminal } from '../cli/terminal'

const page = readFileSync(join(import.meta.dir, '../../src/guide/en/bills.md'), 'utf8')

/** Every command of the page, as words. */
const commands = [...page.matchAll(/```sh\n([^]*?)```/g)]
  .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
  .filter((line) => line.startsWith('chapar '))
  .map((line) => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')))

const files: Readonly<Record<string, string>> = {
  'cost.csv':
    'start_time,end_time,amount_value,amount_currency,line_item\n1790985600,1791072000,0.0025,usd,"gpt-4o-2024-08-06, input"\n',
  'completions_usage.csv':
    'start_time,end_time,num_model_requests,model,input_tokens,output_tokens,input_cached_tokens\n1790985600,1791072000,1,gpt-4o-2024-08-06,1000,0,0\n',
  'bill.csv': 'Datum;Modell;Anzahl;Betrag\n2026-10-03;acme-large;1;0,001\n',
}

let terminal: Terminal
let books: readonly Books[]
beforeAll(async () => {
  terminal = openTerminal()
  const openai = await openBooks(terminal, { name: 'openai', kind: 'openai', dialect: 'openai' })
  const acme = await openBooks(terminal, { name: 'acme', kind: 'openai', dialect: 'plain' })
  await openai.sell({ at: '2026-10-03T10:00', model: 'gpt-4o', input: 1000 })
  await acme.sell({ at: '2026-10-03T11:00', model: 'acme-large', input: 1000 })
  books = [openai, acme]
})
afterAll(async () => {
  for (const each of books) await each.close()
  terminal.close()
})

test('the page has commands', () => expect(commands).toHaveLength(3))

test.each(commands.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
  const fetched = words.includes('--fetch')
  const paths = words.slice(1).map((word) => {
    const text = files[word]
    return text === undefined ? word : (books[0]?.file(word, text) ?? word)
  })
  const input = spyOn(Bun.stdin, 'text').mockResolvedValue('sk-admin')
  const ran = await terminal.run(...(fetched ? paths.slice(0, paths.indexOf('<')) : paths))
  input.mockRestore()
  // Nobody listens where these books have their vendor.
  if (fetched) expect(ran.stderr).toContain('OpenAI cannot be asked at http://127.0.0.1:9/v1')
  else expect(ran).toMatchObject({ code: 0, stderr: '' })
})
