import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { unusedExports } from '../scripts/unused-exports'

/** A folder of `src`, or a file that stands in it alone. */
interface Room {
  /** Two sentences: what lives here, and what does not or why it is a room. */
  readonly about: string
  /** Rooms that it may import from. */
  readonly leansOn: string
}

const words = 'domain errors json net media formats metering'
const services = 'vendors limits identity ledger catalogue http observability settings'
const spine = `${words} ${services} outbound`
const rooms: Readonly<Record<string, Room>> = {
  domain: {
    about:
      'The words that everybody speaks: money, ids, clocks, usage, callers, records. No I/O, and nothing of one vendor or one endpoint.',
    leansOn: '',
  },
  errors: {
    about:
      'One table of codes with status, type and retry rule, and their texts in two languages. Every refusal a client meets is made of it.',
    leansOn: 'domain',
  },
  json: {
    about:
      'JSON as bytes and as unknown values: reading fields, cost of parsing, edits in place. It knows no wire format.',
    leansOn: 'domain',
  },
  net: {
    about:
      'Addresses, proxies, sockets and bodies as values. Nothing here opens a connection; that is the room of what goes out.',
    leansOn: '',
  },
  media: {
    about:
      'Recordings and pictures by their containers: kind, length, playing time. Each container is read in one place, undecoded.',
    leansOn: 'domain',
  },
  formats: {
    about:
      'Each wire format whole in a room of its own: schema, reading, writing, streams, usage, errors. Pure functions over values; no I/O and no money.',
    leansOn: 'domain errors json media',
  },
  metering: {
    about:
      'What a call may cost and did cost: estimates, price cards, receipts. It counts and prices; who pays is the ledger.',
    leansOn: 'domain formats',
  },
  settings: {
    about:
      'The registry of what an operator can set, typed, and its values by now. Defaults and bounds stand beside the name.',
    leansOn: 'domain net',
  },
  observability: {
    about:
      'Logs, metrics and traces of calls and of the process. Nothing said by a client or a vendor passes through it.',
    leansOn: 'domain errors net',
  },
  limits: {
    about:
      'Concurrency, requests a minute, address slots, guard against guessing. In memory only; money is the ledger.',
    leansOn: 'domain errors net',
  },
  identity: {
    about:
      'Who calls: secrets, keys, what a key may do. It reads through a contract that storage fulfils.',
    leansOn: 'domain errors net',
  },
  ledger: {
    about:
      'Holds, charges and caps decided in memory, and written in groups. The only room that moves money.',
    leansOn: 'domain errors',
  },
  payments: {
    about:
      'Money that comes in: rates of coins, card gateways, redeem codes. Each is counted once by its reference; the way out is handed in.',
    leansOn: 'domain json',
  },
  trail: {
    about:
      'Who changed what: lines that are written with their change and never edited. Secrets do not stand in them.',
    leansOn: 'domain',
  },
  people: {
    about:
      'Phones, people, their accounts, and how they sign in. What a code is carried by is handed in.',
    leansOn: 'domain identity net',
  },
  operators: {
    about:
      'Who runs the service: operators, their roles, how they sign in, and keys for programs. What they may do is the table of operations.',
    leansOn: 'domain identity people trail',
  },
  sms: {
    about:
      'Providers that carry sign-in codes, each as data: its request and its faults. The way out is handed in.',
    leansOn: 'people',
  },
  verification: {
    about:
      'Who account holders are: national codes, requests and decisions. A service that decides is data, and the way to it is handed in.',
    leansOn: 'domain people',
  },
  mail: {
    about:
      'Letters and the server that sends them. What they say is handed in; one package speaks SMTP.',
    leansOn: 'settings',
  },
  notices: {
    about:
      'What people are told, when, and by which channel, at least once. What is worth telling is found in the commit that caused it.',
    leansOn: 'domain errors ledger observability',
  },
  pricing: {
    about:
      'What we pay and what we charge: cost cards, sale cards, rules, and what moves a price. Pure decisions over what is kept; nothing here is charged.',
    leansOn: 'domain metering',
  },
  bills: {
    about:
      'Bills of vendors: how each tells what it bills, and how that differs from our records. Pure functions over rows and answers; files and ways out are handed in.',
    leansOn: 'domain json metering pricing',
  },
  catalogue: {
    about:
      'Models on sale with their prices and routes, assembled from public cards and the operator. Resolves an id to an offer, and orders its routes.',
    leansOn: 'domain errors metering pricing',
  },
  vendors: {
    about:
      'One folder a vendor: how it is asked and how its answers and failures are read. A compatible vendor is one row of a table.',
    leansOn: 'domain errors json formats media net',
  },
  http: {
    about:
      'Requests into plain data and errors into responses: addresses, bodies, headers, limits of patience. It knows no endpoint.',
    leansOn: 'domain errors formats json limits media net',
  },
  outbound: {
    about:
      'Everything that goes out: our HTTP client, deadlines, sockets, public fetches. What is asked for is decided elsewhere.',
    leansOn: 'domain errors json net vendors',
  },
  call: {
    about:
      'The spine: the life of one metered call from its key to its charge, for every endpoint. Endpoints are data to it.',
    leansOn: spine,
  },
  endpoints: {
    about:
      'What is particular to each metered endpoint, a folder each; text is one endpoint with four client formats. Order of refusal, money and routes are the spine.',
    leansOn: `${spine} call`,
  },
  api: {
    about:
      'The public interface, one row a file with its document beside it. A row reads its request, calls one function and renders.',
    leansOn: `${spine} call endpoints`,
  },
  storage: {
    about:
      'Everything that outlives the process, behind contracts of the rooms above. The only room that knows SQL and the data folder.',
    leansOn:
      'domain metering ledger identity catalogue pricing bills settings notices payments endpoints trail people sms verification operators net',
  },
  cluster: {
    about:
      'What processes of one service need of each other: messages, shared limits, the supervisor of nodes, and what one hands to the next. Nothing of endpoints is known here.',
    leansOn: 'domain errors ledger limits http net',
  },
  guide: {
    about:
      'The pages of the guide, in Markdown. They are written for people who run or use the service, and are true of the program as it is.',
    leansOn: '',
  },
  admin: {
    about:
      'What an operator may change, and why not: functions with typed refusals. Commands and pages parse and show.',
    leansOn: `${words} ${services} people sms verification mail pricing bills payments notices storage operators trail`,
  },
  console: {
    about:
      'The server of the web app: its files, its sessions, the API of its pages. No rule of the operator stands here, and nothing of a key.',
    leansOn:
      'domain errors formats metering http net limits identity ledger settings people admin guide notices verification payments operators trail',
  },
  web: {
    about:
      'The half of the web app that runs in browsers. Of the server it knows the types of the console, and tables that are plain data.',
    leansOn: 'domain metering console',
  },
  app: {
    about:
      'The program as a whole: configuration, composition, server. It holds no rule; it opens, joins and closes.',
    leansOn: `${spine} call endpoints api console pricing notices payments people sms verification mail trail storage admin operators cluster`,
  },
  cli: {
    about: 'Commands: they parse, ask, call and print. No rule of the operator stands here.',
    leansOn: `${words} ${services} outbound notices trail storage api app admin operators`,
  },
  'main.ts': {
    about: 'Begins the program. Nothing else is here.',
    leansOn: 'cli',
  },
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
      'outbound/send.ts',
      'outbound/http1/connection.ts',
      'outbound/fetch-once.ts',
      // Processes of one service, at a socket of their data folder.
      'cluster/private-door.ts',
      'notices/channels/webhook.ts',
      'outbound/web-socket.ts',
      'cli/commands/chat-client.ts',
      'cli/remote/over-http.ts',
      // From a browser, to the gateway itself.
      'web/client.ts',
      'web/metered-call.ts',
    ],
  },
  { to: 'the database', packages: /^(?:bun:sqlite|drizzle-orm)/, only: ['storage/'] },
  { to: 'the HTTP framework', packages: /^elysia/, only: ['app/http-app.ts', 'console/api/'] },
  { to: 'mail servers', packages: /^nodemailer/, only: ['mail/smtp.ts'] },
  { to: 'the command line', packages: /^(?:commander|@clack)/, only: ['cli/'] },
  { to: 'collectors of traces', packages: /^@opentelemetry\//, only: ['observability/'] },
  {
    to: 'clock and chance',
    calls: /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/,
    // Pages have the clock of their browser.
    only: ['domain/clock.ts', 'web/'],
  },
  {
    // Rooms that are not named here measure durations, which only the monotonic clock can.
    to: 'the time of day',
    calls: /[cC]lock\.now\b/,
    only: [
      'domain/clock-jumps.ts',
      'admin/',
      'api/',
      'app/',
      'cli/',
      'console/',
      'endpoints/',
      'identity/',
      'notices/',
      'observability/',
      'operators/',
      'payments/',
      'people/',
      'storage/',
      'verification/',
      // Stamps of what is shown and kept.
      'call/try-routes.ts',
      'catalogue/health/vendor-health.ts',
      'http/open-inbound.ts',
      // Processes of one machine commit at the same times of day.
      // The next midnight in UTC.
      'call/staged-refusal.ts',
      'vendors/sandbox/videos.ts',
    ],
  },
  {
    // What runs for a while is measured by the monotonic clock: a wall clock is set forward and back meanwhile.
    to: 'ages by the time of day',
    calls: /[cC]lock\.now\(\)\s*[-+]|[-+]\s*[\w.#]*[cC]lock\.now\(\)/,
    // Ages of rows, which outlive the process.
    only: [
      'admin/operations/checklist.ts',
      // How far a wall clock is off.
      'app/clock-watch.ts',
      'app/holder-desk.ts',
      'app/price-check-worker.ts',
      'app/scheduled-prices.ts',
      'cli/kit/',
      'console/api/account-export.ts',
      'endpoints/videos/runner.ts',
      'notices/forget-old.ts',
      'notices/holder/outbox.ts',
      'notices/outbox.ts',
      'people/sign-in.ts',
      'payments/settle-payment.ts',
      'storage/sqlite/closings.ts',
      'storage/sqlite/verifications.ts',
      'vendors/sandbox/videos.ts',
    ],
  },
  {
    to: 'the terminal',
    calls: /\bconsole\.|\bprocess\.(?:stdout|stderr)\b/,
    // Samples that people paste print to their own.
    only: ['cli/kit/output.ts', 'web/samples.ts', 'web/model-samples.ts'],
  },
  {
    to: 'files',
    packages: /^(?:node:)?fs\b/,
    calls: /\bBun\.(?:file|write)\b/,
    only: [
      'storage/',
      'cli/',
      'app/machine-checks.ts',
      'app/serving-note.ts',
      'console/pages.ts',
      'metering/vocabulary/vocabulary.ts',
      'http/spool.ts',
      'http/descriptors.ts',
      'http/listener-pause.ts',
      'http/listener.ts',
      // What the container may use of processors.
      'limits/loop-lag.ts',
    ],
  },
  {
    to: 'other programs',
    calls: /\bBun\.spawn/,
    only: [
      'notices/channels/command.ts',
      'outbound/run-program.ts',
      'cluster/supervise.ts',
      // The program itself, in the place of this one.
      'cli/commands/next-program.ts',
      'cli/parent.ts',
    ],
  },
  {
    to: 'sockets of their own',
    packages: /^(?:node:)?net$/,
    only: ['net/address.ts', 'cluster/free-port.ts'],
  },
  {
    to: 'comparing secrets',
    calls: /\btimingSafeEqual\b|\bisHashOf\b/,
    only: [
      'domain/pepper.ts',
      // Words of the test bank, which is there in demo mode alone.
      'payments/trial-bank.ts',
      // Each of these takes a `Guess`, …
      'people/sign-in-rules.ts',
      'people/passkey-ring.ts',
      'people/sister-ticket.ts',
      'notices/holder/email-codes.ts',
      // … and these have keys that nobody can guess.
      'identity/open-identity.ts',
      'observability/metrics-door.ts',
      'payments/stripe.ts',
    ],
  },
  { to: 'guesses at secrets', calls: /\bnew Guess\b/, only: ['limits/local-limits.ts'] },
  { to: 'the environment', calls: /\bprocess\.env\b/, only: ['cli/'] },
]

/** Folders that no other room looks into. */
const inner = /^storage\/(?:sqlite|postgres|schema)\//

/** Where what others sent is read: the log shows messages of plain errors. */
const hearing = new Set('outbound formats vendors call endpoints http json media'.split(' '))

const longest = 300
/** Tables, not code. */
const lengthExempt: ReadonlySet<string> = new Set([
  'vendors/openai/dialects.ts',
  'settings/registry.ts',
])
/** Nobody imports these: they are where things begin, the program and its threads. */
const entries = [
  'main.ts',
  'web/main.tsx',
  'storage/sqlite/checkpoint-worker.ts',
  'app/upkeep-worker.ts',
  'app/price-check-worker.ts',
  'storage/sqlite/read-worker.ts',
  'storage/postgres/statement-worker.ts',
  'storage/postgres/store-worker.ts',
]
/** Where files of one kind export the same name, each for its own vendor, format, route or table. */
const alike = /^(?:vendors|formats\/[\w-]+|storage\/schema|api)\/|\/fields\.ts$/
/** Names that rooms far from each other have each for a thing of its own. */
const twoTypes: ReadonlySet<string> = new Set()
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
  const named = indexes[path] ?? path
  if (/\.(?:tsx?|jsonl?|css|html|svg|md|vocabulary)$/.test(named)) return named
  return existsSync(join(source, `${named}.tsx`)) ? `${named}.tsx` : `${named}.ts`
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
const transpiler = new Bun.Transpiler({ target: 'bun' })
const codeOf = ({ path, text }: SourceFile): string =>
  transpiler.transformSync(
    text.replaceAll(/ with \{ type: 'macro' \}/g, ''),
    path.endsWith('.tsx') ? 'tsx' : 'ts',
  )

/** Files that export a name, by the name; the half of browsers is a program of its own. */
function exportsOf(pattern: RegExp): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { path, text } of files)
    for (const [, name = ''] of roomOf(path) === 'web' ? [] : text.matchAll(pattern)) {
      const paths = found.get(name) ?? []
      if (!paths.includes(path)) found.set(name, [...paths, path])
    }
  return found
}

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
  new Set([room, ...(rooms[room]?.leansOn ?? '').split(' ')])

