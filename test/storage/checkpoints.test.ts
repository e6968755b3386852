import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCheckpointer, type CheckpointerParts } from '../../src/storage/sqlite/checkpointer'
import { openCheckpoints, usualLimits } from '../../src/storage/sqlite/checkpoints'
import { connect } from '../../src/storage/sqlite/connect'
import { until } from '../support/pace'

const mb = 1_000_000
const limits = { ...usualLimits, lookMs: 5 }

interface Count {
  readonly log: number
  readonly checkpointed: number
}

/** A database whose log is watched. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-test-'))
  const file = join(folder, 'test.db')
  const connection = connect(file)
  const { raw } = connection
  raw.run('CREATE TABLE filler (id INTEGER PRIMARY KEY, bytes BLOB)')
  const write = raw.prepare('INSERT INTO filler (bytes) VALUES (zeroblob(?))')
  const count = raw.prepare<Count, []>('PRAGMA wal_checkpoint(NOOP)')
  const autocheckpoint = raw.prepare<{ wal_autocheckpoint: number }, []>(
    'PRAGMA wal_autocheckpoint',
  )
  const closers: (() => void)[] = []
  return {
    file,
    connection,
    /** One commit of about so much. */
    write: (megabytes: number) => void write.run(megabytes * mb),
    pages: () => count.get() ?? { log: 0, checkpointed: 0 },
    logBytes: () => statSync(`${file}-wal`).size,
    byCommits: () => (autocheckpoint.get()?.wal_autocheckpoint ?? 0) > 0,
    second() {
      const other = new Database(file, { strict: true })
      closers.push(() => other.close(true))
      return other
    },
    checkpointer(parts: Partial<CheckpointerParts> = {}) {
      const faults: unknown[] = []
      const onFault = (fault: unknown) => void faults.push(fault)
      const made = openCheckpointer({
        connection,
        file,
        limits,
        startAfterMs: 0,
        onFault,
        ...parts,
      })
      const close = () => made.close()
      closers.push(close)
      return { faults, close }
    },
    [Symbol.dispose]() {
      for (const close of closers) close()
      connection.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describe('a thread for checkpoints', () => {
  test('keeps the log short while commits make none', async () => {
    using it = open()
    // Copied whole whenever commits pause, however little it is.
    it.checkpointer({ limits: { ...limits, due: 1 } })
    await until(() => !it.byCommits())
    let longest = 0
    for (let written = 0; written < 110; written++) {
      it.write(1)
      longest = Math.max(longest, it.logBytes())
      if (written % 10 === 9) await until(() => it.pages().log === it.pages().checkpointed)
    }
    expect(statSync(it.file).size).toBeGreaterThan(80 * mb)
    expect(longest).toBeLessThan(25 * mb)
  })

  test('leaves a log alone that is short', async () => {
    using it = open()
    it.checkpointer()
    await until(() => !it.byCommits())
    it.write(1)
    const before = it.pages()
    await Bun.sleep(20 * limits.lookMs)
    expect(it.pages()).toEqual(before)
  })

  test('ends with its owner, in the middle of work too, and nothing is left beside the database', async () => {
    for (const begun of [true, false]) {
      using it = open()
      const { close } = it.checkpointer()
      // It may be asked to end before it has begun.
      await (begun ? until(() => !it.byCommits()) : Bun.sleep(2))
      it.write(20)
      close()
      it.connection.close()
      for (const rest of ['-wal', '-shm']) expect(existsSync(it.file + rest)).toBe(false)
    }
  })

  test('where threads are forbidden commits make the checkpoints, which is said once', async () => {
    using it = open()
    let tries = 0
    const startThread = (): Worker => {
      tries++
      throw new TypeError('Failed to spawn worker thread')
    }
    const { faults } = it.checkpointer({ startThread, restartAfterMs: 1 })
    await until(() => tries >= 3)
    expect(faults.map(String)).toEqual(['TypeError: Failed to spawn worker thread'])
    expect(it.byCommits()).toBe(true)
    it.write(50)
    it.write(1)
    expect(it.pages().log * 4096).toBeLessThan(10 * mb)
  })

  test('that dies is replaced, and until then commits make the checkpoints', async () => {
    using it = open()
    const threads: Worker[] = []
    const startThread = (): Worker => {
      const url = new URL('../../src/storage/sqlite/checkpoint-worker.ts', import.meta.url)
      const thread = new Worker(url, { ref: false })
      threads.push(thread)
      return thread
    }
    const { faults } = it.checkpointer({ startThread, restartAfterMs: 50 })
    await until(() => !it.byCommits())
    threads[0]?.terminate()
    await until(() => it.byCommits())
    expect(faults).toHaveLength(1)
    await until(() => !it.byCommits())
    expect(threads).toHaveLength(2)
    it.write(20)
    await until(() => it.pages().checkpointed > 0)
  })

  test('whose database is gone ends, and says so', async () => {
    using it = open()
    const { faults } = it.checkpointer({ file: `${it.file}.none` })
    await until(() => faults.length > 0)
    expect(String(faults[0])).toContain('unable to open database')
    expect(it.byCommits()).toBe(true)
  })
})

describe('a reader that stays', () => {
  test('lets the log grow, stops no commit, and once it leaves the log shrinks', async () => {
    using it = open()
    it.checkpointer()
    await until(() => !it.byCommits())
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, 'reading-child.ts'), it.file],
      {
        stdin: 'pipe',
        stdout: 'pipe',
      },
    )
    await child.stdout.getReader().read()
    for (let written = 0; written < 80; written++) {
      it.write(1)
      await Bun.sleep(0)
    }
    expect(it.logBytes()).toBeGreaterThan(80 * mb)
    // What was there before the reader came is all that could be copied.
    expect(it.pages().checkpointed).toBeLessThan(it.pages().log / 2)
    await child.stdin.end()
    await child.exited
    await until(() => it.pages().checkpointed === it.pages().log)
    it.write(0.01)
    expect(it.logBytes()).toBeLessThan(45 * mb)
    expect(it.pages().log).toBeLessThan(100)
  })

  test('of a log that must begin anew makes nobody wait', () => {
    using it = open()
    const own = it.second()
    own.run('PRAGMA busy_timeout = 0')
    const look = openCheckpoints(own, { ...limits, restart: 8 * 256 })
    const reader = it.second()
    reader.run('BEGIN')
    reader.prepare('SELECT count(*) FROM filler').get()
    it.write(10)
    // All that is older than the reader; from then on it looks less and less often.
    look()
    const waits = [look(), look(), look()]
    expect(waits.map((ms) => ms > limits.lookMs)).toEqual([true, true, true])
    expect(waits).toEqual(waits.toSorted((one, other) => one - other))
    it.write(1)
    reader.run('ROLLBACK')
    expect(look()).toBe(limits.lookMs)
    it.write(0.01)
    expect(it.pages().log).toBeLessThan(100)
  })
})

describe('a log that commits overtake', () => {
  /** A database whose checkpoints always leave one page of a log of so many. */
  function busyDatabase(log: number) {
    const done: string[] = []
    let checkpointed = 0
    let version = 0
    const prepare = (sql: string) => ({
      get() {
        if (sql === 'PRAGMA data_version') return { data_version: ++version }
        if (!sql.includes('NOOP')) {
          done.push(/\((\w+)\)/.exec(sql)?.[1] ?? sql)
          checkpointed = sql.includes('RESTART') ? log : Math.min(log - 1, checkpointed + log / 2)
        }
        return { busy: 0, log, checkpointed }
      },
    })
    return { raw: { prepare } as unknown as Database, done }
  }

  test.each([
    ['waits for the next time while it is short', 2000, ['PASSIVE']],
    ['is copied again at once when it is long', 4000, ['PASSIVE', 'PASSIVE', 'PASSIVE']],
    ['begins anew at 256 MB', 66_000, ['PASSIVE', 'PASSIVE', 'PASSIVE', 'RESTART']],
  ])('%s', (_, log, expected) => {
    const { raw, done } = busyDatabase(log)
    openCheckpoints(raw, limits)()
    expect(done).toEqual(expected)
  })
})
