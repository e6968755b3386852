import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.run('settings', 'set', 'sandbox', 'on')
})
afterEach(() => terminal.close())

const add = (...more: readonly string[]) =>
  terminal.run('model', 'alias', 'add', 'claude-echo', '--model', 'sandbox/echo', ...more)

describe('model alias', () => {
  test('adds, lists and removes another id of a model, which shows it', async () => {
    expect((await add('--listed', '--json')).json<object>()).toEqual({
      object: 'model_alias',
      id: 'claude-echo',
      model: 'sandbox/echo',
      listed: true,
    })
    const { data } = await terminal.json<{ data: object[] }>('model', 'alias', 'list')
    expect(data).toMatchObject([{ id: 'claude-echo', model: 'sandbox/echo', listed: true }])
    expect((await terminal.run('model', 'alias', 'list')).stdout).toContain('claude-echo')
    const model = await terminal.json<object>('model', 'show', 'sandbox/echo')
    expect(model).toMatchObject({ aliases: ['claude-echo'] })
    expect((await terminal.run('model', 'alias', 'remove', 'claude-echo')).stdout).toContain(
      'removed',
    )
    expect(await terminal.json<object>('model', 'alias', 'list')).toMatchObject({ data: [] })
  })

  test('says why it refuses, with a code for programs', async () => {
    await add()
    const taken = await add('--model', 'sandbox/slow')
    expect(taken.code).toBe(1)
    expect(taken.stderr).toContain('is an alias of sandbox/echo already')
    const json = await terminal.run('model', 'alias', 'remove', 'nobody', '--json')
    expect(json.json<object>()).toEqual({
      error: {
        message: 'there is no alias nobody; see chapar model alias list',
        code: 'alias_not_found',
      },
    })
    const echo = ['--id', 'claude-echo', '--type', 'chat', '--route', 'sandbox:echo', '--free']
    const model = await terminal.run('model', 'add', ...echo)
    expect(model.stderr).toContain('is an alias of sandbox/echo already')
  })

  test('survives a change of the model', async () => {
    await add()
    await terminal.json('model', 'set', 'sandbox/echo', '--name', 'Echo')
    await terminal.run('model', 'alias', 'remove', 'claude-echo')
    const model = await terminal.json<object>('model', 'show', 'sandbox/echo')
    expect(model).toMatchObject({ name: 'Echo', aliases: [] })
  })
})
