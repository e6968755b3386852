import { dayOf } from '../../domain/clock'
import { zeroUsd } from '../../domain/money'
import { sourceName, type CountSource } from '../../domain/notice'
import type { CountNoticesParts } from './count-notices'

/** More than vendors have words for: a vendor that makes them up fills no outbox. */
const maxReportedADay = 200

/**
 * Tells operators that a vendor served a model by a tier, at a speed or in a region that its cost card has no price
 * for, or that is sold below its cost: once a day for each vendor, model and word.
 */
export function openServedNotices(
  parts: CountNoticesParts,
): (source: CountSource, served: readonly string[]) => Promise<void> {
  const { store, clock, newId, channels, onWritten } = parts
  const told = new Set<string>()
  let today = ''
  const isDue = (name: string, period: string): boolean => {
    if (period !== today) told.clear()
    today = period
    if (told.has(name) || told.size >= maxReportedADay) return false
    told.add(name)
    return true
  }
  return async (called, served) => {
    const created = clock.now()
    const period = dayOf(created)
    for (const word of served) {
      const source = { ...called, served: word }
      if (!isDue(sourceName(source), period)) continue
      const subject = { account: null, project: null, key: null, source }
      const kind = 'vendor_serves_otherwise' as const
      const none = { threshold: null, limit: zeroUsd, amount: zeroUsd }
      await store.add({
        notice: { id: newId(), kind, subject, ...none, period, created },
        channels,
      })
      onWritten()
    }
  }
}
