import type { JournalStore, LedgerStore } from './store'

/** The store of this process, whose commits another process may write in its place. */
export class SwitchedStore implements JournalStore {
  /** No commit is to begin. */
  isResting = false
  readonly own: LedgerStore
  #commit: LedgerStore['commit'] | null = null

  constructor(own: LedgerStore) {
    this.own = own
  }

  /** @param commit of the process that writes from now on; null for this one */
  follow(commit: LedgerStore['commit'] | null): void {
    this.#commit = commit
  }

  readonly sums: LedgerStore['sums'] = (scopes) => this.own.sums(scopes)

  readonly commit: LedgerStore['commit'] = (batch, durable) =>
    this.#commit === null ? this.own.commit(batch, durable) : this.#commit(batch, durable)

  /** Of a process that rests, all is summed. */
  readonly sumUp: LedgerStore['sumUp'] = (mostRows) =>
    this.isResting ? Promise.resolve(false) : this.own.sumUp(mostRows)
}
