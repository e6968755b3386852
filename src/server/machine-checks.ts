import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { finding, type Finding } from '../business/operations/finding'
import { descriptorLimit } from '../gateway/http/descriptors'
import {
  closeToOthers,
  databaseIn,
  goneDatabase,
  isDatabaseGone,
  openToOthers,
  putDatabaseBack,
  refuseShared,
} from '../storage/files/data-folder'
import { dangerousDiskBytes, diskBytesFree, lowDiskBytes } from '../storage/files/disk-space'
import { spoolsAside } from '../ledger/store/spool-file'
import type { DatabaseAddress } from '../storage/database-address'
import { isAlive } from '../business/data/open'
import { checkFormat, checkNodes } from './node-checks'
import { demoRemedy, rootRemedy, servingNote, trustLine, urlRemedy } from './serving-note'

const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')

/** Folder, files and their rights. @param holds what must be in it: the secret alone where the database is elsewhere */
function checkFolder(
  folder: string,
  holds: 'database' | 'secret' = 'database',
): readonly Finding[] {
  const check = 'data folder'
  if (!existsSync(folder))
    return [
      fail(
        'folder_missing',
        { folder },
        {
          check,
          found: `${folder} is not there`,
          advice: 'chapar quickstart, or --data with another folder',
        },
      ),
    ]
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    if (holds === 'database' && existsSync(databaseIn(folder)))
      accessSync(databaseIn(folder), constants.R_OK | constants.W_OK)
  } catch {
    return [
      fail(
        'folder_unwritable',
        { folder },
        {
          check,
          found: `${folder} cannot be written`,
          advice: 'run chapar as the user who serves; chown -R the folder to that one',
        },
      ),
    ]
  }
  if (holds === 'database' && isDatabaseGone(folder)) {
    const words = { check, found: goneDatabase(folder), advice: putDatabaseBack }
    return [fail('database_gone', { folder }, words)]
  }
  if (holds === 'database' && !existsSync(databaseIn(folder)))
    return [
      fail(
        'database_missing',
        { folder },
        {
          check,
          found: `${folder} holds no database`,
          advice: 'chapar quickstart, or --data with another one',
        },
      ),
    ]
  const open = openToOthers(folder)
  return open.length === 0
    ? [ok('folder_private', { folder }, { check, found: `${folder}, its owner's alone` })]
    : [
        warn(
          'folder_open',
          { folder, files: open.join(' ') },
          {
            check,
            found: `others can use ${open.join(', ')}`,
            advice: closeToOthers(folder),
          },
        ),
      ]
}

const gigabyte = 1024 ** 3

function checkDisk(folder: string): Finding {
  const free = diskBytesFree(folder)
  const gigabytes = (free / gigabyte).toFixed(1)
  const words = { check: 'disk', found: `${gigabytes} GB free` }
  const advice = 'make room: without it no call can be charged, and none is taken'
  if (free >= lowDiskBytes) return ok('disk', { gigabytes }, words)
  const low = free < dangerousDiskBytes ? fail : warn
  return low('disk_low', { gigabytes }, { ...words, advice })
}

const wantedFiles = 8192

/** Each stream takes two connections; null where the system does not tell. */
function checkOpenFiles(): Finding | null {
  const most = descriptorLimit()
  if (most === null) return null
  return most < wantedFiles
    ? warn(
        'open_files_few',
        { most, streams: Math.floor(most / 2) },
        {
          check: 'open files',
          found: `at most ${most}, so about ${Math.floor(most / 2)} streams at once`,
          advice: `ulimit -n 65535, or LimitNOFILE=65535 in the unit of systemd`,
        },
      )
    : ok('open_files', { most }, { check: 'open files', found: `at most ${most}` })
}

/** Whether the kernel hands connections of a process that stops listening to another one, where several serve. */
function checkMigration(folder: string): Finding | null {
  const { processes = 1 } = servingNote(folder) ?? {}
  if (processes === 1) return null
  const check = 'tcp_migrate_req'
  const advice = 'sysctl -w net.ipv4.tcp_migrate_req=1: else connections that wait are reset'
  const isOn = migrates()
  if (isOn === null) {
    const found = 'this kernel has none (Linux 5.14)'
    return warn('tcp_migrate_missing', { processes }, { check, found, advice })
  }
  return isOn
    ? ok('tcp_migrate', { processes }, { check, found: `on, for ${processes} processes` })
    : warn(
        'tcp_migrate_off',
        { processes },
        { check, found: `off, with ${processes} processes`, advice },
      )
}

