import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Who may lean on whom. A room is a folder of `src`, or a file that stands in it alone. */
const lines = 'domain errors formats media metering'
const services = 'vendors limits identity ledger catalogue http observability settings'
const rooms: Readonly<Record<string, string>> = {
  domain: '',
  errors: 'domain',
  formats: 'domain errors',
  media: 'domain',
  metering: 'domain formats',
  vendors: 'domain errors formats',
  limits: 'domain errors',
  identity: 'domain errors',
  settings: 'domain',
  observability: 'domain errors',
  ledger: 'domain errors metering',
  notices: 'domain errors ledger observability',
  payments: 'domain',
  catalogue: 'domain errors metering',
  http: 'domain errors formats limits media',
  outbound: 'domain',
  reference: 'domain errors',
  call: `${lines} ${services} outbound`,
  realtime: `${lines} ${services} outbound call`,
  jobs: `${lines} ${services} outbound call`,
  routes: `${lines} ${services} call realtime jobs reference`,
  storage: 'domain errors metering ledger identity catalogue settings notices payments jobs',
  admin: 'domain errors metering vendors identity catalogue settings ledger payments storage',
  'config.ts': 'domain observability settings',
  'gateway.ts': `${lines} ${services} call jobs routes notices storage admin config.ts`,
  'server.ts': `${lines} http observability routes`,
  commands: `${lines} ${services} notices payments storage admin jobs routes config.ts gateway.ts server.ts`,
  'main.ts': 'commands',
}

/** What only some files may do: by the packages they import, or by what they call. */
interface Door {
  readonly to: string
  readonly packages?: RegExp
  readonly calls?: RegExp
  /** Files, or folders with a slash at the end. */
  readonly only: readonly string[]
}

const doors: readonly Door[] = [
  {
    to: 'the outside world',
    packages: /^(?:node:)?(?:https?|tls|dgram)$/,
    calls: /\bfetch\s*\(|\bnew WebSocket\b|\bBun\.connect\b/,
    only: [
      'call/send.ts',
      'outbound/connection.ts',
      'outbound/open-internet.ts',
      'outbound/web-socket.ts',
      'notices/channels/webhook.ts',
      'commands/ask.ts',
      'commands/chat-client.ts',
    ],
  },
  { to: 'the database', packages: /^(?:bun:sqlite|drizzle-orm)/, only: ['storage/'] },
  { to: 'the HTTP framework', packages: /^elysia/, only: ['server.ts'] },
  { to: 'the command line', packages: /^(?:commander|@clack)/, only: ['commands/'] },
  { to: 'collectors of traces', packages: /^@opentelemetry\//, only: ['observability/'] },
  {
    to: 'clock and chance',
    calls: /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/,
    only: ['domain/clock.ts'],
  },
  {
    to: 'the terminal',
    calls: /\bconsole\.|\bprocess\.(?:stdout|stderr)\b/,
    only: ['commands/output.ts'],
  },
  {
    to: 'files',
    packages: /^(?:node:)?fs\b/,
    calls: /\bBun\.(?:file|write)\b/,
    only: [
      'storage/',
      'commands/',
      'http/spool.ts',
      'http/descriptors.ts',
      'http/listener-pause.ts',
    ],
  },
  { to: 'other programs', calls: /\bBun\.spawn/, only: ['notices/channels/command.ts'] },
  { to: 'the environment', calls: /\bprocess\.env\b/, only: ['commands/'] },
]

/** Where what others sent is read: the log shows messages of plain errors. */
const hearing = new Set('outbound formats vendors call realtime http jobs media'.split(' '))

const longest = 300
/** Tables, not code. */
const lengthExempt: ReadonlySet<string> = new Set()
/** Nobody imports these: they are where things begin, the program and its threads. */
const entries = ['main.ts', 'storage/sqlite/checkpoint-worker.ts']
const bannedNames = /^(?:utils?|helpers?|common|misc|shared|managers?|services?|base|index)$/
interface SourceFile {
  readonly path: string
  readonly text: string
  /** Other files of `src`, resolved. */
  readonly imports: readonly string[]
  readonly packages: readonly string[]
}

const source = join(import.meta.dir, '..', 'src')
const importing = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s*)'([^'\n]+)'(?=\s*(?:[;)\n]|with|$))/gm
/** Folders that stand for one thing and say so in one file. */
const indexes: Readonly<Record<string, string>> = {
  'storage/schema': 'storage/schema/index.ts',
}

/** With its ending; a data file is named whole where it is imported. */
function resolved(from: string, to: string): string {
  const path = normalize(join(dirname(from), to))
  return indexes[path] ?? (/\.(?:tsx?|jsonl?|css|html)$/.test(path) ? path : `${path}.ts`)
}

