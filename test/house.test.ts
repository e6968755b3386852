import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { unusedExports } from '../scripts/unused-exports'

/** A folder of `src`, a folder of a wing, or a file that stands in `src` alone. */
interface Room {
  /** Two sentences: what lives here, and what does not or why it is a room. */
  readonly about: string
  /** Rooms that it may import from; a wing's name stands for all of its rooms. */
  readonly leansOn: string
}

/** Wings whose folders are rooms of their own; the others are one room each. */
const wings: ReadonlySet<string> = new Set(['gateway', 'business'])

/** What each room of the business may import from outside of it; among themselves they have tiers, see below. */
const belowBusiness = 'domain errors storage ledger gateway'

const rooms: Readonly<Record<string, Room>> = {
  domain: {
    about:
      'Values and types that every room shares: money, ids, clocks, usage, callers, field tables. No I/O, and nothing of one vendor or one endpoint.',
    leansOn: '',
  },
  errors: {
    about:
      'One table of codes with status, type and retry rule, and their texts in two languages. Every refusal a client meets is made of it.',
    leansOn: 'domain',
  },
  storage: {
    about:
      'The engines: SQLite and PostgreSQL, the schema, the data folder and its files. No statement of a subject stands here.',
    leansOn: 'domain',
  },
  ledger: {
    about:
      'Holds, charges and caps, decided in memory and committed in groups, with the sums of each commit. The only code that moves money, on both engines.',
    leansOn: 'domain errors storage',
  },
  'gateway/net': {
    about:
      'Addresses, proxies, sockets and bodies as values. Nothing here opens a connection; that is the room of what goes out.',
    leansOn: '',
  },
  'gateway/json': {
    about:
      'JSON as bytes and as unknown values: reading fields, cost of parsing, edits in place. It knows no wire format.',
    leansOn: 'domain',
  },
  'gateway/media': {
    about:
      'Recordings and pictures by their containers: kind, length, playing time. Each container is read in one place, undecoded.',
    leansOn: 'domain',
  },
  'gateway/settings': {
    about:
      'The registry of settings that an operator can change, typed. Defaults and bounds stand beside the name; values are kept by the business.',
    leansOn: 'domain gateway/net',
  },
  'gateway/identity': {
    about:
      'The caller of a request: secrets, keys, permissions, limits. Keys are read through a contract that the business implements.',
    leansOn: 'domain errors gateway/net',
  },
  'gateway/formats': {
    about:
      'Each wire format whole in a folder of its own: schema, reading, writing, streams, usage, errors. Pure functions over values; no I/O and no money.',
    leansOn: 'domain errors gateway/json gateway/media',
  },
  'gateway/metering': {
    about:
      'What a call may cost and did cost: estimates, price cards, receipts. It counts and prices; who pays is the ledger.',
    leansOn: 'domain gateway/formats',
  },
  'gateway/catalogue': {
    about:
      'Models on sale with their prices and routes, as calls read them, and the health of vendors. Resolves an id to an offer, and orders its routes.',
    leansOn: 'domain errors gateway/metering',
  },
  'gateway/observability': {
    about:
      'Logs, metrics and traces of calls and of the process. Nothing said by a client or a vendor passes through it.',
    leansOn: 'domain errors gateway/net',
  },
  'gateway/limits': {
    about:
      'Rate limits: concurrency, requests a minute, address slots, throttling of guesses. In memory only; money is the ledger.',
    leansOn: 'domain errors gateway/net',
  },
  'gateway/vendors': {
    about:
      'One folder a vendor: how a request is shaped and how answers and failures are read. A compatible vendor is one row of a table.',
    leansOn: 'domain errors gateway/json gateway/formats gateway/media gateway/net',
  },
  'gateway/http': {
    about:
      'Requests into plain data and errors into responses: addresses, bodies, headers, timeouts. It knows no endpoint.',
    leansOn: 'domain errors gateway/formats gateway/json gateway/limits gateway/media gateway/net',
  },
  'gateway/outbound': {
    about:
      'Everything that goes out: our HTTP client, deadlines, sockets, public fetches. What is requested is decided elsewhere.',
    leansOn: 'domain errors gateway/json gateway/net gateway/vendors',
  },
  'gateway/call': {
    about:
      'The life of one metered call from its key to its charge, for every endpoint. Endpoints are data to it.',
    leansOn:
      'domain errors ledger gateway/catalogue gateway/formats gateway/http gateway/identity gateway/json gateway/limits gateway/metering gateway/net gateway/observability gateway/outbound gateway/settings gateway/vendors',
  },
  'gateway/endpoints': {
    about:
      'What is particular to each metered endpoint, a folder each; text is one endpoint with four client formats. Order of refusal, money and routes are those of every call.',
    leansOn:
      'domain errors storage ledger gateway/call gateway/catalogue gateway/formats gateway/http gateway/identity gateway/json gateway/media gateway/metering gateway/net gateway/outbound gateway/vendors',
  },
  'gateway/api': {
    about:
      'The public interface, one row a file with its document beside it. A row reads its request, calls one function and renders.',
    leansOn:
      'domain errors ledger gateway/call gateway/catalogue gateway/endpoints gateway/formats gateway/http gateway/identity gateway/media gateway/metering gateway/net gateway/settings gateway/vendors',
  },
  'business/accounts': {
    about:
      'Accounts, groups, projects, keys, caps and notes on accounts. Rules, stores and operations of what customers own.',
    leansOn: belowBusiness,
  },
  'business/audit-log': {
    about:
      'The audit log: changes with their actor, written in the transaction of the change and never edited, and undo. Secrets do not stand in it.',
    leansOn: belowBusiness,
  },
  'business/bills': {
    about:
      'Bills of vendors: how each reports what it bills, and how that differs from our records. Reading is pure; files and requests are handed in.',
    leansOn: belowBusiness,
  },
  'business/catalogue': {
    about:
      'Models, aliases, routes, vendors and their credentials as an operator changes them. Calls read them through the catalogue of the gateway.',
    leansOn: belowBusiness,
  },
  'business/data': {
    about:
      'All that is kept as one: the contract of stores, opening on either engine, backup, moving between engines, secrets. It joins the stores of the subjects.',
    leansOn: belowBusiness,
  },
  'business/notices': {
    about:
      'Notices to operators and customers, when and by which channel, at least once; SMS providers and mail. A notice is written in the commit that caused it.',
    leansOn: belowBusiness,
  },
  'business/operations': {
    about:
      'The operation table: what an operation is, its command form, schemas, refusals in both languages. Every door mounts operations from here.',
    leansOn: belowBusiness,
  },
  'business/operators': {
    about:
      'Operators, their roles and keys, sign-in, daily allowances and impersonation. What they may do is the table of operations.',
    leansOn: belowBusiness,
  },
  'business/payments': {
    about:
      'Payments that come in: exchange rates, card gateways, vouchers, refunds. Each is counted once by its reference.',
    leansOn: belowBusiness,
  },
  'business/pricing': {
    about:
      'Cost cards, sale cards, pricing rules, and proposals from price checks. Decisions over what is kept; nothing here is charged.',
    leansOn: belowBusiness,
  },
  'business/settings': {
    about:
      'Values of settings as they are kept and changed, and connections to other services. The registry of names is the room of the gateway.',
    leansOn: belowBusiness,
  },
  'business/usage': {
    about:
      'Reports over calls: usage, profit, statements, lists of requests. Reads only; sums are written by the ledger.',
    leansOn: belowBusiness,
  },
  'business/users': {
    about:
      'Users, their phones, memberships, sessions, passkeys and sign-in. Codes are sent by channels that are handed in.',
    leansOn: belowBusiness,
  },
  'business/verification': {
    about:
      'Identity verification of account holders: national codes, requests, decisions. A service that decides is data.',
    leansOn: belowBusiness,
  },
  guide: {
    about:
      'The pages of the guide, in Markdown. They are written for people who run or use the service, and are true of the program as it is.',
    leansOn: '',
  },
  console: {
    about:
      'The server of the web app and the console: files, sessions, the API of the pages. It mounts operations, and holds no rule of the operator.',
    leansOn: 'domain errors ledger gateway business guide',
  },
  web: {
    about:
      'The half of the web app that runs in browsers. Of the server it knows tables of values and the types of the console.',
    leansOn: 'domain gateway/metering console',
  },
  server: {
    about:
      'Composition, configuration, listeners, process lifecycle, background jobs, several nodes. It holds no rule; it opens, joins and closes.',
    leansOn: 'domain errors storage ledger gateway business console',
  },
  cli: {
    about:
      'Commands: made from operations, but for those of the machine and the client. They parse, call and print; no rule of the operator stands here.',
    leansOn: 'domain storage gateway business server',
  },
  'main.ts': {
    about: 'Begins the program. Nothing else is here.',
    leansOn: 'cli',
  },
}

