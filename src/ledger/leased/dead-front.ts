import type { RequestId } from '../../domain/ids'
import { zeroUsd, type NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening, Owed } from '../../domain/record'
import { noUsage } from '../../domain/usage'
import { periodOf } from '../periods'
import { scopesOf } from '../scopes'
import type { SpoolRecord } from '../spool-record'
import type { Batch, LedgerStore, Scope } from '../store'
import type { ExchangedCalls, NodeId } from './exchange'

/** Spools that processes leave beside the database, by their nodes. */
export interface FrontSpools {
  /** The two folders of a node's spools, with a note of whose they are. */
  foldersOf(node: NodeId, pid: number): readonly [string, string]
  records(node: NodeId): readonly SpoolRecord[]
  remove(node: NodeId): void
}

/** A call that has a pending row. */
interface PendingCall {
  opening: CallOpening
  held: NanoUsd
  owed: Owed | null
}

/** Calls of one process that are written as pending: what is left to be ended when it dies. */
export class PendingCalls {
  readonly #calls = new Map<RequestId, PendingCall>()

  /** Calls of an exchange that is kept. */
  heard({ opened, reopened = [], owed = [], ended }: ExchangedCalls): void {
    for (const opening of opened)
      this.#calls.set(opening.id, { opening, held: zeroUsd, owed: null })
    for (const opening of reopened) {
      const call = this.#calls.get(opening.id)
      if (call !== undefined) call.opening = opening
    }
    for (const each of owed) this.#calls.set(each.opening.id, { ...each })
    for (const { opening } of ended) this.#calls.delete(opening.id)
  }

  /** Calls that a front says may have a pending row. */
  adopt(calls: readonly PendingCall[]): void {
    for (const call of calls) this.#calls.set(call.opening.id, { ...call })
  }

  all(): Iterable<PendingCall> {
    return this.#calls.values()
  }
}

/**
 * Endings of the calls of a process that died: charged as its spools say; the others become errors, which
 * cost what they owed. A call that has ended in the database is left alone, however often this is done.
 */
export async function lastWords(
  store: Pick<LedgerStore, 'find'>,
  records: readonly SpoolRecord[],
  pending: PendingCalls,
): Promise<Batch> {
  const calls = new Map<RequestId, SpoolRecord>()
  for (const { opening, held, owed } of pending.all())
    calls.set(opening.id, owed === null ? lost(opening, held) : { opening, held, owed })
  for (const record of inSpoolOrder(records)) calls.set(record.opening.id, record)
  const reopened: CallOpening[] = []
  const ended: Batch['ended'][number][] = []
  for (const record of calls.values()) {
    const row = await store.find(record.opening.id)
    if (row !== null && row.status !== 'pending') continue
    const { opening, held } = record
    if (row !== null) reopened.push(opening)
    const ending = 'ending' in record ? record.ending : errorOf(record.owed)
    ended.push({ opening, held, ending, wasOpened: row !== null })
  }
  return { opened: [], reopened, ended, spent: ended.flatMap(spentBy) }
}

/** Of two spools: an ending counts in place of what was owed before, and more in place of less. */
export const inSpoolOrder = (records: readonly SpoolRecord[]): readonly SpoolRecord[] => [
  ...records.flatMap((record) => ('owed' in record ? record : [])).sort(byOwed),
  ...records.filter((record) => 'ending' in record),
]

const byOwed = (one: { readonly owed: Owed }, other: { readonly owed: Owed }): number =>
  one.owed.cost - other.owed.cost

const lost = (opening: CallOpening, held: NanoUsd): SpoolRecord => ({
  opening,
  held,
  ending: errorOf({ usage: noUsage, cost: zeroUsd, vendor: null, vendorModel: null }),
})

const errorOf = (owed: Owed): CallEnding => ({
  ...owed,
  status: 'error',
  error: 'gateway_error',
  latencyMs: 0,
  firstByteMs: null,
})

function spentBy({ opening, ending }: Batch['ended'][number]): Batch['spent'] {
  if (ending.cost === 0) return []
  const scopes: readonly Scope[] = Object.values(scopesOf(opening, periodOf(opening.created)))
  return scopes.map((scope) => ({ scope, amount: ending.cost }))
}
