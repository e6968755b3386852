import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { join } from 'node:path'
import type { Finding } from '../../../src/business/operations/finding'
import { hashSecret, makeSecret, secretPrefix } from '../../../src/gateway/identity/secret'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { openDatabase, wantedSettings } from '../../../src/storage/postgres/connect'
import { examineServer } from '../../../src/storage/postgres/examine-server'
import { exchangeSettings } from '../../../src/ledger/postgres/exchange-sql'
import type { serverSettings, SettingValues } from '../../../src/storage/postgres/server-settings'
import { startDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy'
import { run, serve } from '../../support/executable'
import { describeOn, serverKinds, startPostgres, type PostgresServer } from '../../support/postgres'
import { thrownBy } from '../../support/thrown-by'
import { customer, testFolder } from '../folder'

/** A value for each setting under which something of ours would go wrong. */
const hostile: Readonly<Record<keyof typeof serverSettings, string>> = {
  lock_timeout: '1ms',
  idle_session_timeout: '50ms',
  transaction_timeout: '2s',
  client_connection_check_interval: '0',
  tcp_keepalives_idle: '7200',
  tcp_keepalives_interval: '75',
  tcp_keepalives_count: '9',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  synchronous_commit: 'off',
  jit: 'on',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '8',
  work_mem: '64kB',
  hash_mem_multiplier: '1',
  maintenance_work_mem: '1MB',
  from_collapse_limit: '1',
  join_collapse_limit: '1',
  geqo: 'off',
  enable_seqscan: 'off',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
  enable_bitmapscan: 'off',
  enable_tidscan: 'off',
  enable_nestloop: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_hashagg: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  escape_string_warning: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  TimeZone: 'Asia/Tehran',
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  lc_numeric: 'POSIX',
  lc_time: 'POSIX',
  extra_float_digits: '-15',
  bytea_output: 'escape',
  row_security: 'on',
  check_function_bodies: 'off',
  exit_on_error: 'on',
  client_min_messages: 'debug5',
}
/** Of these each connection has a value of its own. */
const hostileToo = {
  statement_timeout: '5ms',
  idle_in_transaction_session_timeout: '5ms',
  search_path: 'public',
}

/** Every kind of connection, and what it has instead of the table's values. */
const kinds: Readonly<Record<string, SettingValues>> = {
  'chapar look': {},
  'chapar schema': {},
  'chapar stores': {},
  'chapar reads': {},
  'chapar audit': {},
  'chapar statistics': {},
  'chapar exchanges': exchangeSettings,
  'chapar node': {},
  'chapar notices': {},
  'chapar nodes list': {},
  'chapar doctor': {},
  'chapar backup': {},
  'chapar migrate': {},
}
const moving = {
  search_path: 'chapar_moving, pg_catalog',
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  max_parallel_workers_per_gather: '2',
}

for (const kind of serverKinds)
  describeOn(kind, 'a database whose settings are not ours', () => {
    let server: PostgresServer
    let proxy: DatabaseProxy
    let admin: SQL
    beforeAll(async () => {
      server = await startPostgres({ fsync: 'off' }, kind)
      const url = await server.newDatabase()
      const name = new URL(url).pathname.slice(1)
      admin = new SQL(server.forAdministrator(await server.newDatabase()), { max: 1 })
      const known: { name: string }[] = await admin.unsafe('SELECT name FROM pg_settings')
      const names = new Set(known.map((row) => row.name))
      for (const [setting, value] of Object.entries({ ...hostile, ...hostileToo }))
        if (names.has(setting))
          await admin.unsafe(`ALTER DATABASE ${name} SET "${setting}" = '${value}'`)
      proxy = await startDatabaseProxy(url)
    })
    afterAll(async () => {
      await proxy.close()
      await admin.close()
      await server.remove()
    })

    // Programs are run one after the other: once is enough.
    const onOne = kind === 'npm' ? () => {} : test
    onOne('has each of them as wanted on every connection, and serves', async () => {
      using folder = testFolder()
      const { path } = folder
      const first = folder.open(true)
      const { project } = await customer(first, { usd: '5', account: { name: 'سارا' } })
      const secret = makeSecret('sk-chapar-v1-')
      await first.directory.createKey(
        { project: project.id, name: 'laptop', prefix: secretPrefix(secret) },
        hashSecret(secret, first.pepper),
      )
      await first.close()
      const env = { CHAPAR_DATABASE: proxy.url, CHAPAR_DRAIN_DELAY: '0' }
      const command = async (...words: readonly string[]): Promise<string> => {
        const { code, stdout, stderr } = await run(words, { data: path, env })
        expect({ words, code, stderr }).toMatchObject({ words, code: 0 })
        return stdout
      }
      await command('migrate', '--dry-run')
      await command('migrate')

      const gateway = await serve(['--data', path], env)
      for (let call = 0; call < 5; call++) {
        const answer = await fetch(`${gateway.url}/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'sandbox/echo-priced',
            messages: [{ role: 'user', content: 'سلام \\ \' "' }],
          }),
        })
        expect(answer.status).toBe(200)
        expect(await answer.text()).toContain('سلام')
        // Longer than sessions may be idle there.
        await Bun.sleep(100)
      }
      expect(await command('nodes', 'list')).toContain('serving')
      const { data } = JSON.parse(await command('doctor', '--json')) as { data: readonly Finding[] }
      expect(data.filter(({ state }) => state === 'fail')).toEqual([])
      expect(data.map(({ code }) => code)).toContain('postgres')
      expect(await command('account', 'list')).toContain('سارا')
      expect(await command('requests', 'list')).toContain('sandbox/echo-priced')
      await command('backup', join(path, 'copy.backup'))
      gateway.kill('SIGTERM')
      expect(await gateway.exited).toBe(0)
      expect(gateway.logs()).not.toContain('did not answer')

      const { address } = await examineServer(readDatabaseAddress(proxy.url))
      const seen = new Set<string>()
      for (const { application_name: application = '', ...session } of proxy.sessions) {
        const name = application.replace(/ \S+@\S+$/, '')
        seen.add(name)
        const isMoving = session['search_path'] === moving.search_path
        const settings = { ...kinds[name], ...(isMoving ? moving : {}) }
        const wanted: Partial<Record<string, string>> = {
          ...wantedSettings({ ...address, settings }),
        }
        // Named once the version is known: earlier servers refuse it.
        if (name === 'chapar look') delete wanted['transaction_timeout']
        expect({ name, ...session }).toMatchObject({ name, ...wanted })
        expect(Number(session['statement_timeout'])).toBeGreaterThan(100)
      }
      expect([...seen].toSorted()).toEqual(Object.keys(kinds).toSorted())
    })

    test('shows them as wanted', async () => {
      const { address } = await examineServer(readDatabaseAddress(proxy.url))
      for (const settings of [{}, exchangeSettings, moving]) {
        const wanted = wantedSettings({ ...address, settings })
        await using sql = openDatabase({ address: { ...address, settings }, max: 1, name: 'test' })
        const [row]: { shown: Record<string, string> }[] = await sql.unsafe(
          `SELECT json_object_agg(n, current_setting(n)) AS shown
            FROM json_array_elements_text(($1::text)::json) AS j (n)`,
          [JSON.stringify(Object.keys(wanted))],
        )
        expect(row?.shown).toEqual({ ...wanted })
      }
      // And are another database's without us.
      await using bare = new SQL(proxy.url, { max: 1, connection: { statement_timeout: '0' } })
      const [shown]: { jit: string }[] = await bare.unsafe(`SELECT current_setting('jit') AS jit`)
      expect(shown?.jit).toBe('on')
    })
  })

describeOn('distribution', 'a server that cannot be used', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' }, 'distribution')
  })
  afterAll(() => server.remove())
  const said = async (url: string): Promise<string> => {
    const thrown = await thrownBy(examineServer(readDatabaseAddress(url)))
    expect(thrown).toBeInstanceOf(RangeError)
    return (thrown as RangeError).message
  }

  test('is a pooler that refuses settings, or keeps some of them', async () => {
    const url = await server.newDatabase()
    const only = new Set([
      'user',
      'database',
      'client_encoding',
      'application_name',
      'TimeZone',
      'DateStyle',
    ])
    await using proxy = await startDatabaseProxy(url, {
      rewrite: (parameters) =>
        Object.fromEntries(Object.entries(parameters).filter(([name]) => only.has(name))),
    })
    const kept = await said(proxy.url)
    expect(kept).toContain('is behind a pooler, such as PgBouncer')
    expect(kept).toMatch(/settings of connections \(\w+, \w+, \w+ and others\)/)
    await using refusing = await startDatabaseProxy(url, {
      rewrite: (parameters) => ({ ...parameters, nothing_known: '1' }),
    })
    expect(await said(refusing.url)).toContain('nothing_known')
  })

  test('is older than what is tested', async () => {
    const url = await server.newDatabase()
    await using sql = openDatabase({ address: readDatabaseAddress(url), max: 1, name: 'test' })
    // What our names find before those of PostgreSQL.
    await sql.unsafe('CREATE SCHEMA chapar')
    await sql.unsafe(
      `CREATE FUNCTION chapar.current_setting(text) RETURNS text LANGUAGE sql AS $$
        SELECT CASE $1 WHEN 'server_version_num' THEN '140011' WHEN 'server_version' THEN '14.11 (Debian)'
          ELSE pg_catalog.current_setting($1) END $$`,
    )
    expect(await said(url)).toContain('is PostgreSQL 14.11: this program needs 15 or newer')
  })

  test('runs no triggers for its user', async () => {
    const url = await server.newDatabase()
    await using sql = new SQL(server.forAdministrator(url), { max: 1 })
    await sql.unsafe(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET session_replication_role = replica`,
    )
    expect(await said(url)).toContain('ALTER ROLE chapar RESET session_replication_role')
  })
})