/**
 * Tiers of the business, lowest first. A file imports from its own tier and those below: rules and stores know no
 * operation, and operations are joined in one table.
 */
const businessTiers: readonly RegExp[] = [
  /^business\/(?!data\/|operations\/|[\w-]+\/operations\/)|^business\/operations\/(?:refusals\/|admin-error)|^business\/data\/(?:storage|service-parts|secrets\/secret-store)\.ts$/,
  /^business\/data\//,
  /^business\/operations\/(?!table|document|invoke|operations\/|doctor\/)/,
  /^business\/[\w-]+\/operations\/|^business\/operations\/doctor\//,
  /^business\/operations\/(?:table|document|invoke)\.ts$/,
]

/** At most so many files stand in one folder, and so many entries in `src`. */
const maxFilesInFolder = 45
const maxEntries = 12

/** What only some files may do: by the packages they import, or by what they call. */
interface Door {
  readonly to: string
  readonly packages?: RegExp
  readonly calls?: RegExp
  /** Files, folders with a slash at the end, or endings behind a star. */
  readonly only: readonly string[]
}

const doors: readonly Door[] = [
  {
    to: 'the outside world',
    packages: /^(?:node:)?(?:https?|tls|dgram)$/,
    calls: /\bfetch\s*\(|\bnew WebSocket\b|\bBun\.connect\b/,
    only: [
      'gateway/outbound/send.ts',
      'gateway/outbound/http1/connection.ts',
      'gateway/outbound/fetch-once.ts',
      // Processes of one service, at a socket of their data folder.
      'server/cluster/private-door.ts',
      'business/notices/channels/webhook.ts',
      'gateway/outbound/web-socket.ts',
      'cli/local/chat-client.ts',
      'cli/remote/over-http.ts',
      // From a browser, to the gateway itself.
      'web/client.ts',
      'web/metered-call.ts',
    ],
  },
  {
    to: 'the database',
    packages: /^(?:bun:sqlite|drizzle-orm)/,
    only: [
      'storage/',
      'ledger/',
      'business/data/',
      'business/usage/',
      '*store.ts',
      '*-sql.ts',
      '*-query.ts',
    ],
  },
  {
    to: 'the HTTP framework',
    packages: /^elysia/,
    only: ['server/listeners/http-app.ts', 'console/api/'],
  },
  { to: 'mail servers', packages: /^nodemailer/, only: ['business/notices/mail/smtp.ts'] },
  { to: 'the command line', packages: /^(?:commander|@clack)/, only: ['cli/'] },
  { to: 'collectors of traces', packages: /^@opentelemetry\//, only: ['gateway/observability/'] },
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
      'business/',
      'cli/',
      'console/',
      'gateway/api/',
      'gateway/endpoints/',
      'gateway/identity/',
      'gateway/observability/',
      'ledger/store/',
      'server/',
      'storage/',
      // Stamps of what is shown and kept.
      'gateway/call/try-routes.ts',
      'gateway/catalogue/health/vendor-health.ts',
      'gateway/http/open-inbound.ts',
      // The next midnight in UTC.
      'gateway/call/forced-error.ts',
      'gateway/vendors/sandbox/videos.ts',
    ],
  },
  {
    // What runs for a while is measured by the monotonic clock: a wall clock is set forward and back meanwhile.
    to: 'ages by the time of day',
    calls: /[cC]lock\.now\(\)\s*[-+]|[-+]\s*[\w.#]*[cC]lock\.now\(\)/,
    // Ages of rows, which outlive the process.
    only: [
      'business/operators/operations/checklist.ts',
      // How far a wall clock is off.
      'server/clock-watch.ts',
      'server/composition/recipient-service.ts',
      'server/price-checks/price-check-worker.ts',
      'server/price-checks/scheduled-prices.ts',
      'cli/kit/',
      'console/api/account-export.ts',
      'gateway/endpoints/videos/runner.ts',
      'business/notices/retention.ts',
      'business/notices/recipients/outbox.ts',
      'business/notices/outbox.ts',
      'business/users/sign-in.ts',
      'business/payments/settle-payment.ts',
      'business/accounts/closure-store.ts',
      'business/verification/store.ts',
      'gateway/vendors/sandbox/videos.ts',
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
      'business/data/',
      'ledger/store/spool-file.ts',
      'ledger/postgres/node-spools.ts',
      'cli/',
      'server/machine-checks.ts',
      'server/serving-note.ts',
      'console/pages.ts',
      'gateway/metering/vocabulary/vocabulary.ts',
      'gateway/http/spool.ts',
      'gateway/http/descriptors.ts',
      'gateway/http/listener-pause.ts',
      'gateway/http/listener.ts',
      // What the container may use of processors.
      'gateway/limits/loop-lag.ts',
    ],
  },
  {
    to: 'other programs',
    calls: /\bBun\.spawn/,
    only: [
      'business/notices/channels/command.ts',
      'gateway/outbound/run-program.ts',
      'server/cluster/supervise.ts',
      // The program itself, in the place of this one.
      'cli/local/next-program.ts',
      'cli/parent.ts',
    ],
  },
  {
    to: 'sockets of their own',
    packages: /^(?:node:)?net$/,
    only: ['gateway/net/address.ts', 'server/cluster/free-port.ts'],
  },
  {
    to: 'comparing secrets',
    calls: /\btimingSafeEqual\b|\bisHashOf\b/,
    only: [
      'domain/pepper.ts',
      // Words of the test bank, which is there in demo mode alone.
      'business/payments/trial-bank.ts',
      // Each of these takes a `Guess`, …
      'business/users/sign-in-rules.ts',
      'business/users/passkey-service.ts',
      'business/users/sso-token.ts',
      'business/notices/recipients/email-codes.ts',
      // … and these have keys that nobody can guess.
      'gateway/identity/open-key-lookup.ts',
      'gateway/observability/metrics-door.ts',
      'business/payments/stripe.ts',
    ],
  },
  { to: 'guesses at secrets', calls: /\bnew Guess\b/, only: ['gateway/limits/local-limits.ts'] },
  { to: 'the environment', calls: /\bprocess\.env\b/, only: ['cli/'] },
]

/** Where what others sent is read: the log shows messages of plain errors. */
const hearing = new Set(
  'outbound formats vendors call endpoints http json media'
    .split(' ')
    .map((room) => `gateway/${room}`),
)

const longest = 300
/** Tables, not code. */
const lengthExempt: ReadonlySet<string> = new Set([
  'gateway/vendors/openai/dialects.ts',
  'gateway/settings/registry.ts',
])
/** Nobody imports these: they are where things begin, the program and its threads. */
const entries = [
  'main.ts',
  'web/main.tsx',
  'storage/sqlite/checkpoint-worker.ts',
  'server/process/upkeep-worker.ts',
  'server/price-checks/price-check-worker.ts',
  'business/data/sqlite/reader-worker.ts',
  'storage/postgres/statement-worker.ts',
  'business/data/postgres/store-worker.ts',
]
/** Where files of one kind export the same name, each for its own vendor, format, route or table. */
const alike =
  /^(?:gateway\/vendors|gateway\/formats\/[\w-]+|storage\/schema|gateway\/api)\/|\/fields\.ts$/
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

function roomOf(path: string): string {
  const [wing = path, room] = path.split('/')
  return wings.has(wing) ? `${wing}/${room}` : wing
}
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

const inWing = (wing: string): readonly string[] =>
  wings.has(wing) ? Object.keys(rooms).filter((room) => room.startsWith(`${wing}/`)) : [wing]
/** Rooms of the business may import each other, by their tiers. */
const allowed = (room: string): ReadonlySet<string> =>
  new Set([
    room,
    ...(rooms[room]?.leansOn ?? '').split(' ').flatMap(inWing),
    ...(room.startsWith('business/') ? inWing('business') : []),
  ])

const bothInBusiness = (room: string, to: string): boolean =>
  room.startsWith('business/') && to.startsWith('business/')
const tierOf = (path: string): number => businessTiers.findIndex((tier) => tier.test(path))

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
    const graph = new Map(
      Object.keys(rooms).map((room) => [
        room,
        [...allowed(room)].slice(1).filter((to) => !bothInBusiness(room, to)),
      ]),
    )
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

  test('imports upwards nowhere in the business: rules, data, operations, table', () => {
    const inBusiness = files.filter(({ path }) => path.startsWith('business/'))
    const wrong = inBusiness.flatMap(({ path, imports }) =>
      imports
        .filter((to) => to.startsWith('business/') && tierOf(to) > tierOf(path))
        .map((to) => `${path} -> ${to}`),
    )
    expect(wrong).toEqual([])
    expect(inBusiness.filter(({ path }) => tierOf(path) === -1)).toEqual([])
    expect(new Set(inBusiness.map(({ path }) => tierOf(path))).size).toBe(businessTiers.length)
  })

  test('has operations that import no store of another subject', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      /^business\/[\w-]+\/operations\//.test(path)
        ? imports
            .filter((to) => /(?:^|[/-])store\.ts$/.test(to) && roomOf(to) !== roomOf(path))
            .map((to) => `${path} -> ${to}`)
        : [],
    )
    expect(wrong).toEqual([])
  })

  test(`has no folder with more than ${maxFilesInFolder} files`, () => {
    const folders = new Map<string, number>()
    for (const path of new Bun.Glob('**/*').scanSync(source))
      folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
    expect([...folders].filter(([, count]) => count > maxFilesInFolder)).toEqual([])
    expect(readdirSync(source).length).toBeLessThanOrEqual(maxEntries)
  })

  test('still needs each arrow that a room names for itself', () => {
    const unused = Object.entries(rooms).flatMap(([room, { leansOn }]) => {
      const used = new Set(
        files
          .filter(({ path }) => roomOf(path) === room)
          .flatMap(({ imports }) => imports.map(roomOf)),
      )
      // What all rooms of the business lean on together is named for all of them.
      if (leansOn === belowBusiness) return []
      return leansOn
        .split(' ')
        .filter((to) => to !== '' && !inWing(to).some((each) => used.has(each)))
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
        hearing.has(roomOf(path)) &&
        !path.startsWith('gateway/vendors/sandbox/') &&
        !path.endsWith('store.ts') &&
        quoting.test(text),
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
    at.startsWith('*')
      ? path.endsWith(at.slice(1))
      : at.endsWith('/')
        ? path.startsWith(at)
        : path === at

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
