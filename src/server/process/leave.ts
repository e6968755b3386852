import { openBlockingRequest, type BlockingRequest } from '../cluster/blocking-ask'
import { commitAt, openNextProcess, type Handed, type HandedSince } from '../cluster/next-process'
import { openPrivateDoor, OtherProcessAway, type PrivateDoor } from '../cluster/private-door'
import type { RequestId } from '../../domain/ids'
import type { HandedCall } from '../../ledger/handover'
import type { Batch, LedgerStore } from '../../ledger/store'
import { faultFields, type Log } from '../../gateway/observability/log'
import { isAlive } from '../../business/data/open'
import type { Storage } from '../../business/data/storage'
import type { FolderDuties } from './folder-duties'
import type { LedgerChoice } from '../open-money'
import type { ChosenPorts, Succession } from './run-contract'
import type { NotifyServiceManager } from './service-manager'
import { leavingSocket, servingSocket, type Predecessors } from './succeed'

/** The program that is to serve next. */
export interface NextProgram {
  /** Why the program on the disk cannot replace this one; null where it can. */
  fault(): Promise<string | null>
  start(succession: Succession): Promise<NextProcess>
}

export interface NextProcess {
  readonly pid: number
  readonly exited: Promise<unknown>
  kill(): void
}

interface LeaveParts {
  readonly storage: Pick<Storage, 'ledger'> & {
    readonly handover: NonNullable<Storage['handover']>
  }
  readonly choice: { readonly handover: NonNullable<LedgerChoice['handover']> }
  readonly duties: FolderDuties
  /** Looks at jobs of vendors. */
  readonly jobs: { close(): Promise<void>; start(): Promise<void> }
  readonly predecessors: Predecessors
  readonly program: NextProgram
  readonly ports: ChosenPorts
  readonly log: Log
  readonly tellManager: NotifyServiceManager
  /** The next process serves: ends what runs here. */
  leave(): void
  /** Ends what runs here before the next process serves. */
  stop(): Promise<void>
}

/** A process that does not serve after so long is ended. */
const maxStartMs = 120_000

type End = 'serves' | 'stops' | 'ended'

const isNothing = ({ ended, owed = [], reopened = [] }: Batch): boolean =>
  ended.length + owed.length + reopened.length === 0

/** Replaces the program of this process by the one on the disk, without refusing a call. */
export class Replacement {
  readonly #parts: LeaveParts
  #running: Promise<void> | null = null
  /** Of the process whose ledger decides; null while that of this one does. */
  #turn: WritingTurn | null = null

  constructor(parts: LeaveParts) {
    this.#parts = parts
  }

  /** Does nothing where that program does not serve. */
  replace(): Promise<void> {
    return (this.#running ??= this.#tryToReplace().finally(() => (this.#running = null)))
  }

  async #tryToReplace(): Promise<void> {
    try {
      await this.#replace()
    } catch (fault) {
      this.#parts.log.error('program not replaced', faultFields(fault))
    }
  }

  async #replace(): Promise<void> {
    const {
      log,
      program,
      predecessors,
      ports,
      storage,
      tellManager: notifyServiceManager,
      leave,
      stop,
    } = this.#parts
    const why = await program.fault()
    if (why !== null) return log.error('program not replaced', { why })
    // A third one would have to ask two for money.
    await predecessors.gone()
    const requestBlocking = openBlockingRequest()
    if (requestBlocking === null) throw new Error('no C library is known here')
    const attempt = new Attempt()
    const place = storage.handover.place()
    const door = openPrivateDoor(leavingSocket(place), this.#answers(attempt, requestBlocking))
    const next = await this.#started(program.start({ folder: place.folder, ports }), door)
    const timer = setTimeout(() => next.kill(), maxStartMs)
    const end = await Promise.race([attempt.end.promise, next.exited.then((): End => 'ended')])
    clearTimeout(timer)
    if (end === 'serves') {
      notifyServiceManager(`MAINPID=${next.pid}`)
      log.info('program replaced', { next: next.pid })
      return leave()
    }
    if (end === 'stops') {
      notifyServiceManager(`MAINPID=${next.pid}`)
      return await stop()
    }
    await this.#takeBack(attempt, door)
  }

