import { join } from 'node:path'
import type { RequestId } from '../../domain/ids'
import { LeavingCalls } from '../cluster/leaving-process'
import type { HandedCall } from '../../ledger/handover'
import type { Handed, HandedSince } from '../cluster/next-process'
import { requestAt, openPrivateDoor, OtherProcessAway } from '../cluster/private-door'
import { faultFields, type Log } from '../../gateway/observability/log'
import { socketFolder } from '../../business/data/open'
import type { LeavingProcess, Storage } from '../../business/data/storage'
import type { LedgerChoice } from '../open-money'

/** Folder of a process that leaves. */
type Place = Pick<LeavingProcess, 'folder'>

/** Socket at which a process that leaves answers the one that serves, and the other way round. */
export const leavingSocket = ({ folder }: Place): string =>
  join(socketFolder(folder), 'leaving.sock')
export const servingSocket = ({ folder }: Place, pid: number): string =>
  join(socketFolder(folder), `serving-${pid}.sock`)

/** A question that has to wait for no commit and no vendor. */
const quickMs = 10_000
/** Until all that runs is written: a slow disk may take some seconds. */
const releaseMs = 60_000
const lookMs = 200

/** Has the process that serves a folder give it up, unless it has ended. @throws Error where it does not */
export const requestToRelease = async (place: Place): Promise<void> =>
  void (await unlessAway(requestAt(leavingSocket(place), 'release', [], releaseMs)))

/**
 * Tells the process that serves a folder that it has to end before the next one serves.
 * @param seconds that the steps of the schema last; null where it may not write beside them
 */
export const requestToStop = async (place: Place, seconds: number | null): Promise<void> =>
  void (await requestAt(leavingSocket(place), 'stop', [seconds], quickMs))

/** Whether a process that leaves answers no more. */
export const hasEnded = async (place: Place): Promise<boolean> =>
  (await unlessAway(requestAt(leavingSocket(place), 'running', [], quickMs))) === null

/** Processes that end their calls beside this one, when it began, and those calls. */
export interface LeavingBefore {
  readonly places: readonly LeavingProcess[]
  readonly running: ReadonlySet<RequestId>
}

export async function leavingBefore({
  handover,
}: Pick<Storage, 'handover'>): Promise<LeavingBefore> {
  const running = new Set<RequestId>()
  const places = handover?.leaving() ?? []
  for (const place of places) {
    const ids = await unlessAway(requestAt(leavingSocket(place), 'running', [], quickMs))
    for (const id of (ids ?? []) as readonly RequestId[]) running.add(id)
  }
  return { places, running }
}

const unlessAway = async <Of>(asked: Promise<Of>): Promise<Of | null> => {
  try {
    return await asked
  } catch (thrown) {
    // One that only does not answer in time goes on.
    if (thrown instanceof OtherProcessAway && thrown.isGone) return null
    throw thrown
  }
}

/** Processes that end their calls beside this one. */
export interface Predecessors {
  /** Tells them that new connections come here by now. */
  serving(): Promise<void>
  /** Resolves when none is left. */
  gone(): Promise<void>
  close(): Promise<void>
}

interface PredecessorParts {
  readonly storage: Pick<Storage, 'handover' | 'ledger'>
  readonly choice: Pick<LedgerChoice, 'handover'>
  /** Those whose calls the recovery of this process has left alone. */
  readonly before: Pick<LeavingBefore, 'places'>
  readonly log: Log
}

/** Takes over the money and the limits of processes that leave, before a call begins here. */
export async function adoptPredecessors(parts: PredecessorParts): Promise<Predecessors> {
  const { storage, choice } = parts
  const { places } = parts.before
  if (choice.handover === null || places.length === 0) return noPredecessors
  const adopted: Predecessor[] = []
  let isLost = false
  for (const place of places) {
    const predecessor = await Predecessor.adopt(place, parts)
    if (predecessor === null) isLost = true
    else adopted.push(predecessor)
  }
  // What it left is charged as after a kill; nothing runs here yet but calls of others.
  if (isLost) await storage.ledger.recover(new Set(adopted.flatMap((each) => each.running())))
  return {
    serving: async () => void (await Promise.all(adopted.map((each) => each.serving()))),
    gone: async () => void (await Promise.all(adopted.map(({ gone }) => gone))),
    close: async () => void (await Promise.all(adopted.map((each) => each.close()))),
  }
}

