import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => void (terminal = openTerminal()))
afterEach(() => terminal.close())

interface Model {
  readonly pricing: Readonly<Record<string, string>>
  readonly routes: readonly string[]
  readonly below_cost: readonly object[]
  readonly priced_by: string | null
  readonly pricing_next: { readonly pricing: Readonly<Record<string, string>> } | null
}
const run = (line: string, ...more: readonly string[]) => terminal.run(...line.split(' '), ...more)
const model = () => terminal.json<Model>('model', 'show', 'gpt-4o')
/** Dollars for a million tokens: in, in from a cache, out. */
const sold = async () => {
  const { input_per_million, cached_input_per_million, output_per_million } = (await model())
    .pricing
  return [input_per_million, cached_input_per_million, output_per_million].join(' ')
}
const add = (name: string, more = '') =>
  run(
    `vendor add --no-test --name ${name} --kind openai --dialect openai --base-url http://127.0.0.1:9/v1 --api-key sk-0123456789-one${more}`,
  )
const pending = async () =>
  (await terminal.json<{ data: { id: number; model: string; cause: string }[] }>('prices', 'list'))
    .data

const publicPrice = '2.5 1.25 10'
const marked = '3 1.5 12'

describe('a price on sale', () => {
  beforeEach(() => add('openai', ' --margin 20'))

  test('stays when a key is renewed, and so does the markup', async () => {
    expect(await sold()).toBe(marked)
    const again = await add('openai')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('chapar vendor set openai')
    const { stdout } = await run('vendor set openai --no-test --api-key sk-0123456789-two')
    expect(stdout).toMatch(/^api_key +…-two$/m)
    expect(stdout).toMatch(/^margin_percent +20$/m)
    expect(await sold()).toBe(marked)
  })

  test('stays when another vendor has the model too, whatever its name', async () => {
    for (const name of ['backup', 'zbackup']) {
      await add(name)
      expect(await sold()).toBe(marked)
    }
    expect((await model()).routes).toHaveLength(3)
    await run('vendor remove openai')
    expect(await sold()).toBe(marked)
    // Without the marked-up route its rule would make it cheaper: that is to be decided.
    const [change, ...others] = (await pending()).filter((each) => each.model === 'gpt-4o')
    expect(others).toEqual([])
    expect(change?.cause).toBe('vendor openai removed')
    expect((await run('prices list')).stdout).toContain('input_per_million 3 → 2.5')
    await run(`prices approve ${change?.id}`)
    expect(await sold()).toBe(publicPrice)
  })

  test('moves when its markup is set, and that of nothing else', async () => {
    await add('backup')
    const { stdout } = await run('vendor set openai --margin 30')
    expect(stdout).toMatch(/^margin_percent +30$/m)
    expect(await sold()).toBe('3.25 1.625 13')
    await run('model set gpt-4o --price output_per_million=20')
    await run('price rules set --markup 5')
    // What was typed stays typed.
    expect(await sold()).toBe('3.25 1.625 20')
  })

  test('stays while a vendor rests', async () => {
    await add('backup')
    await run('vendor set openai --off')
    expect(await sold()).toBe(marked)
    await run('vendor set openai --on')
    expect(await sold()).toBe(marked)
    expect(await pending()).toEqual([])
  })

  test('keeps its other prices when one is set, and goes back to its rule', async () => {
    await run('model set gpt-4o --price output_per_million=14')
    expect(await sold()).toBe('3 1.5 14')
    expect((await model()).priced_by).toBe('typed')
    await run('model set gpt-4o --price default')
    expect(await sold()).toBe(marked)
    expect((await model()).priced_by).toMatch(/^rule/)
    await run('model set gpt-4o --free')
    expect(await sold()).toStartWith('0 ')
    await run('model set gpt-4o --price default')
    expect(await sold()).toBe(marked)
  })

  test('below cost is said when it is set, when the model is shown, and by the doctor', async () => {
    const { stdout } = await run('model set gpt-4o --price output_per_million=9')
    const said = '! sold below cost by openai:gpt-4o: output for 0.000009, costs 0.00001'
    expect(stdout).toContain(said)
    expect((await run('model show gpt-4o')).stdout).toContain(said)
    expect((await model()).below_cost).toHaveLength(1)
    expect((await run('doctor')).stdout).toMatch(/! below cost +.*gpt-4o/)
  })
})

