import type { Editable } from '../../domain/mutable'
import { addressBucket } from '../net/address'
import type { Clock, Ms } from '../../domain/clock'
import { otherSources, type RefusalStore, type RefusedCalls } from '../../domain/refused-calls'
import type { CallObserver, ObservedRequest, RefusedCall } from './call-observer'
import { faultFields, type Log } from './log'

interface RefusalBookParts {
  readonly store: RefusalStore
  readonly log: Log
  readonly clock: Clock
}

/** Counts refused calls, logs the first of each line, and writes the lines now and then. */
interface RefusalBook extends CallObserver {
  /** Writes what is not written yet. */
  close(): Promise<void>
}

const minuteMs = 60_000
/** Lines are written together, this long after the first of them. */
const writeAfterMs = 1000
/** Lines of a minute; what comes on top is counted by its code alone. */
const maxKeyLines = 1000
const maxStrangerLines = 200
/** Lines that wait while the database cannot be written. */
const maxWaiting = 5000

/** `count` is of what is not written yet. */
type Line = Editable<RefusedCalls>

/**
 * A flood of refusals costs a look-up each: memory, rows and log lines are bounded by the minute,
 * and nothing is read or written for a single call.
 */
export function openRefusalBook({ store, log, clock }: RefusalBookParts): RefusalBook {
  let minute: Minute = openMinute(0 as Ms, log)
  /** Of minutes that are over. */
  let waiting: readonly Line[] = []
  let timer: ReturnType<typeof setTimeout> | null = null

  const write = async () => {
    timer = null
    const dirty = [...waiting, ...minute.unwritten()]
    const batch = dirty.map((line) => ({ ...line }))
    for (const line of dirty) line.count = 0
    try {
      if (batch.length > 0) await store.add(batch)
      waiting = waiting.filter(isUnwritten)
    } catch (fault) {
      for (const [at, line] of dirty.entries()) line.count += batch[at]?.count ?? 0
      log.error('refused calls not written', faultFields(fault))
      writeLater()
    }
  }
  const writeLater = () => {
    if (timer !== null) return
    timer = setTimeout(() => void write(), writeAfterMs)
    timer.unref()
  }

  return {
    attempted() {},
    ended() {},
    refused(refusal, request) {
      if (refusal.held) return
      const now = clock.now()
      if (now - minute.begins >= minuteMs || now < minute.begins) {
        waiting = [...waiting, ...minute.unwritten()].slice(-maxWaiting)
        minute = openMinute((now - (now % minuteMs)) as Ms, log)
      }
      const line = minute.lineOf(refusal, request)
      line.count++
      line.endpoint = refusal.endpoint
      line.address = request.address
      line.request = request.requestId
      line.time = now
      writeLater()
    },
    async close() {
      if (timer !== null) clearTimeout(timer)
      await write()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** The lines of one minute. */
interface Minute {
  readonly begins: Ms
  /** The line that a refusal is counted in; a new one is logged. */
  lineOf(refusal: RefusedCall, request: ObservedRequest): Line
  unwritten(): readonly Line[]
}

function openMinute(begins: Ms, log: Log): Minute {
  const lines = new Map<string, Line>()
  let keyLines = 0
  let strangerLines = 0

  const begin = (name: string, line: Line): Line => {
    lines.set(name, line)
    const { code, key, account, address, request } = line
    log.info('refused', { code, key, account, address, request })
    return line
  }

  return {
    begins,
    lineOf(refusal, request) {
      const { code, caller: known } = refusal.error
      const caller = refusal.caller ?? known
      const source = caller === null ? addressBucket(request.address) : ''
      const name = `${caller === null ? source : caller.key.id} ${code}`
      const found = lines.get(name)
      if (found !== undefined) return found
      const line = newLine(begins, refusal, request)
      if (caller === null ? strangerLines >= maxStrangerLines : keyLines >= maxKeyLines) {
        const others = `${otherSources} ${code}`
        return lines.get(others) ?? begin(others, { ...line, source: otherSources })
      }
      if (caller === null) {
        strangerLines++
        return begin(name, { ...line, source })
      }
      keyLines++
      const { key, project, account } = caller
      return begin(name, { ...line, key: key.id, project: project.id, account: account.id })
    },
    unwritten: () => [...lines.values()].filter(isUnwritten),
  }
}

const isUnwritten = ({ count }: Line): boolean => count > 0

/** A line that counts nothing yet, of nobody. */
const newLine = (
  minute: Ms,
  { error, endpoint }: RefusedCall,
  { address, requestId, received }: ObservedRequest,
): Line => ({
  minute,
  code: error.code,
  key: null,
  project: null,
  account: null,
  source: '',
  count: 0,
  endpoint,
  address,
  request: requestId,
  time: received,
})