const noPredecessors: Predecessors = {
  serving: () => Promise.resolve(),
  gone: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

/** One of them. */
class Predecessor {
  readonly gone: Promise<void>
  readonly #place: LeavingProcess
  readonly #calls: LeavingCalls
  readonly #parts: PredecessorParts
  readonly #door: ReturnType<typeof openPrivateDoor>
  readonly #over = Promise.withResolvers<void>()
  readonly #timer: ReturnType<typeof setInterval>
  #isEnding = false

  private constructor(place: LeavingProcess, calls: LeavingCalls, parts: PredecessorParts) {
    this.#place = place
    this.#calls = calls
    this.#parts = parts
    this.#door = openPrivateDoor(servingSocket(place, process.pid), calls.answers())
    this.gone = this.#over.promise
    this.#timer = setInterval(() => this.#look(), lookMs)
    this.#timer.unref()
  }

  /** @returns null for one that ended before it handed over what it had */
  static async adopt(place: LeavingProcess, parts: PredecessorParts): Promise<Predecessor | null> {
    const { handover } = parts.choice
    if (handover === null) throw new Error('a process with slices takes no calls over')
    const calls = new LeavingCalls(handover)
    const adopted = new Predecessor(place, calls, parts)
    const handed = (await unlessAway(
      requestAt(leavingSocket(place), 'calls', [], quickMs),
    )) as Handed | null
    if (handed === null) {
      await adopted.close()
      while (goesOn(place, parts.storage)) await Bun.sleep(lookMs)
      return null
    }
    const first = await asWritten(parts.storage, handed.calls)
    await calls.adopt({ ...handed, calls: first })
    const since = (await requestAt(
      leavingSocket(place),
      'follow',
      [process.pid],
      quickMs,
    )) as HandedSince
    await calls.decide({ ...since, calls: await asWritten(parts.storage, since.calls) })
    parts.log.info('calls taken over', { from: place.pid, running: calls.running().length })
    return adopted
  }

  running(): readonly RequestId[] {
    return this.#calls.running()
  }

  async serving(): Promise<void> {
    await unlessAway(requestAt(leavingSocket(this.#place), 'serving', [], quickMs))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#door.close()
  }

  /** Once it is gone, what it left is charged. */
  #look(): void {
    const { handover } = this.#parts.storage
    if (this.#isEnding || handover === null || goesOn(this.#place, { handover })) return
    this.#isEnding = true
    void this.#end(handover).catch((fault: unknown) => {
      // Tried again at the next look.
      this.#isEnding = false
      this.#parts.log.error('calls of an ended process not written', faultFields(fault))
    })
  }

  async #end(handover: NonNullable<Storage['handover']>): Promise<void> {
    const { choice, log } = this.#parts
    await this.#door.close()
    const lost = this.#calls.lose(handover.leftBy(this.#place))
    await choice.handover?.ledger.flush(true)
    handover.forgetLeft(this.#place)
    clearInterval(this.#timer)
    if (lost > 0) log.warn('pending calls recovered', { calls: lost })
    log.info('earlier process ended', { pid: this.#place.pid })
    this.#over.resolve()
  }
}

const goesOn = (place: LeavingProcess, { handover }: Pick<Storage, 'handover'>): boolean =>
  handover?.leaving().some(({ pid }) => pid === place.pid) === true

/** Calls as the database has them: a process that served before may have written some, and ended others. */
async function asWritten(
  { ledger }: Pick<Storage, 'ledger'>,
  calls: readonly HandedCall[],
): Promise<readonly HandedCall[]> {
  const open: HandedCall[] = []
  for (const call of calls) {
    const row = await ledger.find(call.opening.id)
    if (row === null || row.status === 'pending') open.push({ ...call, written: row !== null })
  }
  return open
}
