import { SliceReclaim, type SentLine } from './slice-reclaim'
import { baseOf, scopeName, type LeasedScope, type SliceRow } from './exchange'

/** Money set aside, and what beyond it. */
export interface Granted {
  readonly how: 'granted'
  readonly reserved: number
  readonly metered: boolean
}

/** How a wish for money ended. */
export type HoldResult =
  | Granted
  /** There was an instant at which all nodes together had too little; or for long there was, here. */
  | { readonly how: 'refused' | 'late'; readonly by: Slice }
  /** Nobody may decide: the process does not hear of its engine. */
  | { readonly how: 'unavailable' }

/** What is asked for one call. */
export interface Asked {
  /** In the order in which they refuse. */
  readonly slices: readonly Slice[]
  readonly need: number
  /** The most that the call can cost; no less than what it needs. */
  readonly possible: number
  /** It ends where the money ends: nothing is reserved for it where that is less than possible. */
  readonly endsAtMoney: boolean
  /** All that could be had for what is possible was asked for. */
  readonly isContent: boolean
}

/** A call that waits for money. */
export interface WaitingHold extends Asked {
  /** When it stops waiting, whatever it waits for. */
  readonly deadline: number
  /** When it stops waiting in this line. */
  until: number
  /** Number of the first exchange that took for it where it waits now; 0 while there is none. */
  sentIn: number
  isContent: boolean
  /** An answer said that this line has too little: from then on it has patience, and no more. */
  isShort: boolean
  readonly done: (granting: HoldResult) => void
}

/** Answers are believed for so long where nobody says that something changed. */
const toldMs = 1000
/** A slice is as large as so many usual holds, or as what is spent in `SliceRules.coverMs`. */
const usualHolds = 64
const spendingWindowMs = 1000

/**
 * Share of one scope that one process may hold. Amounts are nano-dollars. Plain data beside a few sums: there is
 * one for each account, project and key that calls today, several times over.
 */
export class Slice {
  readonly name: string
  /** Given by the engine, and not yet charged in an exchange that it answered. */
  amount = 0
  /** Cap, as it is known by now; 0 for a balance, null where there is none. */
  limit: number | null
  held = 0
  /** Beyond what is held: the most that calls which are not metered as they come can still cost. */
  reserved = 0
  /** Calls that hold here, those that hold nothing included. */
  holds = 0
  /** Charged, and not in the engine's sum as it was told last. */
  unwritten = 0
  /** Given back by the exchange in flight. */
  giving = 0
  /** Charges of calls that the next exchange brings. */
  charging = 0
  /** Calls that wait for money of this scope, first come, first served. */
  readonly line: WaitingHold[] = []
  /** Lacking for calls that wait in another line. */
  lacking = 0
  /** Calls that are about to hold here: they must find the same slice. */
  pins = 0
  /** Those who want to be told how it stands. */
  probes: (() => void)[] = []
  readonly asking = new SliceReclaim()
  usedAt = 0
  /** The next exchange brings a line of it. */
  isStirred = false
  /** Below it, more is taken ahead of need. */
  low = 0
  /** The next line takes as much as is usual. */
  refill = false
  sum = 0
  /** Of it, all nodes together had slices. */
  leased = 0
  /** By calls of other nodes, as these said last; null where nobody knows. */
  heldElsewhere: number | null = null
  /** Number of the reading in which it was told; below zero for never. */
  reading = -1
  #toldAt = 0
  /** No more than this can be used: less than the slice where the base fell below what is leased. */
  #ceiling = Number.NEGATIVE_INFINITY
  #usual = 0
  #spent = 0
  #spentSince = 0

  constructor(readonly scope: LeasedScope) {
    this.name = scopeName(scope)
    this.limit = scope.kind === 'balance' ? 0 : null
  }

