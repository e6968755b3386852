import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import type { Finding, FindingCode } from '../../admin/doctor-codes'
import { systemClock } from '../../domain/clock'
import { newestSlackMs } from '../../app/clock-watch'
import { descriptorLimit } from '../../http/descriptors'
import { showUsd } from '../../domain/money'
import {
  closeToOthers,
  databaseIn,
  goneDatabase,
  isDatabaseGone,
  openToOthers,
  putDatabaseBack,
} from '../../storage/files/data-folder'
import { dangerousDiskBytes, diskBytesFree, lowDiskBytes } from '../../storage/files/disk-space'
import { spoolsAside } from '../../storage/files/ending-spool'
import type { Storage } from '../../storage/storage'
import { localTime } from '../kit/local-time'
import { servingNote } from './reach'
import { demoRemedy, rootRemedy, trustLine, urlRemedy } from './serving-notes'
import { counted } from '../kit/counted'

/** Words of a finding. */
interface Words {
  readonly check: string
  readonly found: string
  readonly advice?: string
}

export const finding =
  (state: Finding['state']) =>
  (code: FindingCode, facts: Finding['facts'], { check, found, advice }: Words): Finding => ({
    check,
    state,
    code,
    facts,
    found,
    advice: advice ?? null,
  })
const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')

/** Folder, files and their rights. @param holds what must be in it: the secret alone where the database is elsewhere */
export function checkFolder(
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

export function checkDisk(folder: string): Finding {
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
export function checkOpenFiles(): Finding | null {
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
export function checkMigration(folder: string): Finding | null {
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
export function checkProxies(folder: string): readonly Finding[] {
  const proxy = servingNote(folder)?.untrustedProxy ?? null
  if (proxy === null) return []
  const { address, header } = proxy
  const found = `${address} sends ${header}, which is not believed: all its clients count as one`
  const line = trustLine(proxy)
  const advice = `${line} in the environment of chapar serve, if that is your proxy`
  return [warn('proxy_untrusted', { address, header, line }, { check: 'proxies', found, advice })]
}

/** How the gateway that serves the folder was started, where that is for trying alone, or too much. */
export function checkServing(folder: string): readonly Finding[] {
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

/** Nothing was made before. */
const earliest = Date.UTC(2026, 0, 1)

export async function checkClock({ reports }: Storage): Promise<Finding> {
  const now = systemClock.now()
  const found = localTime(now)
  const advice = 'set the clock (timedatectl set-ntp true): days and months of caps hang on it'
  const check = 'clock'
  const facts = { time: found }
  if (now < earliest)
    return fail('clock_past', facts, { check, found: `${found} lies in the past`, advice })
  const newest = await reports.newest()
  if (newest === null || newest - now <= newestSlackMs) return ok('clock', facts, { check, found })
  const later = localTime(newest)
  return fail(
    'clock_behind',
    { ...facts, later },
    { check, found: `${found}, but the newest row is of ${later}`, advice },
  )
}

export async function checkLedger(storage: Storage): Promise<readonly Finding[]> {
  const {
    ok: sound,
    transfers,
    requests,
    differences,
    spooled,
    spooledCost,
  } = await storage.audit()
  return [
    sound
      ? ok(
          'ledger',
          { requests, transfers },
          {
            check: 'ledger',
            found: `${counted(requests, 'call')} and ${counted(transfers, 'transfer')} add up`,
          },
        )
      : fail(
          'ledger_differs',
          { count: differences.length, first: differences[0] ?? '' },
          {
            check: 'ledger',
            found: `${differences.length} differences, such as ${differences[0] ?? ''}`,
            advice: 'chapar audit shows all; chapar restore brings a backup back',
          },
        ),
    spooled === 0
      ? ok('spool', {}, { check: 'spool', found: 'every charge is in the database' })
      : warn(
          'spool_waits',
          { count: spooled, usd: showUsd(spooledCost) },
          {
            check: 'spool',
            found: `${spooled} charges of $${showUsd(spooledCost)} are not in the database yet`,
            advice:
              'chapar serve writes them; while it serves they wait for room on the disk, or for a lock',
          },
        ),
  ]
}

/** Spools that were put aside: of another database, and damaged ones. */
export function checkSpools(folder: string): readonly Finding[] {
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
