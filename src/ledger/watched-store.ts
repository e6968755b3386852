import type { LedgerStore } from './store'

/** Observer of every commit. */
export interface CommitObserver {
  committed(tookMs: number): void
  failed(): void
}

/** Store with an observer of its commits. */
export const watchedStore = (store: LedgerStore, observer: CommitObserver): LedgerStore => ({
  ...store,
  async commit(batch, durable) {
    const began = performance.now()
    try {
      const balances = await store.commit(batch, durable)
      observer.committed(performance.now() - began)
      return balances
    } catch (thrown) {
      observer.failed()
      throw thrown
    }
  },
})