  /** For another hold. */
  free(): number {
    if (this.limit === null) return Number.POSITIVE_INFINITY
    return Math.min(this.amount, this.#ceiling) - this.held - this.unwritten - this.giving
  }

  /** Same, beside the most that all which runs here can cost. */
  sure(): number {
    return this.free() - this.reserved
  }

  /** Of the slice, whether or not the base still covers it. */
  spare(): number {
    return Math.max(0, this.amount - Math.max(0, this.held + this.unwritten))
  }

  /** What all nodes together could give at the last answer, this one included. */
  reach(): number {
    if (this.limit === null) return Number.POSITIVE_INFINITY
    const rest = baseOf(this.name, this.limit, this.sum) - this.leased
    return this.amount + rest - this.held - this.unwritten
  }

  /** Whether the engine had more to give than this node has. */
  mayGrow(now: number, reading: number): boolean {
    if (!this.isTold(now, reading)) return true
    return this.limit !== null && baseOf(this.name, this.limit, this.sum) > this.leased
  }

  isTold(now: number, reading: number): boolean {
    return this.reading === reading && now - this.#toldAt < toldMs
  }

  limitTo(limit: number | null): void {
    if (this.limit === limit) return
    this.limit = limit
    this.#ceil()
  }

  take(amount: number, now: number): void {
    this.held += amount
    this.asking.changed = true
    this.usedAt = now
    if (this.limit !== null) this.#count(amount, now)
  }

  /** Ends a part of what is held. @param cost charged for it */
  drop(held: number, cost: number, now: number): void {
    this.held -= held
    this.unwritten += cost
    this.asking.moved(this.held + this.unwritten)
    this.usedAt = now
  }

  /** The exchange that brought its line was answered. @param row null where it is only counted */
  answered({ charged, took }: SentLine, row: SliceRow | null, now: number, reading: number): void {
    this.unwritten -= charged
    this.giving = 0
    if (row === null) return
    this.asking.slot = row.slot
    this.amount = row.amount
    this.sum = row.sum
    this.leased = row.leased
    this.heldElsewhere = row.heldElsewhere ?? null
    this.reading = reading
    this.#toldAt = now
    this.#ceil()
    if (took) this.#lowAt(row.short)
    this.tellProbes()
  }

  /** More was taken: half of it may be used before more is. @param short where there was less than that */
  #lowAt(short: boolean): void {
    this.low = short || this.limit === null ? 0 : Math.max(0, Math.floor(this.free() / 2))
  }

  tellProbes(): void {
    if (this.probes.length === 0) return
    const probes = this.probes
    this.probes = []
    for (const told of probes) told()
  }

  /** What those who wait lack, and what is to be taken with it. @param coverMs as of `SliceRules` */
  lack(now: number, coverMs: number): { readonly need: number; readonly want: number } {
    const { line, lacking, refill } = this
    if (line.length === 0 && lacking === 0 && !refill) return { need: 0, want: 0 }
    const used = this.held + this.unwritten
    const free = this.reading < 0 ? this.amount - used : this.free()
    let needed = lacking
    let possible = lacking
    let largest = 0
    for (const wish of line) {
      needed += wish.need
      possible += wish.possible
      largest = Math.max(largest, wish.need)
    }
    const need = Math.max(0, needed - free)
    // What is asked of others is what is needed.
    if (this.asking.round > 0) return { need, want: need }
    const want = Math.max(needed, possible, this.#size(largest, now, coverMs)) - free
    return { need, want: Math.max(need, Math.min(want, Number.MAX_SAFE_INTEGER)) }
  }

  /** Its line is on its way. @returns what it charges */
  sent(giving: number): number {
    const { charging } = this
    this.giving = giving
    this.charging = 0
    this.lacking = 0
    this.refill = false
    this.asking.leastUsed = this.held + this.unwritten
    return charging
  }

  /** The most that can have been free when the engine answered. @param charged by that exchange */
  mostFree(charged: number): number {
    return Math.min(this.amount, this.#ceiling) - (this.asking.leastUsed - charged)
  }

  /** What is taken at once, so that most calls find it here. */
  #size(need: number, now: number, coverMs: number): number {
    const passedMs = Math.max(50, now - this.#spentSince)
    const covered = (this.#spent / passedMs) * coverMs
    return Math.max(usualHolds * Math.max(need, this.#usual), Math.ceil(covered))
  }

  /** Nothing is lost when it is forgotten. */
  isIdle(): boolean {
    return (
      this.holds === 0 &&
      this.pins === 0 &&
      this.unwritten === 0 &&
      this.amount === 0 &&
      this.line.length === 0 &&
      this.probes.length === 0 &&
      !this.isStirred
    )
  }

  #ceil(): void {
    if (this.limit === null || this.reading < 0) this.#ceiling = Number.NEGATIVE_INFINITY
    else this.#ceiling = baseOf(this.name, this.limit, this.sum) - (this.leased - this.amount)
  }

  #count(amount: number, now: number): void {
    this.#usual += Math.ceil((amount - this.#usual) / 8)
    const passedMs = now - this.#spentSince
    if (passedMs > spendingWindowMs) {
      // A fifth of the window goes on, at the rate so far.
      const kept = spendingWindowMs / 5
      this.#spent = this.#spentSince === 0 ? 0 : (this.#spent * kept) / passedMs
      this.#spentSince = now - kept
    }
    this.#spent += amount
  }
}
