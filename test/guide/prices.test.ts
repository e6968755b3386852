import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal, type Terminal } from '../cli/terminal'
import { litellmMap, publicPrices } from '../pricing/check-desk'

const page = readFileSync(join(import.meta.dir, '../../src/guide/en/prices.md'), 'utf8')
const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
)

let terminal: Terminal
beforeAll(async () => {
  terminal = openTerminal()
  const line =
    'vendor add --no-test --name openai --kind openai --dialect openai --base-url http://127.0.0.1:9/v1 --api-key sk-0123456789'
  await terminal.run(...line.split(' '))
  const map = join(terminal.data, 'map.json')
  writeFileSync(map, litellmMap({ ...publicPrices, 'gpt-4o': { input: 3, output: 10 } }))
  // A test asks nobody on the internet.
  await terminal.run('settings', 'set', 'prices-sources', map)
})
afterAll(() => terminal.close())

test('every command of the page does what it says there, one after the other', async () => {
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) {
    const [program, ...words] = command.split(' ')
    expect(program).toBe('chapar')
    const { code, stderr } = await terminal.run(...words)
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' })
  }
})
