import type { Clock, Ms } from '../domain/clock'
import type { Identity } from '../gateway/identity/key-lookup'
import { faultFields, type Log } from '../gateway/observability/log'
import type { openSettings } from '../business/settings/settings'
import type { Storage } from '../business/data/storage'
import type { CatalogueLoader } from './catalogue-loader'
import type { Cluster } from './cluster/cluster'
import type { HolderService } from './composition/recipient-service'
import type { LedgerChoice } from './open-money'
import type { NoticeService } from './composition/notice-service'
import { openInLine } from '../domain/serial-queue'
import { within } from '../domain/with-timeout'

const syncPatienceMs = 1000
const reloadAgainMs = 1000

/** What is read anew when something was written, here or elsewhere. */
interface ChangeParts {
  /** Of the generation of the key that is in use. */
  readonly mark: string | null
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly cluster?: Cluster | null
  readonly settings: Awaited<ReturnType<typeof openSettings>>
  readonly loader: CatalogueLoader
  readonly identity: Identity
  readonly ledger: LedgerChoice['ledger']
  readonly notices: NoticeService
  readonly holders: HolderService
}

/** Takes in what was written, here or by other processes. */
export function openChangeFeed(parts: ChangeParts) {
  const { storage, clock, log, cluster = null } = parts
  const { settings, loader, identity, ledger, notices, holders } = parts
  const takeIn = () => {
    identity.expire()
    // Slices of a shared database stay good whatever changes there, and each exchange tells the sums.
    if (cluster === null) ledger.refresh()
    holders.wake()
  }
  const onCommit = () => {
    takeIn()
    notices.wake()
  }
  let { mark } = parts
  const useKeys = async () => {
    const now = await storage.secrets.activeMark()
    if (now === mark) return
    mark = now
    identity.forget()
    log.info('key generation changed', {})
  }
  const reloads = openReloads({
    log,
    // Of a shared database, calls go on by what is known; it is read as soon as that is back.
    triesAgain: cluster !== null,
    read: async () => {
      await useKeys()
      await settings.reload()
      if (await loader.isStale()) await loader.load()
    },
  })
  const advance = async (): Promise<void> => {
    if (cluster === null) return await loader.load()
    // Due again at the next look.
    await loader.load().catch(reloads.failed)
  }
  const refresh = async () => {
    onCommit()
    await reloads.reload()
  }
  const sync = openSync({
    version: storage.version,
    clock,
    isDue: loader.isDue,
    advance,
    // Of a shared database that does not answer, calls go on by what is known.
    ...(cluster === null ? {} : { patienceMs: syncPatienceMs }),
    onCommit,
    reload: reloads.reload,
    onFault: reloads.failed,
  })
  return { ...sync, refresh, changed: takeIn, endReloads: reloads.end }
}

interface ReloadParts {
  readonly log: Log
  /** Whether a failure is nobody's concern who waits, and is tried again. */
  readonly triesAgain: boolean
  read(): Promise<void>
}

/** Reads what changed, and tries again where that failed: one retry waits at a time, however much changes meanwhile. */
export function openReloads({ log, triesAgain, read }: ReloadParts) {
  let isEnded = false
  let retry: ReturnType<typeof setTimeout> | null = null
  const failed = (fault: unknown): void => {
    if (!isEnded) log.error('reload failed', faultFields(fault))
  }
  const reloadLater = () => {
    retry ??= setTimeout(() => {
      retry = null
      void reload()
    }, reloadAgainMs)
    retry.unref()
  }
  const reload = async (): Promise<void> => {
    if (isEnded) return
    try {
      await read()
    } catch (fault) {
      if (!triesAgain) throw fault
      failed(fault)
      if (!isEnded) reloadLater()
    }
  }
  /** Storage is about to close: nothing is read from it any more. */
  const end = () => {
    isEnded = true
    if (retry !== null) clearTimeout(retry)
  }
  return { reload, failed, end }
}

interface SyncParts {
  /** A number that changes when another process has committed; about a microsecond. */
  version(): number
  readonly clock: Clock
  /** Whether something is due by itself, at each look. */
  isDue(now: Ms): boolean
  /** Takes in what is due by itself. */
  advance(now: Ms): Promise<void>
  /** Another process has committed something: told at once. */
  onCommit(): void
  /** Takes in what that was. */
  reload(): Promise<void>
  /** Those who look wait no longer for it; for as long as it takes unless told. */
  readonly patienceMs?: number
  /** Told what could not be taken in, as is everybody who waits for it. */
  onFault(fault: unknown): void
}

/** Looks for commits of other processes: a microsecond when there are none. */
interface Sync {
  /** Over when they are taken in, for everybody who looks meanwhile. */
  sync(): Promise<void>
  /** Same; null where nothing is to be taken in. */
  changes(): Promise<void> | null
}

const nothing = Promise.resolve()

async function patiently(ms: number, work: Promise<void>): Promise<void> {
  await within(ms, work)
}

function openSync(parts: SyncParts): Sync {
  const { version, clock, isDue, advance, onCommit, reload, onFault, patienceMs } = parts
  const inLine = openInLine()
  let seen = version()
  let looked: Ms | null = null
  let taking: Promise<void> | null = null
  let isAdvancing = false
  const take = (work: () => Promise<void>) => {
    const all = inLine(work)
    const now = patienceMs === undefined ? all : patiently(patienceMs, all)
    taking = now
    const over = () => {
      if (taking === now) taking = null
    }
    now.then(over, (fault: unknown) => {
      over()
      onFault(fault)
    })
  }
  const changes = () => {
    // Looking once a millisecond is soon enough: no command can have ended in between.
    const time = clock.now()
    if (time === looked) return taking
    looked = time
    if (!isAdvancing && isDue(time)) {
      isAdvancing = true
      take(() => advance(time).finally(() => (isAdvancing = false)))
    }
    const now = version()
    if (now !== seen) {
      seen = now
      onCommit()
      take(reload)
    }
    return taking
  }
  return { changes, sync: () => changes() ?? nothing }
}
