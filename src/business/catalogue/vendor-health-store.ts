import { and, eq } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { DueNotice } from '../../domain/notice'
import type { VendorState } from '../../domain/vendor-state'
import type { VendorStateStore } from '../../gateway/catalogue/health/state-store'
import { vendorStates } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openNoticeWriter, writtenPeriod } from '../../storage/sqlite/notice-writer'
import type { Rows } from '../../storage/sqlite/sync-store'

/** Several processes that see one trouble tell of it within this time of each other. */
const sameTroubleMs = 10_000
/** Notices of older moments have long been written. */
const longestUnreportedMs = 60_000

/** What is known of vendors, as rows. */
export function openVendorStateRows(connection: Connection): Rows<VendorStateStore> {
  const { orm, transaction } = connection
  const tell = openNoticeWriter(connection)
  const isUnreported = openUnreported(connection)

  return {
    all: () =>
      orm
        .select()
        .from(vendorStates)
        .orderBy(vendorStates.vendor, vendorStates.credential)
        .all()
        .map(stateOf),
    save({ states, gone, notices }) {
      transaction(
        () => {
          for (const { vendor, credential } of gone)
            orm
              .delete(vendorStates)
              .where(and(eq(vendorStates.vendor, vendor), eq(vendorStates.credential, credential)))
              .run()
          for (const { balance, ...state } of states) {
            const told = { balance: balance?.amount ?? null, currency: balance?.currency ?? null }
            const row = { ...state, ...told }
            orm
              .insert(vendorStates)
              .values(row)
              .onConflictDoUpdate({
                target: [vendorStates.vendor, vendorStates.credential],
                set: row,
              })
              .run()
          }
          for (const due of notices) if (isUnreported(due)) tell([due])
        },
        notices.length > 0 ? 'durable' : 'brief',
      )
    },
  }
}

/** Whether no other process told the same a moment ago. Behind the moment of its period stands whom it is of. */
function openUnreported({ raw }: Connection): (due: DueNotice) => boolean {
  const lately = raw.prepare<{ kind: string; created: number }, [string, string]>(`
    SELECT kind, created FROM notices
     WHERE subject = 0 AND kind IN ('vendor_refuses_key', 'vendor_out_of_money', 'vendor_down', 'vendor_back')
       AND period >= ?1 AND recovered IS NULL AND substr(period, 25) = ?2`)
  return ({ notice }) => {
    const { kind, created } = notice
    const told = lately
      .all(
        new Date(created - longestUnreportedMs).toISOString(),
        writtenPeriod({ ...notice, period: '' }),
      )
      .filter((each) => Math.abs(each.created - created) < sameTroubleMs)
    const last = Math.max(...told.map((each) => each.created))
    return !told.some((each) => each.created === last && each.kind === kind)
  }
}

const stateOf = ({ balance, currency, ...row }: typeof vendorStates.$inferSelect): VendorState => ({
  ...row,
  since: row.since as Ms | null,
  coolingUntil: row.coolingUntil as Ms | null,
  checked: row.checked as Ms | null,
  failedAt: row.failedAt as Ms | null,
  balance: balance === null || currency === null ? null : { amount: balance, currency },
})
