import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDemoAccount } from '../../src/cli/local/demo-account'
import { runServe, type RunningServer } from '../../src/cli/local/serve'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let key = ''
let other = ''
let file = ''
const running: RunningServer[] = []
beforeEach(async () => {
  terminal = openTerminal()
  key = (await openDemoAccount(terminal.data)).key
  other = join(terminal.data, '..', 'other')
  file = join(terminal.data, '..', 'chapar.backup')
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  terminal.close()
})

async function serve(dataFolder: string): Promise<RunningServer> {
  const options = { host: '127.0.0.1', port: 0, ephemeral: false, readyFile: null, quiet: true }
  const server = await runServe({ dataFolder, ...options })
  running.push(server)
  return server
}

const call = ({ url }: RunningServer) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'Hello there' }],
    }),
  })

describe('a backup', () => {
  test('made under load is one moment of the books, and serves elsewhere with the same keys', async () => {
    await terminal.run('key', 'set', '1', '--rpm', '100000')
    await terminal.run('settings', 'set', 'address-rpm', '1000000')
    const credential = ['--base-url', 'https://vendor.example/v1', '--api-key', 'a-credential-kept']
    await terminal.run(
      'vendor',
      'add',
      '--name',
      'kept',
      '--kind',
      'openai',
      '--no-test',
      ...credential,
    )
    const server = await serve(terminal.data)
    const load = { over: false }
    const callers = Array.from({ length: 4 }, async () => {
      while (!load.over) expect((await call(server)).status).toBe(200)
    })
    await Bun.sleep(100)
    const made = await terminal.json<{ bytes: number }>('backup', file)
    load.over = true
    await Promise.all(callers)
    expect(made.bytes).toBe(statSync(file).size)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..')).filter((name) => name.includes('partial'))).toEqual([])

    const restored = await terminal.json<{ requests: number; before: null }>(
      'restore',
      file,
      '--data',
      other,
    )
    expect(restored.requests).toBeGreaterThan(0)
    expect(restored.before).toBeNull()
    expect(await terminal.json<object>('audit', '--data', other)).toMatchObject({ ok: true })
    expect((await call(await serve(other))).status).toBe(200)
    const vendors = await terminal.json<{ data: object[] }>('vendor', 'list', '--data', other)
    expect(vendors.data).toMatchObject([{ name: 'kept', api_key: '…kept' }])
    // What is for the backup alone is not left in the database.
    const raw = new Database(join(other, 'chapar.db'))
    expect(raw.prepare(`SELECT name FROM sqlite_master WHERE name = 'backup'`).all()).toEqual([])
    raw.close()
  })

  test('writes over nothing unless told to', async () => {
    await terminal.run('backup', file)
    const again = await terminal.run('backup', file)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') as string })
    expect((await terminal.run('backup', file, '--force')).code).toBe(0)
    const nothing = await terminal.run('backup', `${file}2`, '--data', other)
    expect(nothing.stderr).toContain('there is no database')
    expect(existsSync(`${file}2`)).toBe(false)
  })
})

describe('a restoration', () => {
  test('keeps what was there beside it', async () => {
    await terminal.run('backup', file)
    await terminal.run('topup', '1', '7')
    const refused = await terminal.run('restore', file)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') as string })
    const { before } = await terminal.json<{ before: string }>('restore', file, '--force')
    const balance = async (data: string) =>
      (await terminal.json<{ balance: { usd: string } }>('account', 'show', '1', '--data', data))
        .balance.usd
    expect(Number(await balance(before)) - Number(await balance(terminal.data))).toBe(7)
  })

  test('waits for nobody who serves the folder, and changes nothing under him', async () => {
    await terminal.run('backup', file)
    const server = await serve(terminal.data)
    const { code, stderr } = await terminal.run('restore', file, '--force')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is already served') as string,
    })
    expect((await call(server)).status).toBe(200)
  })

  test('refuses what is no backup, is damaged or does not add up, and leaves nothing', async () => {
    await terminal.run('backup', file)
    const refusal = async (path: string) => {
      const { code, stderr } = await terminal.run('restore', path, '--data', other)
      expect(code).toBe(1)
      expect(existsSync(other)).toBe(false)
      return stderr
    }
    writeFileSync(`${file}.text`, 'no database at all, but long enough to look like something')
    expect(await refusal(`${file}.text`)).toContain('is no backup')
    expect(await refusal(join(terminal.data, 'chapar.db'))).toContain('is no backup')

    const bytes = new Uint8Array(await Bun.file(file).arrayBuffer())
    writeFileSync(`${file}.cut`, bytes.slice(0, bytes.length / 2))
    expect(await refusal(`${file}.cut`)).toMatch(/is damaged|is no backup/)

    await Bun.write(`${file}.off`, bytes)
    const raw = new Database(`${file}.off`)
    raw.run('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
    raw.close()
    expect(await refusal(`${file}.off`)).toContain('does not add up')

    const missing = await terminal.run('restore', `${file}.none`, '--data', other)
    expect(missing.stderr).toContain('there is no file')
  })
})
