import { minus, nanoUsd, type NanoUsd } from '../domain/money'
import type { CallerCaps, CapState } from '../ledger/caps'
import { scopeName, scopeOfName, type LeasedScope } from '../ledger/leased/exchange'
import type { LeasedLedger } from '../ledger/leased/leased-contract'
import type { Ledger } from '../ledger/ledger'
import { periodOf } from '../ledger/periods'
import { scopesOf } from '../ledger/scopes'
import { peerTopics, type HeldOf, type Peers } from './peers'

/** The ledger of one of several processes, as whoever asks how things stand sees it: with all the others. */
export function sharedLedger(ledger: LeasedLedger, { bus }: Peers): Ledger {
  const heldHere = (names: readonly string[]): readonly HeldOf[] =>
    names.map((name) => {
      const { held, reserved } = ledger.slices.of(scopeOfName(name))
      return { held, reserved }
    })
  bus.on(peerTopics.flush, async () => {
    await ledger.flush()
    return true
  })
  bus.on(peerTopics.held, heldHere)
  /** Written by all, so that what is read has it. */
  const flushAll = async () => {
    await ledger.flush()
    await bus.others(peerTopics.flush, null).catch(() => [])
  }
  const heldInAll = async (scopes: readonly LeasedScope[]): Promise<readonly HeldOf[]> => {
    const names = scopes.map(scopeName)
    const all = [heldHere(names), ...(await bus.others(peerTopics.held, names).catch(() => []))]
    return names.map((_, at) => ({
      held: all.reduce((sum, each) => sum + (each[at]?.held ?? 0), 0),
      reserved: all.reduce((sum, each) => sum + (each[at]?.reserved ?? 0), 0),
    }))
  }
  const shown: Pick<Ledger, 'funds' | 'caps'> = {
    async funds(account) {
      const scope = { kind: 'balance', id: account, period: '' } as const
      await flushAll()
      ledger.doubt([scope])
      const { balance } = await ledger.funds(account)
      const [of] = await heldInAll([scope])
      const held = nanoUsd(of?.held ?? 0)
      return { balance, held, available: minus(balance, held) }
    },
    async caps(caller, now) {
      await flushAll()
      const { account, project, key } = caller
      const ids = { account: account.id, project: project.id, key: key.id }
      const scopes = scopesOf(ids, periodOf(now))
      const order = [scopes.key, scopes.projectMonth, scopes.accountDay, scopes.account]
      ledger.doubt(order)
      const caps = await ledger.caps(caller, now)
      const held = await heldInAll(order)
      return withLeft(caps, held)
    },
  }
  return {
    ...shown,
    hold: (request) => ledger.hold(request),
    check: (request) => ledger.check(request),
    room: (caller, opened) => ledger.room(caller, opened),
    spentByKey: (key) => ledger.spentByKey(key),
    spentByAccount: (account) => ledger.spentByAccount(account),
    spentByAccountOn: (account, day) => ledger.spentByAccountOn(account, day),
    spentByProject: (project, month) => ledger.spentByProject(project, month),
    heldInAll: () => ledger.heldInAll(),
    holds: () => ledger.holds(),
    queueLength: () => ledger.queueLength(),
    spooled: () => ledger.spooled(),
    ready: () => ledger.ready(),
    flush: (durable = false) => (durable ? ledger.flush(true) : flushAll()),
    refunded: (refunds) => ledger.refunded(refunds),
    refresh: () => ledger.refresh(),
    close: () => ledger.close(),
  }
}

/** Beside what all processes hold, not beside what they have slices of. */
function withLeft(
  { key, projectMonth, accountDay, verification }: CallerCaps,
  [ofKey, ofProject, ofDay, ofAccount]: readonly HeldOf[],
): CallerCaps {
  return {
    key: leftOf(key, ofKey),
    projectMonth: leftOf(projectMonth, ofProject),
    accountDay: leftOf(accountDay, ofDay),
    verification: leftOf(verification, ofAccount),
  }
}

function leftOf(cap: CapState | null, of: HeldOf | undefined): CapState | null {
  if (cap === null) return null
  const left: NanoUsd = nanoUsd(
    Math.max(0, cap.limit - cap.spent - (of?.held ?? 0) - (of?.reserved ?? 0)),
  )
  return { ...cap, left }
}
