import type { LeasedLedger } from '../../../src/ledger/leased/leased-contract'
import { openLeasedLedger } from '../../../src/ledger/leased/leased-ledger'
import { usualRules } from '../../../src/ledger/leased/node-slices'
import { openStoreEngine } from './model/store-engine'
import type { LedgerParts } from '../../../src/ledger/open-ledger'

/** A leased ledger with an engine of its own, in one process: as the ledger that has no slices. */
export function openLocalLeasedLedger({
  store,
  settings,
  onFault,
}: Pick<LedgerParts, 'store' | 'settings' | 'onFault'>): LeasedLedger {
  const now = () => performance.now()
  const ttlMs = Number.POSITIVE_INFINITY
  const engine = openStoreEngine({ store, ttlMs, now, onQuestion() {}, defer: queueMicrotask })
  engine.register(1)
  const rules = { ...usualRules, ttlMs }
  const parts = { node: 1, engine: engine.answer.bind(engine), settings, rules, beatMs: null, now }
  const ledger = openLeasedLedger({ ...parts, onFault })
  const refresh = ledger.refresh.bind(ledger)
  const expire = () => {
    engine.expire()
    refresh()
  }
  return Object.assign(ledger, { refresh: expire, refunded: expire })
}
