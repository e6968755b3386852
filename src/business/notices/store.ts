import { and, desc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import { firstNoticeIdAt, type NoticeId } from '../../domain/ids'
import type { Notice, NoticeKind, Threshold } from '../../domain/notice'
import type { NoticeStore } from './contract'
import {
  bellNotices,
  holderDeliveries,
  noticeDeliveries as deliveries,
  notices,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openNoticeWriter, readPeriod } from '../../storage/sqlite/notice-writer'
import type { Rows } from '../../storage/sqlite/sync-store'

/** Notices and their outbox, as rows. */
export function openNoticeRows(connection: Connection): Rows<NoticeStore> {
  const { raw, orm, transaction } = connection
  const write = openNoticeWriter(connection)
  const removeSamples = () => {
    const samples = orm.select({ id: notices.id }).from(notices).where(eq(notices.kind, 'sample'))
    orm.delete(deliveries).where(inArray(deliveries.notice, samples)).run()
    orm.delete(notices).where(eq(notices.kind, 'sample')).run()
  }
  const old = raw.prepare<{ id: string }, [string, number]>(oldSql)
  // As the index has it: a bound value would not find it.
  const isPending = sql`${deliveries.state} = 'pending'`
  const isFailed = sql`${deliveries.state} = 'failed'`
  const pendingOn = (channel: string) => and(eq(deliveries.channel, channel), isPending)
  const change = (
    notice: NoticeId,
    channel: string,
    values: Partial<Omit<typeof deliveries.$inferInsert, 'attempts'>>,
  ) =>
    transaction(() => {
      orm
        .update(deliveries)
        .set({ ...values, attempts: sql`${deliveries.attempts} + 1` })
        .where(and(eq(deliveries.notice, notice), eq(deliveries.channel, channel)))
        .run()
    }, 'brief')

  return {
    add: (due) => transaction(() => write([due])),
    due: (channel, now, latest, most) =>
      orm
        .select({ notice: notices, attempts: deliveries.attempts })
        .from(deliveries)
        .innerJoin(notices, eq(notices.id, deliveries.notice))
        .where(and(pendingOn(channel), or(lte(deliveries.due, now), gt(deliveries.due, latest))))
        .orderBy(deliveries.due)
        .limit(most)
        .all()
        .map(({ notice, attempts }) => ({ notice: noticeOf(notice), channel, attempts })),
    nextDue(channel) {
      const row = orm
        .select({ due: deliveries.due })
        .from(deliveries)
        .where(pendingOn(channel))
        .orderBy(deliveries.due)
        .limit(1)
        .get()
      return row === undefined ? null : (row.due as Ms)
    },
    delivered: (notice, channel, now) =>
      change(notice, channel, { state: 'delivered', due: now, error: null }),
    postpone: (notice, channel, next, error) => change(notice, channel, { due: next, error }),
    giveUp: (notice, channel, now, error) =>
      change(notice, channel, { state: 'failed', due: now, error }),
    forget(before, most) {
      const ids = old.all(firstNoticeIdAt(before), most).map(({ id }) => id)
      if (ids.length === 0) return 0
      transaction(() => removeNotices(connection, ids), 'brief')
      return ids.length
    },
    retry: (notice, now) =>
      transaction(() =>
        orm
          .update(deliveries)
          .set({ state: 'pending', attempts: 0, due: now, error: null })
          .where(and(eq(deliveries.notice, notice), isFailed))
          .returning({ channel: deliveries.channel })
          .all()
          .map(({ channel }) => channel),
      ),
    putSample: (sample) =>
      transaction(() => {
        removeSamples()
        write([sample])
      }),
    removeSamples: () => transaction(removeSamples),
    list({ pending, failed = false, before = null, most }) {
      const waiting = orm.select({ id: deliveries.notice }).from(deliveries).where(isPending)
      const lost = orm.select({ id: deliveries.notice }).from(deliveries).where(isFailed)
      return orm
        .select()
        .from(notices)
        .where(
          and(
            pending ? inArray(notices.id, waiting) : undefined,
            failed ? inArray(notices.id, lost) : undefined,
            before === null ? undefined : lt(notices.id, before),
          ),
        )
        .orderBy(desc(notices.id))
        .limit(most)
        .all()
        .map((row) => ({
          notice: noticeOf(row),
          deliveries: orm
            .select()
            .from(deliveries)
            .where(eq(deliveries.notice, row.id))
            .orderBy(deliveries.channel)
            .all()
            .map(({ channel, state, attempts, due, error }) => ({
              channel,
              state,
              attempts,
              due: due as Ms,
              error,
            })),
        }))
    },
  }
}

/** With all that hangs on them, inside of the caller's transaction. */
export function removeNotices({ orm }: Connection, ids: readonly string[]): void {
  const gone = [...ids]
  orm.delete(deliveries).where(inArray(deliveries.notice, gone)).run()
  orm.delete(bellNotices).where(inArray(bellNotices.notice, gone)).run()
  orm.delete(holderDeliveries).where(inArray(holderDeliveries.notice, gone)).run()
  orm.delete(notices).where(inArray(notices.id, gone)).run()
}

/**
 * Notices from before ?1 that nothing hangs on any more: their period is over, the balance was back
 * at its floor, or a higher limit was told.
 */
const oldSql = `
  SELECT id FROM notices old WHERE id < ?1 AND (period <> '' OR recovered IS NOT NULL OR EXISTS (
    SELECT 1 FROM notices newer WHERE newer.subject = old.subject AND newer.kind = old.kind
      AND newer.period = '' AND newer.threshold = old.threshold AND newer."limit" > old."limit"
      AND newer.recovered IS NULL))
  ORDER BY id LIMIT ?2`

export const noticeOf = (row: typeof notices.$inferSelect): Notice => ({
  id: row.id as NoticeId,
  kind: row.kind as NoticeKind,
  subject: row.about,
  threshold: row.threshold === 0 ? null : (row.threshold as Threshold),
  limit: row.limit,
  amount: row.amount,
  period: readPeriod(row.period),
  created: row.created as Ms,
})
