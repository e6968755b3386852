import type { Caller } from '../domain/caller'
import { systemMonotonic, type Ms, type Ticks } from '../domain/clock'
import type { AccountId } from '../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { IdentityStore } from '../identity/identity'
import type { CapSettings } from '../ledger/caps'
import { scopeName } from '../ledger/leased/exchange'
import type { EngineWatch } from '../ledger/leased/store-engine'
import { openPeriods } from '../ledger/periods'
import type { CallerSums } from '../ledger/places'
import { scopesOf } from '../ledger/scopes'
import type { Batch, LedgerStore, Scope, SumScope } from '../ledger/store'
import type { Tally } from '../ledger/tally'
import type { Charged, Watch } from '../ledger/watch'
import { peerTopics, type Peers } from './peers'

interface OwnerWatchParts {
  readonly store: Pick<LedgerStore, 'sums'>
  readonly identity: Pick<IdentityStore, 'findByKey'>
  readonly watch: Watch
  readonly settings: CapSettings
  readonly bus: Peers['bus']
  now(): Ms
  /** Writes what is to be told without a charge. */
  tell(): Promise<void>
  onFault(fault: unknown): void
}

/** Dates of one day are written once, and not for each of its calls. */
const periodOf = openPeriods()

/** Callers that are kept at hand; they are read again after a while, for their caps may have changed. */
const maxKnown = 10_000
const knownMs = 1000

/** Looks at the sums that charges of all fronts lead to, and hears what they were refused. */
export function openOwnerWatch(parts: OwnerWatchParts): EngineWatch {
  const { store, watch, settings, bus, onFault } = parts
  const callerOf = openCallers(parts)

  bus.on(peerTopics.refused, async ({ key, code, needed }) => {
    const caller = await callerOf(key)
    if (caller === null) return null
    const tallies = talliesOf(caller, parts.now())
    const scopes = tallyList(tallies.sums).map(({ scope }) => scope)
    const sums = await store.sums(scopes)
    for (const [at, { kind }] of scopes.entries()) committed(tallies.sums, kind, sums[at])
    if (watch.refused({ caller, sums: tallies.sums, code, needed }, settings))
      await parts.tell().catch(onFault)
    return null
  })
  bus.on(peerTopics.miscounted, (miscount) => {
    watch.miscounted(miscount)
    return null
  })

  return {
    async due(batch, sumOf) {
      const charged: Charged[] = []
      const added = addedBy(batch)
      for (const [key, calls] of chargedByKey(batch)) {
        const caller = await callerOf(key)
        if (caller !== null)
          for (const call of calls) charged.push(chargedOf(caller, call, added, sumOf))
      }
      return watch.due(charged, settings)
    },
    written: (balances) => watch.written(balances),
  }
}

type Ended = Batch['ended'][number]

function openCallers({ identity }: OwnerWatchParts) {
  const known = new Map<number, { readonly caller: Caller | null; readonly at: Ticks }>()
  return async (key: Caller['key']['id']): Promise<Caller | null> => {
    const found = known.get(key)
    if (found !== undefined && systemMonotonic.ticks() - found.at < knownMs) return found.caller
    if (known.size >= maxKnown) known.clear()
    const caller = await identity.findByKey(key)
    known.set(key, { caller, at: systemMonotonic.ticks() })
    return caller
  }
}

/** One call of each key and day that was charged: all of these have the same sums. */
function chargedByKey({ ended }: Batch): ReadonlyMap<Caller['key']['id'], readonly Ended[]> {
  const found = new Map<Caller['key']['id'], Map<string, Ended>>()
  for (const each of ended) {
    if (each.ending.cost === 0) continue
    const { key, created } = each.opening
    const days = found.get(key) ?? new Map<string, Ended>()
    days.set(periodOf(created).day, each)
    found.set(key, days)
  }
  return new Map([...found].map(([key, days]) => [key, [...days.values()]]))
}

/** What a commit adds to sums, by their names. */
function addedBy({ ended, spent }: Batch): ReadonlyMap<string, NanoUsd> {
  const added = new Map<string, NanoUsd>()
  const add = (scope: SumScope, amount: NanoUsd) => {
    const name = scopeName(scope)
    added.set(name, plus(added.get(name) ?? zeroUsd, amount))
  }
  for (const { scope, amount } of spent) add(scope, amount)
  const charges = new Map<AccountId, NanoUsd>()
  for (const { opening, ending } of ended)
    if (ending.cost > 0)
      charges.set(opening.account, plus(charges.get(opening.account) ?? zeroUsd, ending.cost))
  for (const [id, cost] of charges) add({ kind: 'balance', id, period: '' }, minus(zeroUsd, cost))
  return added
}

/** Sums as they stand after the commit. */
function chargedOf(
  caller: Caller,
  { opening }: Ended,
  added: ReadonlyMap<string, NanoUsd>,
  sumOf: (scope: string) => number | undefined,
): Charged {
  const { balance, sums } = talliesOf(caller, opening.created)
  const all: readonly Tally[] = [balance, ...tallyList(sums)]
  for (const tally of all) {
    const name = scopeName(tally.scope)
    tally.committed = nanoUsd(sumOf(name) ?? 0)
    tally.writing = added.get(name) ?? zeroUsd
  }
  return { caller, balance, sums }
}

function talliesOf({ account, project, key }: Caller, at: Ms) {
  const ids = { account: account.id, project: project.id, key: key.id }
  const scopes = scopesOf(ids, periodOf(at))
  const sums: CallerSums = {
    key: tallyOf(scopes.key),
    projectMonth: tallyOf(scopes.projectMonth),
    account: tallyOf(scopes.account),
    accountDay: tallyOf(scopes.accountDay),
    serviceDay: tallyOf(scopes.serviceDay),
  }
  return { balance: tallyOf({ kind: 'balance', id: account.id, period: '' }), sums }
}

function tallyOf<Of extends SumScope>(scope: Of): Tally<Of> {
  const nothing = { committed: zeroUsd, writing: zeroUsd, pending: zeroUsd }
  return { scope, ...nothing, held: zeroUsd, reserved: zeroUsd, holds: 0, reading: 0 }
}

const tallyList = (sums: CallerSums): readonly Tally<Scope>[] => [
  sums.key,
  sums.projectMonth,
  sums.account,
  sums.accountDay,
  sums.serviceDay,
]

function committed(sums: CallerSums, kind: Scope['kind'], sum: NanoUsd | undefined): void {
  for (const tally of tallyList(sums))
    if (tally.scope.kind === kind) tally.committed = sum ?? zeroUsd
}
