import { describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { nanoUsd } from '../../src/domain/money'
import type { Connection } from '../../src/storage/sqlite/connection'
import { DataFolderBusy } from '../../src/storage/files/folder-lock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { customer, handClock, memoryStorage, testFolder } from './folder'

const child = join(import.meta.dir, 'open-child.ts')
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** Another process that opens the folder; resolves with the first line it says. */
async function elsewhere(
  folder: string,
  what: 'serve' | 'once',
  { as = [] }: { readonly as?: readonly string[] } = {},
) {
  const isStranger = as.length > 0
  const run = Bun.spawn([...as, process.execPath, child, folder, what], {
    stdout: 'pipe',
    stderr: isStranger ? 'pipe' : 'inherit',
  })
  const reader = run.stdout.getReader()
  const { value } = await reader.read()
  const line = new TextDecoder().decode(value).trim()
  return {
    line,
    said: isStranger && line === '' ? await new Response(run.stderr).text() : '',
    process: run,
    async [Symbol.asyncDispose]() {
      run.kill('SIGKILL')
      await run.exited
    },
  }
}

describe('a data folder', () => {
  test('is made with everything in it for its owner only', async () => {
    using folder = testFolder()
    const path = join(folder.path, 'deep', 'data')
    const storage = openStorage({ folder: path, exclusive: true, clock: handClock() })
    await customer(storage, { usd: '1' })
    expect(mode(path)).toBe('700')
    for (const file of ['chapar.db', 'chapar.db-wal', 'chapar.db-shm', 'secret.key'])
      expect(`${file} ${mode(join(path, file))}`).toBe(`${file} 600`)
    expect(statSync(join(path, 'secret.key')).size).toBe(64)
    await storage.close()
  })

  test('keeps what was written, and its secrets, from one process to the next', async () => {
    using folder = testFolder()
    const first = folder.open(true)
    const { account } = await customer(first, { usd: '12.5' })
    const hash = first.pepper.hash('a secret')
    await first.close()
    const second = folder.open(true)
    expect((await second.directory.findAccount(account.id))?.balance).toBe(nanoUsd(12_500_000_000))
    expect(second.pepper.hash('a secret')).toBe(hash)
    expect(await second.audit()).toMatchObject({ ok: true, accounts: 1, transfers: 1 })
  })

  test('leaves no file open and nothing unwritten beside the database when it closes', async () => {
    using folder = testFolder()
    const storage = folder.open(true)
    await customer(storage, { usd: '1' })
    await storage.close()
    expect(readdirSync(folder.path).toSorted()).toEqual(['chapar.db', 'secret.key', 'serving.lock'])
  })

  test('two folders have different secrets, and none is kept for storage in memory', () => {
    using one = testFolder()
    using two = testFolder()
    const peppers = [one.open(), two.open(), memoryStorage(), memoryStorage()].map(({ pepper }) =>
      pepper.hash('a secret'),
    )
    expect(new Set(peppers).size).toBe(4)
    expect(peppers[0]).toHaveLength(64)
  })

  test('is not opened with half a key file', async () => {
    using folder = testFolder()
    await folder.open().close()
    const file = join(folder.path, 'secret.key')
    const right = readFileSync(file)
    writeFileSync(file, 'short')
    expect(() => folder.open(true)).toThrow(/secret\.key is damaged/)
    // The failed attempt holds no lock.
    writeFileSync(file, right)
    folder.open(true)
  })

  test('is not opened with the key file of another, nor with a new one in the place of its own', async () => {
    using folder = testFolder()
    await folder.open().close()
    const file = join(folder.path, 'secret.key')
    const right = readFileSync(file)
    writeFileSync(file, Buffer.alloc(64))
    for (const exclusive of [true, false])
      expect(() => folder.open(exclusive)).toThrow(/secret\.key is not the one of the database/)
    rmSync(file)
    expect(() => folder.open(true)).toThrow(/secret\.key is gone: put the right one back/)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, right, { mode: 0o600 })
    folder.open(true)
  })
})

