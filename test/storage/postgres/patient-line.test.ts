import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { PatientLine } from '../../../src/storage/postgres/connection-with-deadline'
import { startDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy'
import { describeOn, serverKinds, startPostgres, type PostgresServer } from '../../support/postgres'
import { thrownBy } from '../../support/thrown-by'

/** A fifth of it is left between the server's time and the client's: more than a slow machine takes. */
const patienceMs = 1500

for (const kind of serverKinds)
  describeOn(kind, 'a line to a database', () => {
    let server: PostgresServer
    let proxy: DatabaseProxy
    let line: PatientLine
    let admin: SQL
    beforeAll(async () => {
      server = await startPostgres({ fsync: 'off' }, kind)
    })
    afterAll(() => server.remove())
    beforeEach(async () => {
      const url = await server.newDatabase()
      admin = new SQL(server.forAdministrator(url), { max: 1 })
      proxy = await startDatabaseProxy(url)
      line = new PatientLine({ address: readDatabaseAddress(proxy.url), name: 'line', patienceMs })
    })
    afterEach(async () => {
      await line.close()
      await proxy.close()
      await admin.close()
    })

    const backend = (): Promise<number> =>
      line.ask(async (sql) => {
        const [row]: { pid: number }[] = await sql.unsafe('SELECT pg_backend_pid() AS pid')
        return row?.pid ?? 0
      })
    const sessions = async (): Promise<readonly number[]> => {
      const rows: { pid: number }[] = await admin.unsafe(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
          AND application_name LIKE 'line %' ORDER BY backend_start`,
      )
      return rows.map(({ pid }) => pid)
    }

    test('does one thing after the other, each within its time, on one session', async () => {
      const first = await backend()
      const late = line.ask((sql) => sql.unsafe('SELECT pg_sleep(60)'))
      // The server ends it by itself, before the client gives up.
      expect(await thrownBy(late)).toMatchObject({ errno: '57014' })
      expect(await Promise.all([backend(), backend()])).toEqual([first, first])
    })

    test('begins nothing while a session that it gave up goes on', async () => {
      const hung = await backend()
      // As one that compiles: it heeds no time-out and no request to end.
      process.kill(hung, 'SIGSTOP')
      const seen: number[] = []
      try {
        for (let time = 0; time < 6; time++) {
          expect(String(await thrownBy(backend()))).toContain(
            `did not answer within ${patienceMs} ms`,
          )
          seen.push((await sessions()).length)
        }
      } finally {
        process.kill(hung, 'SIGCONT')
      }
      // The one that hangs, and one that waits for its end.
      expect(Math.max(...seen)).toBe(2)
      let next = await backend().catch(() => hung)
      while (next === hung) next = await backend().catch(() => hung)
      expect(await sessions()).toEqual([next])
    })

    test('ends a session whose client the server did not hear leave', async () => {
      const first = await backend()
      proxy.strand()
      await thrownBy(backend())
      expect(await sessions()).toEqual([first])
      const next = await backend()
      expect(next).not.toBe(first)
      expect(await sessions()).toEqual([next])
    })

    test('goes on after answers were lost, connections cut, and all ended by the server', async () => {
      await backend()
      proxy.loseAnswers()
      expect(String(await thrownBy(backend()))).toContain('did not answer')
      proxy.resume()
      await backend()
      proxy.cut()
      await thrownBy(backend())
      const next = await backend()
      await admin.unsafe('SELECT pg_terminate_backend($1)', [next])
      await thrownBy(backend())
      const last = await backend()
      expect(await sessions()).toEqual([last])
    })
  })
