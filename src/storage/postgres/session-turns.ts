/** Sessions of a node that take turns: that of its stores, in their thread, and that of its chores. */
type Session = 'stores' | 'chores'

/** Memory of turns, shared by threads. */
export type TurnMemory = Int32Array<SharedArrayBuffer>

const sessions = { stores: 0, chores: 1 } as const satisfies Record<Session, number>
/** Places of the memory behind the two that tell who wants a turn. */
const first = 2
const ended = 3
const changes = 4

export const openTurnMemory = (): TurnMemory =>
  new Int32Array(new SharedArrayBuffer(5 * Int32Array.BYTES_PER_ELEMENT))

/**
 * Turns of one of the two sessions, so that beside its exchanges a node keeps at most one backend of the server busy.
 * Neither of them waits for more than one turn of the other (Peterson's algorithm: the one that came last lets the
 * other go first).
 */
export class SessionTurns {
  readonly #memory: TurnMemory
  readonly #own: number
  readonly #other: number

  constructor(memory: TurnMemory, session: Session) {
    this.#memory = memory
    this.#own = sessions[session]
    this.#other = 1 - this.#own
  }

  /** Stands still until it is this session's turn: for a thread that nothing else waits for. */
  take(): void {
    this.#want()
    for (let seen = this.#seen(); this.#mustWait(); seen = this.#seen())
      Atomics.wait(this.#memory, changes, seen)
  }

  async taken(): Promise<void> {
    this.#want()
    for (let seen = this.#seen(); this.#mustWait(); seen = this.#seen())
      await Atomics.waitAsync(this.#memory, changes, seen).value
  }

  /** The turn is over; of one that had none nothing changes. */
  give(): void {
    Atomics.store(this.#memory, this.#own, 0)
    this.#tell()
  }

  /** From now on neither session waits: this process lets go of its database. */
  end(): void {
    Atomics.store(this.#memory, ended, 1)
    this.#tell()
  }

  #want(): void {
    Atomics.store(this.#memory, this.#own, 1)
    Atomics.store(this.#memory, first, this.#other)
    this.#tell()
  }

  #mustWait(): boolean {
    const at = (place: number): number => Atomics.load(this.#memory, place)
    return at(ended) === 0 && at(this.#other) === 1 && at(first) === this.#other
  }

  #seen(): number {
    return Atomics.load(this.#memory, changes)
  }

  #tell(): void {
    Atomics.add(this.#memory, changes, 1)
    Atomics.notify(this.#memory, changes)
  }
}
