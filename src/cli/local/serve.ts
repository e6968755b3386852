import { existsSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../../domain/error-code'
import { generousTerms, type EphemeralTerms } from '../../business/accounts/ephemeral-account'
import { keyPrefix, logOnly, readConfig, type Config } from '../../server/config'
import { databaseOf, timesOf } from '../../server/database'
import { ReportedUnfit, type SupervisorLink } from '../../server/process/node-process'
import { openSupervisor, type RunningNodes } from '../../server/process/supervisor'
import { openRun } from '../../server/process/run'
import type { RunParts } from '../../server/process/run-parts'
import type { RunningServer, RunNotes, Succession } from '../../server/process/run-contract'
import type { ServerOptions } from '../../server/listeners/server-contract'
import { openServiceManager, type NotifyServiceManager } from '../../server/process/service-manager'
import { openLog, type Log, type LogLevel } from '../../gateway/observability/log'
import { discoverVendors, noDiscovery } from '../../gateway/vendors/discover'
import { profileOf } from './configured-service'
import { probe } from './http-probe'
import { nextProgram } from './next-program'
import { nodesPlan, processCount } from './node-processes'
import { servingFile, servingNote } from '../../server/serving-note'
import { dropReadyFile, writeReadyFile } from './ready-file'
import { announce } from './running-gateways'
import { openServingNote } from './serving-notes'

export type { RunningServer } from '../../server/process/run-contract'

export interface ServeOptions {
  readonly dataFolder: string
  readonly host: string | null
  readonly port: number | null
  /** Where metrics are, instead of what the environment says. */
  readonly metrics?: { readonly host?: string; readonly port?: number }
  /** Where operators are answered, instead of what the environment says. */
  readonly admin?: { readonly host?: string; readonly port?: number }
  /** In memory, sandbox only: nothing is kept, nothing is reached. With what its account may spend. */
  readonly ephemeral: boolean | EphemeralTerms
  /** For trying: sign-in codes go to the terminal, and the test bank stands in for gateways. */
  readonly demo?: true
  /** Whether the sandbox is on sale, whatever the folder says; an ephemeral gateway has nothing else. */
  readonly sandbox?: true
  /** Node processes, instead of what the environment says; 0 for as many as there are cores. */
  readonly processes?: number
  readonly readyFile: string | null
  /** Address of a database that other processes serve from too, without a password. */
  readonly database?: string
  /** For a person who watches: only warnings are logged, unless the level was set. */
  readonly quiet: boolean
  readonly describeCommands?: () => string
  /** Whose place this process takes. */
  readonly succeeds?: Succession | null
  /** It may be replaced by the program on the disk. */
  readonly isReplaceable?: boolean
  /** It serves, and nobody has been told yet. */
  onServing?(): void
}

/**
 * Runs `serve` to its end.
 * @throws DataFolderBusy | Error with code EADDRINUSE | RangeError on a bad setting
 */
export async function runServe(options: ServeOptions): Promise<RunningServer | RunningNodes> {
  const parts = partsOf(options)
  const { config, folder, database = null } = parts
  const from = { folder, isShared: database !== null }
  const count = processCount(options.processes ?? config.processes, from)
  if (count === 1 || folder === null) return await openRun(parts)
  return await openSupervisor({ ...parts, folder }, nodesPlan(count))
}

/**
 * Serves as a node process of a supervisor, which keeps the notes on where they serve.
 * @throws ReportedUnfit when it cannot
 */
export async function runNode(
  options: ServeOptions,
  supervisor: SupervisorLink,
): Promise<RunningServer> {
  const parts = partsOf(options)
  const notes: RunNotes = {
    joined: parts.notes.joined,
    fenced: parts.notes.fenced,
    untrusted: (proxy) => supervisor.report({ kind: 'untrusted-proxy', proxy }),
    unnamed: (name) => supervisor.report({ kind: 'unnamed', name }),
    serving() {},
    stopping() {},
    stopped() {},
  }
  try {
    const server = await openRun({ ...parts, notes, supervisor })
    supervisor.obey(server)
    return server
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    supervisor.report({ kind: 'unfit', message, code: errorCode(thrown) })
    throw new ReportedUnfit(message, { cause: thrown })
  }
}

function partsOf(options: ServeOptions): RunParts & { readonly notes: Required<RunNotes> } {
  const config = configOf(options)
  const { log, joined } = openNamedLog(
    options.quiet && process.env['CHAPAR_LOG'] === undefined ? 'warn' : config.logLevel,
  )
  const { ephemeral } = options
  const notifyServiceManager = openServiceManager(process.env['NOTIFY_SOCKET'] ?? '')
  if (ephemeral !== false && options.database !== undefined)
    throw new RangeError('--ephemeral keeps everything in memory: leave --database out')
  const folder = ephemeral ? null : options.dataFolder
  const address = { host: options.host ?? config.host, port: options.port ?? config.port }
  return {
    config,
    log,
    folder,
    address,
    next: options.isReplaceable === true ? nextProgram : null,
    succeeds: options.succeeds ?? null,
    database: ephemeral === false ? sharedOf(options) : null,
    ephemeral: ephemeral === false ? null : termsOf(ephemeral),
    notes: {
      ...notesOf(folder, options, { demo: config.demo, log, tellManager: notifyServiceManager }),
      joined,
    },
    tellManager: notifyServiceManager,
    discover: async () =>
      config.detect && folder !== null ? await discover(config, address) : noDiscovery,
    profileOf: (discovery) => profileOf(config, discovery),
    describeCommands: options.describeCommands ?? (() => ''),
  }
}

/** A log that says which of several processes speaks, as soon as this one is one of them. */
function openNamedLog(level: LogLevel) {
  let name: string | null = null
  const joined = (process: string) => void (name = process)
  return { log: openLog(level, () => name), joined }
}

/** Tells commands, and whoever waits for the ready file, where the gateway is. */
function notesOf(
  folder: string | null,
  {
    readyFile,
    succeeds = null,
    onServing,
    quiet,
  }: Pick<ServeOptions, 'readyFile' | 'succeeds' | 'onServing' | 'quiet'>,
  {
    demo,
    log,
    tellManager: notifyServiceManager,
  }: { readonly demo: boolean; readonly log: Log; readonly tellManager: NotifyServiceManager },
): Omit<Required<RunNotes>, 'joined'> {
  const note = openServingNote({ folder, demo, quiet, log })
  let withdraw = () => {}
  let isLeaving = false
  return {
    untrusted: note.untrusted,
    unnamed: note.unnamed,
    serving(serving) {
      const { server, key, metricsUrl } = serving
      onServing?.()
      note.serving(serving)
      notifyServiceManager('READY=1')
      if (folder !== null)
        withdraw = announce({ pid: process.pid, url: server.url, data: resolve(folder) })
      if (readyFile === null) return
      const ready = { server, key, metricsUrl }
      // Whoever waited for the first process's may have taken its folder away.
      if (succeeds === null || existsSync(dirname(readyFile))) writeReadyFile(readyFile, ready)
    },
    leaving: () => void (isLeaving = true),
    stopping() {
      if (!isLeaving) notifyServiceManager('STOPPING=1')
      withdraw()
      if (readyFile !== null) dropReadyFile(readyFile)
    },
    fenced() {
      log.flush()
      process.exit(fencedExit)
    },
    stopped() {
      // By now it may be another process's.
      if (folder !== null && servingNote(folder)?.pid === process.pid)
        rmSync(servingFile(folder), { force: true })
    },
  }
}

/** For who restarts it: what it held counts no more, a new process is welcome. */
const fencedExit = 3

/** @throws RangeError on an address that is none */
function sharedOf({ database = null }: { readonly database?: string | null }) {
  const { CHAPAR_DATABASE, CHAPAR_DATABASE_FILE, CHAPAR_NODE_TTL } = process.env
  const address = databaseOf(database, { CHAPAR_DATABASE, CHAPAR_DATABASE_FILE })
  // Commands that this process runs beside itself are to find it too.
  if (database !== null && address !== null) process.env['CHAPAR_DATABASE'] = address.url
  return address === null ? null : { address, times: timesOf(CHAPAR_NODE_TTL) }
}

/** Configuration of a gateway that is to serve; an ephemeral one reaches nothing but its own metrics. */
export function configOf({
  metrics = {},
  admin = {},
  ephemeral,
  sandbox,
  demo,
}: Pick<ServeOptions, 'metrics' | 'admin' | 'ephemeral' | 'sandbox' | 'demo'>): Config {
  const env: Record<string, string | undefined> = { ...process.env }
  if (ephemeral || sandbox === true) env['CHAPAR_SANDBOX'] = 'on'
  if (ephemeral || demo === true) env['CHAPAR_DEMO'] = '1'
  // Tests share their machine with builds, and mean to get what they ask for.
  if (ephemeral) env['CHAPAR_OVERLOAD_LAG'] = '0'
  if (metrics.host !== undefined) env['CHAPAR_METRICS_HOST'] = metrics.host
  if (metrics.port !== undefined) env['CHAPAR_METRICS_PORT'] = String(metrics.port)
  if (admin.host !== undefined) env['CHAPAR_ADMIN_HOST'] = admin.host
  if (admin.port !== undefined) env['CHAPAR_ADMIN_PORT'] = String(admin.port)
  const config = readConfig(env)
  return ephemeral ? { ...config, notices: logOnly, traces: null } : config
}

const termsOf = (ephemeral: true | EphemeralTerms): EphemeralTerms =>
  ephemeral === true ? generousTerms : ephemeral

const discover = (config: Config, { host, port }: ServerOptions) =>
  discoverVendors({
    env: process.env,
    ownKeyPrefixes: config.services.map(keyPrefix),
    ownAddresses: [`${host}:${port}`, `127.0.0.1:${port}`, `localhost:${port}`],
    timeoutMs: config.vendorTimeoutMs,
    probe,
  })
