import type { Fleet } from './fleet'

/** Longest times without an answer, in milliseconds. */
export interface Silences {
  /** Of nodes while nothing happened to them, nor to the database. */
  readonly untouched: number
  /** Of nodes while the database was away, or was hindered. */
  readonly database: number
  /** Of nodes to which something happened. */
  readonly touched: number
}

const everyMs = 20
const patienceMs = 2000

/** What a fault touches: one or more gateways, or the database and with it all. */
export type Touched = readonly number[] | 'database'

/** Calls each gateway again and again, and notes for how long it did not answer. */
export class SilenceWatch {
  readonly #longest = { untouched: 0, database: 0, touched: 0 }
  /** When a fault of a gateway ended last; infinite while it lasts. */
  readonly #touchedAt: number[]
  #databaseAt = 0
  #isOver = false
  readonly #probes: Promise<void>[]

  constructor(fleet: Fleet, secret: string) {
    this.#touchedAt = fleet.gateways.map(() => 0)
    this.#probes = fleet.gateways.map((_, at) => this.#probe(fleet, at, secret))
  }

  /** Counts what is silent meanwhile, and until its next answer, as touched. */
  async during(touched: Touched, fault: () => Promise<void>): Promise<void> {
    this.#mark(touched, Number.POSITIVE_INFINITY)
    try {
      await fault()
    } finally {
      this.#mark(touched, performance.now())
    }
  }

  async end(): Promise<Silences> {
    this.#isOver = true
    await Promise.all(this.#probes)
    const { untouched, database, touched } = this.#longest
    const whole = Math.round
    return { untouched: whole(untouched), database: whole(database), touched: whole(touched) }
  }

  #mark(touched: Touched, at: number): void {
    if (touched === 'database') this.#databaseAt = at
    else for (const gateway of touched) this.#touchedAt[gateway] = at
  }

  async #probe(fleet: Fleet, at: number, secret: string): Promise<void> {
    let last = performance.now()
    while (!this.#isOver) {
      const signal = AbortSignal.timeout(patienceMs)
      const status = await fleet.call(at, secret, { signal }).then(
        async (answer) => (await answer.text(), answer.status),
        () => 0,
      )
      const now = performance.now()
      if (status === 200) {
        this.#note(at, last, now)
        last = now
      }
      await Bun.sleep(everyMs)
    }
  }

  #note(at: number, last: number, now: number): void {
    const kind =
      (this.#touchedAt[at] ?? 0) >= last
        ? 'touched'
        : this.#databaseAt >= last
          ? 'database'
          : 'untouched'
    this.#longest[kind] = Math.max(this.#longest[kind], now - last)
  }
}