describe('serving a data folder', () => {
  test('is for one process; a second is told which folder and which process', async () => {
    using folder = testFolder()
    const first = folder.open(true)
    expect(() => folder.open(true)).toThrow(DataFolderBusy)
    expect(() => folder.open(true)).toThrow(
      `${folder.path} is already served by process ${process.pid}`,
    )
    await first.close()
    await folder.open(true).close()
  })

  test('commands work beside it', async () => {
    using folder = testFolder()
    const serving = folder.open(true)
    const { account } = await customer(serving)
    const command = folder.open()
    await command.directory.setAccount(account.id, { concurrency: 3 })
    expect((await serving.directory.findAccount(account.id))?.concurrency).toBe(3)
    await command.close()
    expect(() => folder.open(true)).toThrow(DataFolderBusy)
  })

  const nobody = 65534
  test.skipIf(process.getuid?.() !== 0)(
    'is refused to who may not write its lock, which would keep nobody out',
    async () => {
      using folder = testFolder()
      await folder.open(true).close()
      // As after a command of root's: what it made is root's.
      for (const path of [
        folder.path,
        ...readdirSync(folder.path).map((name) => join(folder.path, name)),
      ])
        chownSync(path, nobody, nobody)
      chownSync(join(folder.path, 'serving.lock'), 0, 0)
      const as = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
      await using other = await elsewhere(folder.path, 'serve', { as })
      expect(other.line).toBe('')
      expect(other.said).toContain(`this user may not use ${join(folder.path, 'serving.lock')}`)
    },
  )

  test.each(['endings.spool', 'serving.lock', 'secret.key', 'chapar.db'])(
    'is refused in a sentence where %s is a folder',
    async (name) => {
      using folder = testFolder()
      await folder.open(true).close()
      rmSync(join(folder.path, name), { force: true })
      mkdirSync(join(folder.path, name))
      expect(() => folder.open(true)).toThrow(
        `${join(folder.path, name)} is a folder, and a file of the gateway belongs there: move it elsewhere`,
      )
    },
  )

  test('by another process keeps this one out, until it dies by whatever way', async () => {
    using folder = testFolder()
    await using other = await elsewhere(folder.path, 'serve')
    expect(other.line).toBe('open')
    expect(() => folder.open(true)).toThrow(`by process ${other.process.pid}:`)
    other.process.kill('SIGKILL')
    await other.process.exited
    expect(existsSync(join(folder.path, 'serving.pid'))).toBe(true)
    const storage = folder.open(true)
    expect(readFileSync(join(folder.path, 'serving.pid'), 'utf8')).toBe(`${process.pid}\n`)
    expect((await storage.audit()).ok).toBe(true)
  })

  test('any number of processes may open a new folder at once', async () => {
    using folder = testFolder()
    const all = await Promise.all(
      Array.from({ length: 6 }, async () => {
        await using other = await elsewhere(folder.path, 'once')
        return { line: other.line, code: await other.process.exited }
      }),
    )
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0])
    expect(new Set(all.map(({ line }) => line)).size).toBe(1)
    const storage = folder.open()
    expect((await storage.directory.listAccounts()).map(({ id }) => Number(id))).toEqual([
      1, 2, 3, 4, 5, 6,
    ])
    expect((await storage.audit()).ok).toBe(true)
  })
})

describe('the version', () => {
  test('changes when another connection has committed, and not by own writes', async () => {
    using folder = testFolder()
    const one = folder.open()
    const two = folder.open()
    const before = one.version()
    await customer(one)
    expect(one.version()).toBe(before)
    await customer(two)
    expect(one.version()).not.toBe(before)
  })
})

test('a transaction takes no work that goes on after it returns', () => {
  const tried = (connection: Connection) => {
    connection.transaction(() => 1)
    // @ts-expect-error it would commit before its first await
    void connection.transaction(() => Promise.resolve())
  }
  expect(tried).toBeFunction()
})
