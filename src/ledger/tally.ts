import { minus, plus, zeroUsd, type NanoUsd } from '../domain/money'

/**
 * A sum of money that the database keeps and memory runs ahead of: what is committed, what is
 * decided but not yet committed, and what is held.
 */
export interface Tally {
  committed(): NanoUsd
  /** Committed and decided together. */
  settled(): NanoUsd
  held(): NanoUsd
  hold(amount: NanoUsd): void
  drop(amount: NanoUsd): void
  /** Adds to what is decided. */
  add(amount: NanoUsd): void
  /** Takes what is decided for a commit. */
  pending(): NanoUsd
  /** The commit of `amount` is done. @param total what the database now has, when it told */
  flushed(amount: NanoUsd, total?: NanoUsd): void
  /** Another process may have written: read the committed sum anew when it is next needed. */
  expire(): void
  idle(): boolean
}

export function openTally(read: () => NanoUsd): Tally {
  let committed = read()
  let stale = false
  let pending = zeroUsd
  let held = zeroUsd
  const fresh = (): NanoUsd => {
    if (stale) {
      committed = read()
      stale = false
    }
    return committed
  }
  return {
    committed: fresh,
    settled: () => plus(fresh(), pending),
    held: () => held,
    hold(amount) {
      held = plus(held, amount)
    },
    drop(amount) {
      held = minus(held, amount)
      if (held < 0) throw new Error('held below zero')
    },
    add(amount) {
      pending = plus(pending, amount)
    },
    pending: () => pending,
    flushed(amount, total) {
      pending = minus(pending, amount)
      if (total !== undefined) {
        committed = total
        stale = false
      } else if (!stale) committed = plus(committed, amount)
    },
    expire() {
      stale = true
    },
    idle: () => held === 0 && pending === 0,
  }
}
