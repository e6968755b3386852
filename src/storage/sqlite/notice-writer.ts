import { subjectId, type DueNotice } from '../../domain/notice'
import type { Connection } from './database'

/**
 * Writes notices and their outbox, inside of the caller's transaction. Nobody is told twice of the
 * same threshold in the same period; a limit above all that were told of begins anew.
 */
export function openNoticeWriter({ raw }: Connection): (due: readonly DueNotice[]) => void {
  const add = raw.prepare(`
    INSERT INTO notices (id, kind, subject, period, threshold, "limit", amount, about, created)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (
      SELECT 1 FROM notices WHERE subject = ?3 AND kind = ?2 AND period = ?4 AND threshold = ?5
        AND "limit" >= ?6 AND recovered IS NULL)`)
  const send = raw.prepare(`
    INSERT INTO notice_deliveries (notice, channel, state, attempts, due)
    VALUES (?, ?, 'pending', 0, ?)`)

  return (due) => {
    for (const { notice, channels } of due) {
      const { id, kind, period, threshold, limit, amount, subject, created } = notice
      const about = JSON.stringify(subject)
      const number = subjectId(subject)
      const told = [
        id,
        kind,
        number,
        period,
        threshold ?? 0,
        limit,
        amount,
        about,
        created,
      ] as const
      if (add.run(...told).changes === 0) continue
      for (const channel of channels) send.run(id, channel, created)
    }
  }
}
