import { sourceName, subjectId, type DueNotice, type Notice } from '../../domain/notice'
import type { Connection } from './connection'

/**
 * Writes notices and their outbox, inside of the caller's transaction. Nobody is told twice of the
 * same threshold in the same period, or of the same vendor and model; a limit above all that were
 * told of begins anew.
 */
export function openNoticeWriter({ raw }: Connection): (due: readonly DueNotice[]) => void {
  const add = raw.prepare(`
    INSERT INTO notices (id, kind, subject, period, threshold, "limit", amount, about, created)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (
      SELECT 1 FROM notices WHERE subject = ?3 AND kind = ?2 AND period = ?4 AND threshold = ?5
        AND ("limit" >= ?6 OR ?10 = 1) AND recovered IS NULL)`)
  const send = raw.prepare(`
    INSERT INTO notice_deliveries (notice, channel, state, attempts, due)
    VALUES (?, ?, 'pending', 0, ?)`)

  return (due) => {
    for (const { notice, channels } of due) {
      const { id, kind, threshold, limit, amount, subject, created } = notice
      const about = JSON.stringify(subject)
      const number = subjectId(subject)
      const told = [
        id,
        kind,
        number,
        writtenPeriod(notice),
        threshold ?? 0,
        limit,
        amount,
        about,
        created,
        subject.source !== undefined,
      ] as const
      if (add.run(...told).changes === 0) continue
      for (const channel of channels) send.run(id, channel, created)
    }
  }
}

/** Vendors, models, payments and operators have no number: they stand behind the period, apart from others. */
export function writtenPeriod({ period, subject }: Notice): string {
  const { source, vendor, payment, operator } = subject
  if (operator !== undefined) return `${period} ${operator.name}`
  if (payment !== undefined) return `${period} ${payment.gateway} ${payment.reference}`
  if (vendor !== undefined) return `${period} ${vendor.name} ${vendor.credential ?? ''}`
  return source === undefined ? period : `${period} ${sourceName(source)}`
}

/** The period alone, as it was before it was written: none has a space in it. */
export const readPeriod = (written: string): string => written.split(' ')[0] ?? written
