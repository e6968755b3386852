import type { AccountId } from '../domain/ids'
import { minus, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { LedgerStore, Scope } from './store'

/** What a tally sums: an account's money, or charges that a cap is checked against. */
export type TallyScope =
  Scope | { readonly kind: 'balance'; readonly id: AccountId; readonly period: '' }

/**
 * A sum of money that the database keeps and memory runs ahead of. Plain data: there is one for
 * each account, project and key that calls today, several times over.
 */
export interface Tally<Of extends TallyScope = TallyScope> {
  readonly scope: Of
  /** As the database had it in `reading`, plus what was committed from here since. */
  committed: NanoUsd
  /** Decided here, not yet committed. */
  pending: NanoUsd
  held: NanoUsd
  /** Beyond what is held: the most that calls which are not metered as they come can still cost. */
  reserved: NanoUsd
  /** Calls that hold here, those that hold nothing included. */
  holds: number
  reading: number
}

/** Committed and decided together. */
export const settled = (tally: Tally): NanoUsd => plus(tally.committed, tally.pending)

/** Every tally in memory; each sum has one. */
export interface Tallies {
  /** Read from the database when it is not in memory. */
  of<Of extends TallyScope>(scope: Of): Tally<Of>
  /** Reads `committed` anew if another process may have written since. */
  refresh(tally: Tally): void
  /** The same for what was written of these sums just now, where they are in memory. */
  reread(scopes: readonly TallyScope[]): void
  /** Another process may have written. */
  expire(): void
  /** Goes up with every `expire`. */
  reading(): number
  /** Drops what neither holds nor waits for a commit; whoever kept one must let go of it. */
  forgetIdle(): void
  count(): number
}

export function openTallies(store: LedgerStore): Tallies {
  const shelves = new Map<string, Map<number, Tally>>()
  let count = 0
  let reading = 0

  const read = (scope: TallyScope): NanoUsd =>
    scope.kind === 'balance' ? (store.balance(scope.id) ?? zeroUsd) : store.spent(scope)

  const shelfOf = ({ kind, period }: TallyScope) => `${kind} ${period}`

  return {
    of<Of extends TallyScope>(scope: Of): Tally<Of> {
      const name = shelfOf(scope)
      let shelf = shelves.get(name) as Map<number, Tally<Of>> | undefined
      if (shelf === undefined) shelves.set(name, (shelf = new Map<number, Tally<Of>>()))
      let tally = shelf.get(scope.id)
      if (tally === undefined) {
        const committed = read(scope)
        tally = {
          scope,
          committed,
          pending: zeroUsd,
          held: zeroUsd,
          reserved: zeroUsd,
          holds: 0,
          reading,
        }
        shelf.set(scope.id, tally)
        count++
      }
      return tally
    },
    refresh(tally) {
      if (tally.reading === reading) return
      tally.committed = read(tally.scope)
      tally.reading = reading
    },
    reread(scopes) {
      for (const scope of scopes) {
        const tally = shelves.get(shelfOf(scope))?.get(scope.id)
        if (tally === undefined) continue
        tally.committed = read(scope)
        tally.reading = reading
      }
    },
    expire: () => void reading++,
    reading: () => reading,
    forgetIdle() {
      for (const [name, shelf] of shelves) {
        for (const [id, tally] of shelf)
          if (tally.holds === 0 && tally.pending === 0) {
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
