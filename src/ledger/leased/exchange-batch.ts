import { nanoUsd } from '../../domain/money'
import type { Batch } from '../store'
import { isCapScope, scopeOfName, type ExchangedCalls, type LeaseExchange } from './exchange'

/** One batch of the calls of several nodes. */
export function exchangedBatch(exchanges: readonly LeaseExchange[]): Batch {
  const spent: Batch['spent'][number][] = []
  for (const { lines } of exchanges)
    for (const { scope: name, charged } of lines) {
      if (charged === 0) continue
      const scope = scopeOfName(name)
      if (isCapScope(scope)) spent.push({ scope, amount: nanoUsd(charged) })
    }
  const calls = exchanges.flatMap((exchange) => exchange.calls ?? [])
  const [only] = calls
  const all: ExchangedCalls =
    only !== undefined && calls.length === 1
      ? only
      : {
          opened: calls.flatMap((each) => each.opened),
          reopened: calls.flatMap((each) => each.reopened ?? []),
          owed: calls.flatMap((each) => each.owed ?? []),
          ended: calls.flatMap((each) => each.ended),
        }
  return { ...all, spent }
}
