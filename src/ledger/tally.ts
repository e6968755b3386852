import { minus, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { LedgerStore, SumScope } from './store'
import type { StoreTurns } from './store-turns'

/**
 * A sum of money that the database keeps and memory runs ahead of. Plain data: there is one for
 * each account, project and key that calls today, several times over.
 */
export interface Tally<Of extends SumScope = SumScope> {
  readonly scope: Of
  /** As the database had it in `reading`, plus what was committed from here since. */
  committed: NanoUsd
  /** In the commit that is under way. */
  writing: NanoUsd
  /** Decided here, and in no commit yet. */
  pending: NanoUsd
  held: NanoUsd
  /** Beyond what is held: the most that calls which are not metered as they come can still cost. */
  reserved: NanoUsd
  /** Calls that hold here, those that hold nothing included. */
  holds: number
  /** Below every reading before it is read for the first time. */
  reading: number
}

/** Committed and decided together. */
export const settled = ({ committed, writing, pending }: Tally): NanoUsd =>
  plus(plus(committed, writing), pending)

/** Every tally in memory; each sum has one. */
export interface Tallies {
  /** Not read yet where it was not in memory. */
  of<Of extends SumScope>(scope: Of): Tally<Of>
  /** Reads those from the database that were read before another process may have written. */
  load(tallies: readonly Tally[], reading: number): Promise<void>
  /** Same, for what was written of these sums just now, where they are in memory. */
  reread(scopes: readonly SumScope[]): Promise<void>
  /** Another process may have written. */
  expire(): void
  /** Goes up with every `expire`. */
  reading(): number
  /** Drops what neither holds nor waits for a commit; whoever kept one must let go of it. */
  forgetIdle(): void
  count(): number
}

const unread = -1

export function openTallies(store: Pick<LedgerStore, 'sums'>, turns: StoreTurns): Tallies {
  const shelves = new Map<string, Map<number, Tally>>()
  let count = 0
  let reading = 0

  const shelfOf = ({ kind, period }: SumScope) => `${kind} ${period}`

  const read = async (tallies: readonly Tally[]): Promise<void> => {
    if (tallies.length === 0) return
    const begun = reading
    const sums = await store.sums(tallies.map(({ scope }) => scope))
    for (const [at, tally] of tallies.entries()) {
      // Another read may have begun later and be over already.
      if (tally.reading > begun) continue
      tally.committed = sums[at] ?? zeroUsd
      tally.reading = begun
    }
  }

  return {
    of<Of extends SumScope>(scope: Of): Tally<Of> {
      const name = shelfOf(scope)
      let shelf = shelves.get(name) as Map<number, Tally<Of>> | undefined
      if (shelf === undefined) shelves.set(name, (shelf = new Map<number, Tally<Of>>()))
      let tally = shelf.get(scope.id)
      if (tally === undefined) {
        tally = {
          scope,
          committed: zeroUsd,
          writing: zeroUsd,
          pending: zeroUsd,
          held: zeroUsd,
          reserved: zeroUsd,
          holds: 0,
          reading: unread,
        }
        shelf.set(scope.id, tally)
        count++
      }
      return tally
    },
    load: (tallies, wanted) =>
      turns.shared(() => read(tallies.filter((tally) => tally.reading < wanted))),
    reread: (scopes) =>
      turns.shared(() =>
        read(scopes.flatMap((scope) => shelves.get(shelfOf(scope))?.get(scope.id) ?? [])),
      ),
    expire: () => void reading++,
    reading: () => reading,
    forgetIdle() {
      for (const [name, shelf] of shelves) {
        for (const [id, tally] of shelf)
          if (tally.holds === 0 && tally.pending === 0 && tally.writing === 0) {
            shelf.delete(id)
            count--
          }
        if (shelf.size === 0) shelves.delete(name)
      }
    },
    count: () => count,
  }
}

/** Ends one call that holds here. */
export function dropHold(tally: Tally, held: NanoUsd): void {
  tally.holds--
  if (tally.holds < 0) throw new Error('holds below zero')
  lowerHeld(tally, held)
}

/** Gives back a part of what is held. */
export function lowerHeld(tally: Tally, by: NanoUsd): void {
  tally.held = minus(tally.held, by)
  if (tally.held < 0) throw new Error('held below zero')
}

/** As of `Funds`. */
export function fundsOf(balance: Tally) {
  const total = settled(balance)
  return { balance: total, held: balance.held, available: minus(total, balance.held) }
}
