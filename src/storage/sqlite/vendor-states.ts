import { and, eq } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { VendorState } from '../../domain/vendor-state'
import type { VendorStateStore } from '../../catalogue/health/state-store'
import { vendorStates } from '../schema'
import type { Connection } from './database'
import { openNoticeWriter } from './notice-writer'
import type { Rows } from './store-rows'

/** What is known of vendors, as rows. */
export function openVendorStateRows(connection: Connection): Rows<VendorStateStore> {
  const { orm, transaction } = connection
  const tell = openNoticeWriter(connection)

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
          tell(notices)
        },
        notices.length > 0 ? 'durable' : 'brief',
      )
    },
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