describe('the house', () => {
  test('was found', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(files.length)
  })

  test('has no room without a row, and no row without a room', () => {
    const built = new Set(files.map(({ path }) => roomOf(path)))
    expect([...built].sort()).toEqual(Object.keys(rooms).sort())
  })

  test('says of each room in two sentences what it is', () => {
    const short = Object.entries(rooms)
      .filter(([, { about }]) => (about.match(/\.(?: |$)/g) ?? []).length < 2)
      .map(([room]) => room)
    expect(short).toEqual([])
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

  test('shows the engines of storage to nobody else', () => {
    const wrong = files
      .filter(({ path }) => roomOf(path) !== 'storage')
      .flatMap(({ path, imports }) =>
        imports.filter((to) => inner.test(to)).map((to) => `${path} -> ${to}`),
      )
    expect(wrong).toEqual([])
    expect(files.some(({ path }) => inner.test(path))).toBe(true)
  })

  test('still needs each arrow that a room names for itself', () => {
    const shared = new Set(spine.split(' '))
    const unused = Object.entries(rooms).flatMap(([room, { leansOn }]) => {
      const used = new Set(
        files
          .filter(({ path }) => roomOf(path) === room)
          .flatMap(({ imports }) => imports.map(roomOf)),
      )
      // What many rooms lean on together is named for all of them.
      const own = leansOn.includes(services) ? (to: string) => !shared.has(to) : () => true
      return leansOn
        .split(' ')
        .filter((to) => to !== '' && own(to) && !used.has(to))
        .map((to) => `${room} -> ${to}`)
    })
    expect(unused).toEqual([])
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

  test('exports one name for one type', () => {
    const types = exportsOf(
      /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:class|interface|type)\s+(\w+)/gm,
    )
    const values = exportsOf(/^export\s+(?:async\s+)?(?:const|let|function\*?|class)\s+(\w+)/gm)
    const twice = [...types]
      .filter(
        ([name, paths]) =>
          paths.length > 1 || values.get(name)?.some((path) => !paths.includes(path)),
      )
      .map(([name]) => name)
    const many = [...values]
      .filter(([, paths]) => paths.length > 1 && !paths.every((path) => alike.test(path)))
      .map(([name]) => name)
    expect([...twice, ...many].filter((name) => !twoTypes.has(name)).sort()).toEqual([])
  })

  test('exports only what another file imports', () => {
    const unused = unusedExports(join(source, '..')).map(({ path, name }) => `${path}: ${name}`)
    expect(unused).toEqual([])
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
