import type { AccountId } from '../../domain/ids'
import { and, eq, sql } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import { dayNumber } from '../../domain/clock'
import { minus, showUsd, zeroUsd, type NanoUsd } from '../../domain/money'
import { periodOf } from '../../ledger/periods'
import { scopesOf } from '../../ledger/scopes'
import type { CallRefund, RefundStore } from '../../ledger/refund-store'
import { houseAccounts } from '../../ledger/system-accounts'
import { accounts, spent, transfers } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openFloorRecovery } from '../../ledger/store/balance-alert-reset'
import {
  openProfitWriter,
  ProfitSums,
  recordOfRequest,
  type ProfitWriter,
  type RefundedRecord,
  type RefundOnRecord,
} from '../../ledger/sums/profit-sums'
import type { WriteAudit } from '../audit-log/audit-log-sql'
import { openUncoveredRefunds } from '../../ledger/store/shortfall'
import { openUsageWriter, type UsageWriter } from '../../ledger/sums/usage-sums'

/**
 * Refunds by people. The process that makes one is not the one that keeps the sums of charges, which
 * runs ahead of the database: so they are counted in the database at once, and `fresh-charges` leaves
 * them out.
 */
export function openCallRefunds(
  connection: Connection,
  clock: Clock,
  record: WriteAudit,
): RefundStore {
  const { orm, raw } = connection
  const profits = openProfitWriter(connection)
  const usage: UsageWriters = {
    utc: openUsageWriter(connection, 'utc'),
    zone: openUsageWriter(connection, 'zone'),
  }
  const recordOf = raw.prepare<RefundedRecord, [string]>(recordOfRequest)
  const recoverFloors = openFloorRecovery(connection)
  const takeBorne = openUncoveredRefunds(connection, clock)
  const move = (account: number, amount: NanoUsd) =>
    orm
      .update(accounts)
      .set({ balance: sql`${accounts.balance} + ${amount}` })
      .where(sql`${accounts.id} = ${account}`)
      .run()
  const earlierOf = (request: string): NanoUsd | null =>
    orm
      .select({ amount: transfers.amount })
      .from(transfers)
      .where(and(eq(transfers.kind, 'refund'), eq(transfers.reference, request)))
      .limit(1)
      .get()?.amount ?? null
  const balanceOf = ({ account }: CallRefund) => balanceIn(connection, account)

  const give = (refund: CallRefund) => {
    const earlier = earlierOf(refund.request)
    if (earlier !== null) return { balance: balanceOf(refund), earlier, borne: zeroUsd }
    const { request, account, amount, note, told, by } = refund
    const created = clock.now()
    const sides = { debit: houseAccounts.revenue, credit: account }
    orm
      .insert(transfers)
      .values({ ...sides, amount, kind: 'refund', reference: request, created, note, told, by })
      .run()
    move(houseAccounts.revenue, minus(zeroUsd, amount))
    move(account, amount)
    const borne = takeBorne(refund)
    const record = recordOf.get(request)
    if (record === null) throw new Error(`no record of ${request}`)
    countBack(connection, usage, refund, record.zoneDay)
    loseProfit(profits, { ...refund, vendor: record.vendor })
    const balance = balanceOf(refund)
    recoverFloors(account, balance, created)
    return { balance, earlier: null, borne }
  }

  return {
    refund: async (refund) =>
      record({
        what: 'request.refund',
        work: () => give(refund),
        subject: () => `request:${refund.request}`,
        before: () => null,
        after: ({ earlier }) =>
          earlier === null ? { amount_usd: showUsd(refund.amount), note: refund.note } : null,
        gives: ({ earlier }) => (earlier === null ? { usd: refund.amount } : null),
      }),
  }
}

/** @throws Error where there is no such account */
function balanceIn({ orm }: Connection, account: AccountId): NanoUsd {
  const row = orm
    .select({ balance: accounts.balance })
    .from(accounts)
    .where(eq(accounts.id, account))
    .limit(1)
    .get()
  if (row === undefined) throw new Error(`no account ${account}`)
  return row.balance
}

type UsageWriters = Readonly<Record<'utc' | 'zone', UsageWriter>>

/** Takes the amount out of every sum that its charge is in, or will be. */
function countBack(
  { orm }: Connection,
  usage: UsageWriters,
  refund: CallRefund,
  zoneDay: number,
): void {
  const { project, key, model, opened, amount } = refund
  const less = minus(zeroUsd, amount)
  for (const scope of Object.values(scopesOf(refund, periodOf(opened))))
    orm
      .insert(spent)
      .values({ ...scope, amount: less })
      .onConflictDoUpdate({
        target: [spent.id, spent.kind, spent.period],
        set: { amount: sql`${spent.amount} + ${less}` },
      })
      .run()
  usage.utc.add([project, dayNumber(opened), key, model], [0, 0, 0, 0, 0, less])
  usage.zone.add([project, zoneDay, key, model], [0, 0, 0, 0, 0, less])
}

function loseProfit(profits: ProfitWriter, refund: RefundOnRecord): void {
  const lost = new ProfitSums()
  lost.giveBack(refund)
  lost.write(profits)
}
