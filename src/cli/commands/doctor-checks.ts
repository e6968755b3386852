import { accessSync, constants, existsSync, statSync, readFileSync } from 'node:fs'
import { soldBelowCost } from '../../admin/margins'
import { pendingPrices } from '../../admin/price-proposals'
import type { ServiceParts } from '../../admin/service-parts'
import { dayMs, systemClock, type Ms } from '../../domain/clock'
import { familyOf, type ModelEntry } from '../../domain/model'
import { descriptorLimit } from '../../http/descriptors'
import { showUsd } from '../../domain/money'
import { missingPrices } from '../../metering/price-card'
import { databaseIn, secretIn } from '../../storage/files/data-folder'
import { dangerousDiskBytes, diskBytesFree, lowDiskBytes } from '../../storage/files/disk-space'
import { foreignSpools } from '../../storage/sqlite/ending-spool'
import type { Storage } from '../../storage/storage'
import { localTime } from '../kit/local-time'
import { servingNote } from './reach'
import { trustLine } from './serving-notes'

/** What one look found. `fail`: it does not work, or money is in danger; `warn`: it may not for long. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What to do; null when there is nothing to do. */
  readonly advice: string | null
}

export const finding =
  (state: Finding['state']) =>
  (check: string, found: string, advice: string | null = null): Finding => ({
    check,
    state,
    found,
    advice,
  })
const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')

/** Folder, files and their rights. */
export function checkFolder(folder: string): readonly Finding[] {
  const check = 'data folder'
  if (!existsSync(folder))
    return [
      fail(check, `${folder} is not there`, 'chapar quickstart, or --data with another folder'),
    ]
  if (!existsSync(databaseIn(folder)))
    return [
      fail(check, `${folder} holds no database`, 'chapar quickstart, or --data with another one'),
    ]
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    accessSync(databaseIn(folder), constants.R_OK | constants.W_OK)
  } catch {
    return [fail(check, `${folder} cannot be written`, `chown -R the folder to who runs chapar`)]
  }
  const open = [folder, databaseIn(folder), secretIn(folder)].filter(
    (path) => existsSync(path) && isOpenToOthers(path),
  )
  return open.length === 0
    ? [ok(check, `${folder}, its owner's alone`)]
    : [warn(check, `others can read ${open.join(', ')}`, `chmod -R go= ${folder}`)]
}

const isOpenToOthers = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

const gigabyte = 1024 ** 3

export function checkDisk(folder: string): Finding {
  const free = diskBytesFree(folder)
  const found = `${(free / gigabyte).toFixed(1)} GB free`
  const advice = 'make room: without it no call can be charged, and none is taken'
  if (free < dangerousDiskBytes) return fail('disk', found, advice)
  return free < lowDiskBytes ? warn('disk', found, advice) : ok('disk', found)
}

const wantedFiles = 8192

/** Each stream takes two connections; null where the system does not tell. */
export function checkOpenFiles(): Finding | null {
  const most = descriptorLimit()
  if (most === null) return null
  return most < wantedFiles
    ? warn(
        'open files',
        `at most ${most}, so about ${Math.floor(most / 2)} streams at once`,
        `ulimit -n 65535, or LimitNOFILE=65535 in the unit of systemd`,
      )
    : ok('open files', `at most ${most}`)
}

/** Whether the kernel hands connections of a process that stops listening to another one, where several serve. */
export function checkMigration(folder: string): Finding | null {
  const { processes = 1 } = servingNote(folder) ?? {}
  if (processes === 1) return null
  const advice = 'sysctl -w net.ipv4.tcp_migrate_req=1: else connections that wait are reset'
  const found = migrates()
  if (found === null) return warn('tcp_migrate_req', 'this kernel has none (Linux 5.14)', advice)
  return found
    ? ok('tcp_migrate_req', `on, for ${processes} processes`)
    : warn('tcp_migrate_req', `off, with ${processes} processes`, advice)
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
  const advice = `${trustLine(proxy)} in the environment of chapar serve, if that is your proxy`
  return [warn('proxies', found, advice)]
}

const clockSlackMs = 5 * 60_000
/** Nothing was made before. */
const earliest = Date.UTC(2026, 0, 1)

export async function checkClock({ reports }: Storage): Promise<Finding> {
  const now = systemClock.now()
  const found = localTime(now)
  const advice = 'set the clock (timedatectl set-ntp true): days and months of caps hang on it'
  if (now < earliest) return fail('clock', `${found} lies in the past`, advice)
  const any = { account: null, project: null, key: null, model: null, status: null }
  const span = { from: (now + clockSlackMs) as Ms, to: (now + 10_000 * dayMs) as Ms }
  const [later] = await reports.calls({ ...span, ...any, most: 1 })
  return later === undefined
    ? ok('clock', found)
    : fail('clock', `${found}, but a call is on record from ${localTime(later.created)}`, advice)
}