const files: readonly SourceFile[] = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(source)]
  .filter((path) => !path.endsWith('.d.ts'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const named = [...text.matchAll(importing)].map((found) => found[1] ?? '')
    return {
      path,
      text,
      imports: named.filter((to) => to.startsWith('.')).map((to) => resolved(path, to)),
      packages: named.filter((to) => !to.startsWith('.')),
    }
  })
const paths = new Set(files.map(({ path }) => path))

const roomOf = (path: string): string => path.split('/')[0] ?? path
const inside = (imports: readonly string[]) => imports.filter((path) => !path.startsWith('..'))

/** The program without comments and types. */
const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'bun' })
const codeOf = ({ text }: SourceFile): string =>
  transpiler.transformSync(text.replaceAll(/ with \{ type: 'macro' \}/g, ''))

/** A circle of imports as a path that ends where it began, or null. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>()
  const walk = (node: string, way: readonly string[]): readonly string[] | null => {
    const seen = way.indexOf(node)
    if (seen !== -1) return [...way.slice(seen), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const circle = walk(next, [...way, node])
      if (circle !== null) return circle
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const circle = walk(node, [])
    if (circle !== null) return circle
  }
  return null
}

const allowed = (room: string): ReadonlySet<string> =>
  new Set([room, ...(rooms[room] ?? '').split(' ')])

describe('the house', () => {
  test('was found', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(files.length)
  })

  test('has no room without a row, and no row without a room', () => {
    const built = new Set(files.map(({ path }) => roomOf(path)))
    expect([...built].sort()).toEqual(Object.keys(rooms).sort())
  })

  test('has rooms that lean downwards only', () => {
    const graph = new Map(Object.keys(rooms).map((room) => [room, [...allowed(room)].slice(1)]))
    expect(circleIn(graph)).toBeNull()
  })

  test('imports only files that exist', () => {
    const lost = files.flatMap(({ path, imports }) =>
      inside(imports)
        .filter((to) => to.endsWith('.ts') && !paths.has(to))
        .map((to) => `${path} -> ${to}`),
    )
    expect(lost).toEqual([])
  })

  test('imports only from the rooms its own room may lean on', () => {
    const wrong = files.flatMap(({ path, imports }) => {
      const may = allowed(roomOf(path))
      return inside(imports)
        .filter((to) => !may.has(roomOf(to)))
        .map((to) => `${path} -> ${to}`)
    })
    expect(wrong).toEqual([])
  })

  test('has no circle of imports', () => {
    expect(circleIn(new Map(files.map(({ path, imports }) => [path, imports])))).toBeNull()
  })

  test('has no file that nobody needs', () => {
    const needed = new Set([...entries, ...files.flatMap(({ imports }) => imports)])
    expect(files.map(({ path }) => path).filter((path) => !needed.has(path))).toEqual([])
  })

  test(`has no file over ${longest} lines`, () => {
    const long = files
      .filter(({ path }) => !lengthExempt.has(path))
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines: count }) => count > longest)
    expect(long).toEqual([])
  })

  test('names files after what they hold, in small letters', () => {
    const wrong = files
      .map(({ path }) => path)
      .filter((path) => !Object.values(indexes).includes(path))
      .filter((path) =>
        path
          .replace(/(?:\.macro)?\.tsx?$/, '')
          .split('/')
          .some((part) => bannedNames.test(part) || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(part)),
      )
    expect(wrong).toEqual([])
  })

  test('has no error of its own that quotes what vendors or clients sent', () => {
    const quoting = /new Error\(\s*`[^`]*\$\{/
    const wrong = files.filter(
      ({ path, text }) =>
        hearing.has(roomOf(path)) && !path.startsWith('vendors/sandbox/') && quoting.test(text),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('has no default export', () => {
    const wrong = files.filter((file) =>
      /\bexport\s*\{[^}]*\bas default\b|\bexport default\b/.test(codeOf(file)),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  const opens = ({ packages, calls }: Door, file: SourceFile): boolean =>
    file.packages.some((name) => packages?.test(name)) || calls?.test(codeOf(file)) === true
  const stands = (path: string, at: string): boolean =>
    at.endsWith('/') ? path.startsWith(at) : path === at

  test.each([...doors])('has no way to $to but the known doors', (door) => {
    const through = files
      .filter(({ path }) => !door.only.some((at) => stands(path, at)))
      .filter((file) => opens(door, file))
    expect(through.map(({ path }) => path)).toEqual([])
  })

  test.each([...doors])('still needs each door to $to', (door) => {
    const unused = door.only.filter(
      (at) => !files.some((file) => stands(file.path, at) && opens(door, file)),
    )
    expect(unused).toEqual([])
  })
})
