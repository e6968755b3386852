import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runServe, type RunningServer } from '../../src/cli/local/serve'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let home: string
let servers: RunningServer[] = []

/** Nobody says which folder is meant. */
beforeEach(() => {
  terminal = openTerminal()
  home = join(terminal.data, '..')
  delete process.env['CHAPAR_DATA']
  Object.assign(process.env, { XDG_STATE_HOME: join(home, 'state'), XDG_DATA_HOME: home })
})
afterEach(async () => {
  for (const server of servers) await server.stop()
  servers = []
  terminal.close()
})

const serve = async (name: string): Promise<{ url: string; data: string }> => {
  const data = join(home, name)
  const address = { host: '127.0.0.1', port: 0 }
  const rest = { ephemeral: false, readyFile: null, quiet: true } as const
  const server = await runServe({ dataFolder: data, ...address, ...rest })
  servers.push(server)
  return { url: server.url, data }
}

const notes = join('state', 'chapar', 'running')

describe('a command that is told no data folder', () => {
  test('is of the one gateway that runs, and says so where nothing else reads it', async () => {
    const { url, data } = await serve('mine')
    const made = await terminal.run('account', 'create', '--name', 'Sara', '--json')
    expect(made.stderr).toBe(`chapar: on ${data}, which is served at ${url}\n`)
    expect(made.json<object>()).toMatchObject({ name: 'Sara' })
    const told = await terminal.run('account', 'list', '--data', data, '--json')
    expect(told.stderr).toBe('')
    expect(told.json<object>()).toMatchObject({ data: [{ name: 'Sara' }] })
    expect(existsSync(join(home, 'chapar'))).toBe(false)
  })

  test('asks which one is meant where several run', async () => {
    const [one, other] = [await serve('one'), await serve('other')]
    const ran = await terminal.run('account', 'list')
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('2 gateways run here; say which one with --data')
    for (const { url, data } of [one, other]) expect(ran.stderr).toContain(`${data} (${url})`)
    expect((await terminal.run('account', 'list', '--data', one.data)).code).toBe(0)
  })

  test('is of the usual folder where none runs, or what was one is gone', async () => {
    const { data } = await serve('gone')
    expect(readdirSync(join(home, notes))).toHaveLength(1)
    await servers.pop()?.stop()
    expect(readdirSync(join(home, notes))).toEqual([])
    // One that was killed takes nothing back, and its id may be another's by now.
    mkdirSync(join(home, notes), { recursive: true })
    const left = { pid: process.pid, url: 'http://127.0.0.1:9', data }
    writeFileSync(join(home, notes, 'left.json'), JSON.stringify(left))
    writeFileSync(join(home, notes, 'half.json'), '{"pid":')
    writeFileSync(join(data, 'serving.json'), JSON.stringify(left))
    const ran = await terminal.run('account', 'create', '--name', 'Sara')
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(existsSync(join(home, 'chapar', 'chapar.db'))).toBe(true)
  })

  test('needs no folder to ask an address that it is given', async () => {
    const { url } = await serve('one')
    await serve('other')
    const ran = await terminal.run('env', '--url', url, '--key', 'k')
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
  })
})