/** Null where the kernel does not know it. */
function migrates(): boolean | null {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1'
  } catch {
    return null
  }
}

/** Whether the gateway that serves the folder met a proxy whose word it does not take. */
function checkProxies(folder: string): readonly Finding[] {
  const proxy = servingNote(folder)?.untrustedProxy ?? null
  if (proxy === null) return []
  const { address, header } = proxy
  const found = `${address} sends ${header}, which is not believed: all its clients count as one`
  const line = trustLine(proxy)
  const advice = `${line} in the environment of chapar serve, if that is your proxy`
  return [warn('proxy_untrusted', { address, header, line }, { check: 'proxies', found, advice })]
}

/** How the gateway that serves the folder was started, where that is for trying alone, or too much. */
function checkServing(folder: string): readonly Finding[] {
  const note = servingNote(folder)
  if (note === null) return []
  const { unnamedHost: host, demo, root } = note
  const findings: Finding[] = []
  if (host !== null) {
    const found = `clients reach it at ${host}, and CHAPAR_URL is not set`
    const words = { check: 'address', found, advice: urlRemedy }
    findings.push(warn('public_url_missing', { host }, words))
  }
  if (demo) {
    const found = 'demo mode: sign-in codes go to the terminal, and the test bank takes no money'
    findings.push(warn('demo', {}, { check: 'demo', found, advice: demoRemedy }))
  }
  if (root) {
    const found = 'it serves as root'
    findings.push(warn('root', {}, { check: 'user', found, advice: rootRemedy }))
  }
  return findings
}

/** Spools that were put aside: of another database, and damaged ones. */
function checkSpools(folder: string): readonly Finding[] {
  const { foreign, damaged } = spoolsAside(folder)
  const findings: Finding[] = []
  if (foreign.length > 0) {
    const found = `charges of another database lie in ${foreign.join(', ')}`
    const advice = 'put the database that they belong to beside them, or remove them'
    const words = { check: 'spool', found, advice }
    findings.push(warn('spool_foreign', { files: foreign.join(' ') }, words))
  }
  if (damaged.length > 0) {
    const found = `a spool was damaged: calls that it told of are not charged; its copy is ${damaged.join(', ')}`
    const advice = 'look at the disk; remove the copy when nobody needs it'
    const words = { check: 'spool', found, advice }
    findings.push(fail('spool_damaged', { files: damaged.join(' ') }, words))
  }
  return findings
}

/** Whoever serves has written down its number; one that was killed could not take it back. */
function serving(folder: string): Finding {
  const file = join(folder, 'serving.pid')
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  const check = 'gateway'
  return Number.isNaN(pid) || !isAlive(pid)
    ? ok('gateway_idle', {}, { check, found: 'none serves this folder' })
    : ok('gateway_serves', { pid }, { check, found: `process ${pid} serves this folder` })
}

interface DataPlace {
  readonly folder: string
  /** Instead of the folder's own. */
  readonly database: DatabaseAddress | null
}

interface Machine extends DataPlace {
  /** Silence after which another node takes one over. */
  readonly nodeTtlMs: number
}

/** Findings that leave nothing else to check: the folder, its files, and a database of another release. */
export async function checkPlace({ folder, database }: DataPlace): Promise<readonly Finding[]> {
  const first = checkFolder(folder, database === null ? 'database' : 'secret')
  if (database === null && first.some(({ code }) => code === 'database_missing'))
    refuseShared(folder)
  if (database === null || first.some(isFailed)) return first
  return [...first, ...(await checkFormat(database))]
}

const isFailed = ({ state }: Finding): boolean => state === 'fail'

/** Findings of the machine of the data: files, the process that serves, and nodes beside it. */
export async function examineMachine(place: Machine): Promise<readonly Finding[]> {
  const { folder, database, nodeTtlMs: ttlMs } = place
  const files = checkOpenFiles()
  const migration = checkMigration(folder)
  return [
    ...(await checkPlace(place)),
    ...checkSpools(folder),
    serving(folder),
    ...checkProxies(folder),
    ...checkServing(folder),
    checkDisk(folder),
    ...(files === null ? [] : [files]),
    ...(migration === null ? [] : [migration]),
    ...(database === null ? [] : await checkNodes(database, { ttlMs })),
  ]
}