test('a price that is never charged is said when it is set, when the model is shown, and by the doctor', async () => {
  await add('openai')
  const added = await run(
    'model add --id voice --type audio_tts --route openai:voice --price per_million_characters=15 --price input_per_million=1',
  )
  const said =
    '! never charged, since its other prices are what calls are counted by: input_per_million'
  expect(added.stdout).toContain(said)
  expect((await run('model show voice')).stdout).toContain(said)
  const shown = await terminal.json<{ never_charged: readonly string[] }>('model', 'show', 'voice')
  expect(shown.never_charged).toEqual(['input_per_million'])
  expect((await run('doctor')).stdout).toMatch(
    /! prices +never charged.*voice \(input_per_million\)/,
  )
  const { stdout } = await run('model set voice --price input_per_million=none')
  expect(stdout).not.toContain('! never charged')
  expect((await run('doctor')).stdout).not.toContain('never charged')
})

describe('a cost that rises', () => {
  beforeEach(async () => {
    await add('openai')
    await run('price cost openai:gpt-4o --price input_per_million=5 --price output_per_million=10')
  })

  test('is proposed and no more, and sold below cost until it is decided', async () => {
    expect(await sold()).toBe(publicPrice)
    expect(await pending()).toMatchObject([
      { model: 'gpt-4o', cause: 'cost of openai:gpt-4o typed' },
    ])
    expect((await model()).below_cost).not.toEqual([])
    expect((await run('doctor')).stdout).toMatch(/! price changes +.*gpt-4o/)
  })

  test('that is rejected is not proposed again', async () => {
    await run('prices reject --all')
    await run('vendor set openai --timeout 9')
    expect(await pending()).toEqual([])
    expect(await sold()).toBe(publicPrice)
  })

  test('that is approved for later begins then', async () => {
    const [change] = await pending()
    await run(`prices approve ${change?.id} --from 2999-01-01`)
    expect(await sold()).toBe(publicPrice)
    expect(await pending()).toEqual([])
    expect((await model()).pricing_next?.pricing).toMatchObject({ input_per_million: '5' })
    expect((await run('model show gpt-4o')).stdout).toMatch(
      /^from (?:2999-01-01|2998-12-31) .+ on: /m,
    )
  })

  test.each([
    ['prices approve', 'exactly one is needed'],
    ['prices approve 99', 'no price proposal 99 waits'],
    ['prices reject 99', 'no price proposal 99 waits'],
    ['price rules remove', 'the rule for everything stays'],
    ['price rules remove --vendor x', 'there is no pricing rule for vendor x'],
    ['price rules set --vendor a --model b', 'of one scope'],
    ['price cost nobody:m --price input_per_million=1', 'there is no vendor nobody'],
  ])('%p is refused', async (line, why) => {
    const { code, stderr } = await run(line)
    expect(code).toBe(1)
    expect(stderr).toContain(why)
  })

  test.each([
    ['price cost nobody --price input_per_million=1', 'say VENDOR:MODEL'],
    ['price cost a:m --price input_per_million', 'NAME=VALUE is needed'],
    ['price cost a:m --price default', 'say every price that it bills'],
    ['price cost a:m --price input_per_million=none', 'say every price that it bills'],
    ['price cost a:m --price per_image=1 --price per_image=2', 'was given before'],
    ['prices approve 1 x', 'A whole number from 1'],
    ['prices approve 1 --from soon', 'A day (2030-01-01) or a time'],
  ])('%p cannot be read', async (line, why) => {
    const { code, stderr } = await run(line)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })
})

describe('a vendor of the environment of a service that runs', () => {
  test('is listed, marked up and switched off from another shell', async () => {
    await run('vendor list')
    const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
    await storage.service.write({
      services: ['chapar', 'peyk'],
      baseUrls: [null, null],
      fixed: {},
      vendors: [
        {
          name: 'openai',
          kind: 'openai',
          dialect: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          timeoutMs: 90_000,
          hasKey: true,
        },
      ],
      local: [{ vendor: 'openai', id: 'x' }],
      notices: { webhook: null, command: null },
    })
    await storage.close()
    const note = { pid: process.pid, url: 'http://127.0.0.1:1' }
    writeFileSync(join(terminal.data, 'serving.json'), JSON.stringify(note))
    expect((await run('vendor list')).stdout).toMatch(/openai .* … .*environment/)
    expect(await sold()).toBe(publicPrice)
    await run('vendor set openai --margin 20')
    expect(await sold()).toBe(marked)
    const off = await terminal.json<{ active: boolean }>('vendor', 'set', 'openai', '--off')
    expect(off.active).toBe(false)
    expect((await run('model list')).stdout).not.toContain('gpt-4o')
    const removed = await run('vendor remove openai')
    expect(removed.code).toBe(0)
    expect((await run('vendor remove openai')).stderr).toContain('environment')
  })
})