/** Fallbacks, and what names of several models stand for, that nobody sells any more. */
function checkFallbacks(entries: readonly ModelEntry[]): readonly Finding[] {
  const known = entries.filter(({ status }) => status !== 'discontinued')
  const ids = new Set(known.map(({ id }) => id))
  const lost = known.flatMap(({ id, fallbacks = [], aliasOf = [] }) =>
    [...fallbacks, ...aliasOf].filter((each) => !ids.has(each)).map((each) => `${each} of ${id}`),
  )
  if (lost.length === 0) return []
  const advice = 'chapar model set ID --fallbacks … (or --alias-of …)'
  return [warn('fallbacks', `no longer sold: ${shortened(lost)}`, advice)]
}

/** Cards of the models on sale, and whether there are any. */
export function checkModels(entries: readonly ModelEntry[]): readonly Finding[] {
  const wanted = entries.filter(({ status, routes }) => status === 'active' && routes.length > 0)
  const lacking = wanted.flatMap((entry) => {
    const { id, card, isFree } = entry
    const missing = card === null ? ['all'] : missingPrices(card, familyOf(entry), isFree)
    return missing.length === 0 ? [] : [`${id} (${missing.join(', ')})`]
  })
  const sold = wanted.length - lacking.length
  const own = wanted.filter(({ routes }) => routes.some(({ vendor }) => vendor !== 'sandbox'))
  const madeUp = wanted.length - own.length
  const advice = 'chapar vendor add, or a key such as OPENAI_API_KEY in the environment'
  return [
    own.length > 0
      ? ok('models', `${sold} on sale`)
      : warn(
          'models',
          sold === 0 ? 'none on sale' : `${sold} on sale, none but the sandbox's`,
          advice,
        ),
    ...(madeUp === 0 || own.length === 0
      ? []
      : [
          warn(
            'sandbox',
            `${madeUp} models of the sandbox are on sale to every customer: their answers are made up`,
            'chapar settings set sandbox off',
          ),
        ]),
    ...checkFallbacks(entries),
    ...(lacking.length === 0
      ? []
      : [
          warn(
            'prices',
            `not on sale for want of prices: ${shortened(lacking)}`,
            'chapar model set ID --price …',
          ),
        ]),
  ]
}

/** Whether a route costs more than its model is sold for, and what waits for a decision. */
export async function checkPrices(parts: ServiceParts): Promise<readonly Finding[]> {
  const below = await soldBelowCost(parts)
  const waiting = [...new Set((await pendingPrices(parts)).map(({ model }) => model))]
  return [
    ...(below.length === 0
      ? []
      : [
          warn(
            'below cost',
            `sold for less than a route costs: ${shortened(below)}`,
            'chapar model show ID; chapar model set ID --price …, or chapar prices list',
          ),
        ]),
    ...(waiting.length === 0
      ? []
      : [
          warn(
            'price changes',
            `waiting for a decision: ${shortened(waiting)}`,
            'chapar prices list; chapar prices approve ID, chapar prices reject ID',
          ),
        ]),
  ]
}

/** Whether the last check of public prices read every source. */
export async function checkPriceSources({ priceChecks }: Storage): Promise<readonly Finding[]> {
  const last = await priceChecks.read()
  if (last === null) return []
  const check = 'public prices'
  const when = localTime(last.at)
  const failed = last.sources.filter(({ problem }) => problem !== null)
  if (failed.length === 0) return [ok(check, `checked ${when}`)]
  const why = failed.map(({ name, problem }) => `${name}: ${problem}`).join('; ')
  return [
    warn(
      check,
      `checked ${when}; ${why}`,
      'chapar prices check; chapar settings set prices-sources …',
    ),
  ]
}

const mostShown = 5
const shortened = (names: readonly string[]): string =>
  names.length <= mostShown
    ? names.join(', ')
    : `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more`

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
      ? ok('ledger', `${requests} calls and ${transfers} transfers add up`)
      : fail(
          'ledger',
          `${differences.length} differences, such as ${differences[0] ?? ''}`,
          'chapar audit shows all; chapar restore brings a backup back',
        ),
    spooled === 0
      ? ok('spool', 'every charge is in the database')
      : warn(
          'spool',
          `${spooled} charges of $${showUsd(spooledCost)} are not in the database yet`,
          'chapar serve writes them; while it serves they wait for room on the disk, or for a lock',
        ),
  ]
}

/** Spools that were not this database's. */
export function checkForeignSpools(folder: string): readonly Finding[] {
  const aside = foreignSpools(folder)
  if (aside.length === 0) return []
  const advice = 'put the database that they belong to beside them, or remove them'
  return [warn('spool', `charges of another database lie in ${aside.join(', ')}`, advice)]
}
