import type { BlockingAsk } from '../cluster/blocking-ask'
import { commitAt, openNextProcess, type Handed } from '../cluster/next-process'
import { openPrivateDoor, OtherProcessAway, type PrivateDoor } from '../cluster/private-door'
import type { Batch, LedgerStore } from '../ledger/store'
import { faultFields, type Log } from '../observability/log'
import type { Storage } from '../storage/storage'
import type { FolderDuties } from './folder-duties'
import type { LedgerChoice } from './ledger-choice'
import type { ChosenPorts, Succession } from './run-contract'
import type { TellManager } from './service-manager'
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
  readonly askBlocking: BlockingAsk
  readonly ports: ChosenPorts
  readonly log: Log
  readonly tellManager: TellManager
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
  #hasReleased = false
  /** Jobs and duties are no more this process's. */
  #isPaused = false
  /** Whose ledger decides: the next process has to serve before it may write. */
  #isWritten = Promise.withResolvers<boolean>()
  #end = Promise.withResolvers<End>()

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
    const { log, program, predecessors, ports, storage, tellManager, leave, stop } = this.#parts
    const why = await program.fault()
    if (why !== null) return log.error('program not replaced', { why })
    // A third one would have to ask two for money.
    await predecessors.gone()
    this.#end = Promise.withResolvers()
    const place = storage.handover.place()
    const door = openPrivateDoor(leavingSocket(place), this.#answers())
    const next = await this.#started(program.start({ folder: place.folder, ports }), door)
    const timer = setTimeout(() => next.kill(), maxStartMs)
    const end = await Promise.race([this.#end.promise, next.exited.then((): End => 'ended')])
    clearTimeout(timer)
    if (end === 'serves') {
      tellManager(`MAINPID=${next.pid}`)
      log.info('program replaced', { next: next.pid })
      return leave()
    }
    if (end === 'stops') {
      tellManager(`MAINPID=${next.pid}`)
      return await stop()
    }
    await this.#takeBack(door)
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

  #answers() {
    const { storage, duties, jobs, log } = this.#parts
    const { ledger, limits } = this.#parts.choice.handover
    return {
      async running() {
        return ledger.calls().map(({ opening }) => opening.id)
      },
      release: async (): Promise<void> => {
        this.#isPaused = true
        duties.stop()
        await jobs.close()
        await ledger.rest()
        storage.handover.leave()
        this.#hasReleased = true
      },
      yield: async (pid: number): Promise<Handed> => {
        const socket = servingSocket(storage.handover.place(), pid)
        const isWritten = (this.#isWritten = Promise.withResolvers<boolean>())
        const commit: LedgerStore['commit'] = async (...batch) => {
          if (isNothing(batch[0])) return new Map()
          if (await isWritten.promise) return await commitAt(socket, ...batch)
          throw new OtherProcessAway('it ended before it served')
        }
        const { askBlocking } = this.#parts
        const next = openNextProcess({ socket, askBlocking, commit })
        let handed: Handed | null = null
        await ledger.follow(next.money, (calls) => {
          handed = { calls, limits: limits.follow(next.limits) }
        })
        if (handed === null) throw new Error('nothing was handed over')
        return handed
      },
      serving: () => {
        this.#isWritten.resolve(true)
        this.#end.resolve('serves')
      },
      stop: (seconds: number | null) => {
        log.warn(
          seconds === null
            ? 'older programs may not write beside the new schema: this process ends before the next one serves'
            : 'a step of the schema takes long: this process ends before the next one serves',
          seconds === null ? {} : { seconds },
        )
        this.#end.resolve('stops')
      },
    }
  }

  /** Serves on: the next process ended before it did. */
  async #takeBack(door: PrivateDoor): Promise<void> {
    const { storage, duties, jobs, log, stop } = this.#parts
    const { ledger, limits } = this.#parts.choice.handover
    try {
      if (this.#hasReleased) storage.handover.takeBack()
    } catch (fault) {
      log.error('data folder not taken back: another process has it', faultFields(fault))
      return await stop()
    }
    this.#isWritten.resolve(false)
    limits.resume()
    await ledger.resume()
    if (this.#isPaused) await jobs.start()
    duties.start()
    this.#hasReleased = this.#isPaused = false
    await door.close()
    storage.handover.forget()
    log.error('program not replaced', { why: 'the next process ended before it served' })
  }
}
