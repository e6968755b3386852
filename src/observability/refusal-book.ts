import { addressBucket } from '../domain/address'
import type { Clock, Ms } from '../domain/clock'
import { otherSources, type RefusalStore, type RefusedCalls } from '../domain/refused-calls'
import type { CallObserver, ObservedRequest, Refusal } from './call-observer'
import { faultFields, type Log } from './log'

export interface RefusalBookParts {
  readonly store: RefusalStore
  readonly log: Log
  readonly clock: Clock
}

/** Counts refused calls, logs the first of each line, and writes the lines now and then. */
export interface RefusalBook extends CallObserver {
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

type Line = { -readonly [Name in keyof RefusedCalls]: RefusedCalls[Name] }

/**
 * A flood of refusals costs a look-up each: memory, rows and log lines are bounded by the minute,
 * and nothing is read or written for a single call.
 */
export function openRefusalBook({ store, log, clock }: RefusalBookParts): RefusalBook {
  /** Of the minute that runs; `count` is what is not written yet. */
  let lines = new Map<string, Line>()
  let minute = 0 as Ms
  let keyLines = 0
  let strangerLines = 0
  /** Of minutes that are over. */
  let waiting: Line[] = []
  let timer: ReturnType<typeof setTimeout> | null = null

  const turnTo = (now: Ms) => {
    waiting.push(...[...lines.values()].filter(({ count }) => count > 0))
    if (waiting.length > maxWaiting) waiting = waiting.slice(-maxWaiting)
    lines = new Map()
    minute = now
    keyLines = strangerLines = 0
  }

  const lineOf = (refusal: Refusal, request: ObservedRequest): Line => {
    const { code } = refusal.error
    const caller = refusal.caller ?? refusal.error.caller
    const source = caller === null ? addressBucket(request.address) : ''
    const name = `${caller === null ? source : caller.key.id} ${code}`
    const found = lines.get(name)
    if (found !== undefined) return found
    const hasRoom = caller === null ? strangerLines < maxStrangerLines : keyLines < maxKeyLines
    if (!hasRoom) return lines.get(`${otherSources} ${code}`) ?? begin(otherSources, null)
    if (caller === null) strangerLines++
    else keyLines++
    return begin(source, caller)

    function begin(from: string, by: typeof caller): Line {
      const line: Line = {
        minute,
        code,
        key: by?.key.id ?? null,
        project: by?.project.id ?? null,
        account: by?.account.id ?? null,
        source: from,
        count: 0,
        endpoint: refusal.endpoint,
        address: request.address,
        request: request.requestId,
        time: request.received,
      }
      lines.set(from === otherSources ? `${from} ${code}` : name, line)
      const { key, account, address } = line
      log.info('refused', { code, key, account, address, request: line.request })
      return line
    }
  }

  const write = async () => {
    timer = null
    const dirty = [...waiting, ...[...lines.values()].filter(({ count }) => count > 0)]
    const batch = dirty.map((line) => ({ ...line }))
    for (const line of dirty) line.count = 0
    try {
      if (batch.length > 0) await store.add(batch)
      waiting = waiting.filter(({ count }) => count > 0)
    } catch (fault) {
      for (const [at, line] of dirty.entries()) line.count += batch[at]?.count ?? 0
      log.error('refusals', faultFields(fault))
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
      if (now - minute >= minuteMs || now < minute) turnTo((now - (now % minuteMs)) as Ms)
      const line = lineOf(refusal, request)
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
