import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  const address = ['--base-url', 'http://127.0.0.1:9/v1', '--api-key', 'a-key-of-vendor']
  await terminal.run('vendor', 'add', '--name', 'v', '--kind', 'openai', '--no-test', ...address)
  for (const [id, price] of [
    ['a', '1'],
    ['b', '3'],
  ] as const) {
    const prices = ['--price', `input_per_million=${price}`, '--price', 'output_per_million=6']
    await terminal.run(
      'model',
      'add',
      '--id',
      id,
      '--type',
      'chat',
      '--route',
      `v:${id}`,
      ...prices,
    )
  }
})
afterEach(() => terminal.close())

const set = (...change: readonly string[]) =>
  terminal.json<Record<string, unknown>>('model', 'set', ...change)
const lastChange = async () => {
  const { data } = await terminal.json<{ data: { what: string; subject: string }[] }>(
    'trail',
    'list',
  )
  return data[0]
}

test('fallbacks are set, shown, kept by other changes, and taken away; each is a line of the trail', async () => {
  expect(await set('a', '--fallbacks', 'b')).toMatchObject({ id: 'a', fallbacks: ['b'] })
  expect(await lastChange()).toMatchObject({ what: 'model.save', subject: 'model:a' })
  expect(await set('a', '--name', 'The first')).toMatchObject({ fallbacks: ['b'] })
  expect((await terminal.run('model', 'show', 'a')).stdout).toMatch(/fallbacks +b\n/)
  expect(await set('a', '--fallbacks', 'none')).toMatchObject({ fallbacks: [] })
  const added = ['--id', 'c', '--type', 'chat', '--route', 'v:c', '--fallbacks', 'a,b']
  const prices = ['--price', 'input_per_million=1', '--price', 'output_per_million=6']
  expect(await terminal.json<object>('model', 'add', ...added, ...prices)).toMatchObject({
    fallbacks: ['a', 'b'],
  })
})

test('a name of several models is made, listed at the dearest, changed and removed', async () => {
  expect(await set('smart', '--alias-of', 'a,b', '--description', 'any')).toMatchObject({
    id: 'smart',
    alias_of: ['a', 'b'],
    description: 'any',
    pricing: { input_per_million: '3', output_per_million: '6' },
    routes: [],
  })
  expect(await lastChange()).toMatchObject({ what: 'model.save', subject: 'model:smart' })
  expect((await terminal.run('model', 'list')).stdout).toMatch(/^smart .* = a, b *$/m)
  expect((await terminal.run('model', 'list', '--csv')).stdout).toContain('smart')
  // What one of them does no more, the others do.
  await set('b', '--off')
  expect(await terminal.json<object>('model', 'show', 'smart')).toMatchObject({
    alias_of: ['a'],
    pricing: { input_per_million: '1' },
  })
  expect(await set('smart', '--off')).toMatchObject({ status: 'off' })
  expect((await terminal.run('model', 'list')).stdout).not.toContain('smart')
  expect(await set('smart', '--alias-of', 'a', '--on')).toMatchObject({ alias_of: ['a'] })
  await terminal.run('model', 'remove', 'smart')
  expect((await terminal.run('model', 'list')).stdout).not.toContain('smart')
})

test.each([
  [['a', '--fallbacks', 'nobody'], 'there is no model nobody'],
  [['a', '--fallbacks', 'a'], 'a cannot be tried in place of itself'],
  [['a', '--fallbacks', 'b,'], 'Ids of models are needed'],
  [['a', '--fallbacks', 'smart'], 'smart is a name of several models itself'],
  [['a', '--alias-of', 'b'], 'there is a model a already'],
  [['smart', '--price', 'input_per_million=1'], 'no routes, prices or settings of its own'],
  [['smart', '--fallbacks', 'a'], 'no routes, prices or settings of its own'],
  [['smart', '--alias-of', 'a', '--route', 'v:x'], 'no routes, prices or settings of its own'],
])('%j is refused: %s', async (change, words) => {
  await set('smart', '--alias-of', 'a,b')
  const before = await terminal.json<object>('model', 'list')
  const { code, stderr } = await terminal.run('model', 'set', ...change)
  expect(code).not.toBe(0)
  expect(stderr).toContain(words)
  expect(await terminal.json<object>('model', 'list')).toEqual(before)
})

test('doctor tells of a fallback that is sold no more', async () => {
  await set('a', '--fallbacks', 'b')
  await set('smart', '--alias-of', 'a,b')
  expect((await terminal.run('doctor')).stdout).not.toContain('fallbacks')
  await terminal.run('model', 'remove', 'b')
  expect((await terminal.run('doctor')).stdout).toMatch(
    /fallbacks +no longer sold: b of a, b of smart/,
  )
})