  /** The next process; where it cannot be begun, nothing is left of the attempt. */
  async #started(starting: Promise<NextProcess>, door: PrivateDoor): Promise<NextProcess> {
    try {
      return await starting
    } catch (fault) {
      await door.close()
      this.#parts.storage.handover.forget()
      throw fault
    }
  }

  #answers(attempt: Attempt, requestBlocking: BlockingRequest) {
    const { log } = this.#parts
    const { ledger, limits } = this.#parts.choice.handover
    let snapshot: ReadonlyMap<RequestId, HandedCall> = new Map()
    return {
      running: () => ledger.calls().map(({ opening }) => opening.id),
      release: () => (attempt.releasing = this.#release(attempt)),
      calls: (): Handed => {
        const calls = ledger.calls()
        snapshot = new Map(calls.map((call) => [call.opening.id, call]))
        return { calls, limits: limits.state() }
      },
      follow: async (pid: number): Promise<HandedSince> => {
        attempt.check()
        const since = await this.#follow(pid, requestBlocking)
        return { ...since, calls: since.calls.filter((call) => hasChanged(call, snapshot)) }
      },
      serving: () => {
        this.#turn?.settle(true)
        attempt.end.resolve('serves')
      },
      stop: (seconds: number | null) => {
        log.warn(
          seconds === null
            ? 'older programs may not write beside the new schema: this process ends before the next one serves'
            : 'a step of the schema takes long: this process ends before the next one serves',
          seconds === null ? {} : { seconds },
        )
        attempt.end.resolve('stops')
      },
    }
  }

  /** Gives the data up. Calls go on by what is in memory. */
  async #release(attempt: Attempt): Promise<void> {
    const { storage, duties, jobs, choice } = this.#parts
    attempt.check()
    duties.stop()
    await jobs.close()
    attempt.check()
    await choice.handover.ledger.rest()
    attempt.check()
    storage.handover.leave()
  }

  /** Has another process decide from now on. @param pid of the process that asks for it */
  async #follow(pid: number, requestBlocking: BlockingRequest): Promise<HandedSince> {
    const { storage } = this.#parts
    const { ledger, limits } = this.#parts.choice.handover
    // What waits for a process that asked before would wait for ever.
    this.#turn?.settle(false)
    const turn = (this.#turn = new WritingTurn(pid))
    const socket = servingSocket(storage.handover.place(), pid)
    const commit: LedgerStore['commit'] = async (...batch) => {
      if (isNothing(batch[0])) return new Map()
      if (await turn.isTaken) return await commitAt(socket, ...batch)
      throw new OtherProcessAway('it ended before it served')
    }
    const next = openNextProcess({ socket, askBlocking: requestBlocking, commit })
    let handed: HandedSince | null = null
    await ledger.follow(next.money, (calls) => {
      handed = { calls, slots: limits.follow(next.limits) }
    })
    if (handed === null) throw new Error('nothing was handed over')
    return handed
  }

  /** Serves on: the next process ended before it did. */
  async #takeBack(attempt: Attempt, door: PrivateDoor): Promise<void> {
    const { storage, duties, jobs, log, stop } = this.#parts
    const { ledger, limits } = this.#parts.choice.handover
    attempt.isOver = true
    await attempt.releasing?.catch(() => {})
    this.#turn?.settle(false)
    try {
      storage.handover.takeBack()
    } catch (fault) {
      log.error('data folder not taken back: another process has it', faultFields(fault))
      ledger.abandon()
      return await stop()
    }
    limits.resume()
    await ledger.resume()
    if (attempt.releasing !== null) {
      await jobs.start()
      duties.start()
    }
    await door.close()
    storage.handover.forget()
    log.error('program not replaced', { why: 'the next process ended before it served' })
  }
}

/** One try to replace the program. */
class Attempt {
  /** Nothing is given up any more. */
  isOver = false
  /** The data being given up: from then on jobs and duties are not this process's. Null before. */
  releasing: Promise<void> | null = null
  readonly end = Promise.withResolvers<End>()

  /** @throws Error once it is over */
  check(): void {
    if (this.isOver) throw new Error('this process serves on')
  }
}

/** How often a process is looked at that is to write. */
const aliveMs = 500

/** Turn of another process to write what ends here: once it serves, and as long as it may come to that. */
class WritingTurn {
  readonly #taken = Promise.withResolvers<boolean>()
  readonly #timer: ReturnType<typeof setInterval>

  constructor(pid: number) {
    this.#timer = setInterval(() => {
      if (!isAlive(pid)) this.settle(false)
    }, aliveMs)
    this.#timer.unref()
  }

  /** Whether it is taken, once that is known. */
  get isTaken(): Promise<boolean> {
    return this.#taken.promise
  }

  settle(isTaken: boolean): void {
    clearInterval(this.#timer)
    this.#taken.resolve(isTaken)
  }
}

/** Whether a call is not as a snapshot has it. */
function hasChanged(call: HandedCall, snapshot: ReadonlyMap<RequestId, HandedCall>): boolean {
  const { opening, held, owed } = call
  const before = snapshot.get(opening.id)
  if (before === undefined || before.held !== held) return true
  return before.opening.model !== opening.model || before.owed?.cost !== owed?.cost
}
