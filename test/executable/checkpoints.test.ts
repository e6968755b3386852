import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serve, temporaryFolder } from '../support/executable'
import { until } from '../support/pace'

test('the log is copied back while nobody commits, and nothing is left at the end', async () => {
  const data = join(temporaryFolder(), 'data')
  const serving = await serve(['--data', data])
  const file = join(data, 'chapar.db')
  const raw = new Database(file, { strict: true })
  // What is copied from now on, the gateway has copied.
  raw.run('PRAGMA wal_autocheckpoint = 0')
  raw.run('CREATE TABLE filler (bytes BLOB)')
  raw.run('INSERT INTO filler VALUES (zeroblob(8000000))')
  const count = raw.prepare<{ log: number; checkpointed: number }, []>(
    'PRAGMA wal_checkpoint(NOOP)',
  )
  await until(() => count.get()?.checkpointed !== 0)
  const { log, checkpointed } = count.get() ?? { log: 0, checkpointed: -1 }
  expect(log).toBeGreaterThan(1900)
  expect(checkpointed).toBe(log)
  raw.run('DROP TABLE filler')
  raw.close(true)
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  expect(serving.logs()).not.toContain('checkpoint')
  for (const rest of ['-wal', '-shm']) expect(existsSync(file + rest)).toBe(false)
  rmSync(join(data, '..'), { recursive: true, force: true })
})
