import { and, desc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import type { Notice, NoticeKind, Threshold } from '../../domain/notice'
import type { NoticeStore } from '../../notices/store'
import { noticeDeliveries as deliveries, notices } from '../schema'
import type { Connection } from './database'

/** Notices and their outbox, as rows. */
export function openNoticeRows({ orm, transaction }: Connection): NoticeStore {
  // As the index has it: a bound value would not find it.
  const isPending = sql`${deliveries.state} = 'pending'`
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
    due: (channel, now, most) =>
      orm
        .select({ notice: notices, attempts: deliveries.attempts })
        .from(deliveries)
        .innerJoin(notices, eq(notices.id, deliveries.notice))
        .where(and(pendingOn(channel), lte(deliveries.due, now)))
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
    list({ pending, most }) {
      const waiting = orm.select({ id: deliveries.notice }).from(deliveries).where(isPending)
      return orm
        .select()
        .from(notices)
        .where(pending ? inArray(notices.id, waiting) : undefined)
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

const noticeOf = (row: typeof notices.$inferSelect): Notice => ({
  id: row.id as NoticeId,
  kind: row.kind as NoticeKind,
  subject: row.about,
  threshold: row.threshold === 0 ? null : (row.threshold as Threshold),
  limit: row.limit,
  amount: row.amount,
  period: row.period,
  created: row.created as Ms,
})
