import type { Clock, Ms } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import type { NoticeKind, ReachedCap, Threshold } from '../../domain/notice'
import { sourceName, subjectId } from '../../domain/notice'
import type { NoticeStore } from './contract'

interface CapNoticesParts {
  readonly store: Pick<NoticeStore, 'add'>
  readonly clock: Clock
  readonly newId: () => NoticeId
  /** Names of the channels to operators, and to the people of an account. */
  readonly channels: readonly string[]
  readonly holders: readonly string[]
  onWritten(): void
}

/** The store knows what was told; for so long it is not asked again. */
const requestAgainMs = 60_000
const maxRemembered = 10_000

/**
 * Tells of caps where several processes charge: nobody sees a sum cross its threshold, so what stands above
 * it is told, and the store leaves out what was told before.
 */
export function openCapNotices(
  parts: CapNoticesParts,
): (reached: readonly ReachedCap[]) => Promise<void> {
  const { store, clock, newId, channels, holders, onWritten } = parts
  const asked = new Map<string, Ms>()
  const isDue = (name: string, now: Ms): boolean => {
    if (now - (asked.get(name) ?? 0) < requestAgainMs) return false
    if (asked.size > maxRemembered) asked.clear()
    asked.set(name, now)
    return true
  }
  return async (reached) => {
    const created = clock.now()
    let isTold = false
    for (const cap of reached)
      for (const threshold of thresholdsOf(cap)) {
        const { kind, subject, period, limit } = cap
        const whose = subject.source === undefined ? subjectId(subject) : sourceName(subject.source)
        if (!isDue(`${kind} ${whose} ${threshold} ${period} ${limit}`, created)) continue
        const to = subject.account === null ? channels : [...channels, ...holders]
        await store.add({ notice: { id: newId(), created, threshold, ...cap }, channels: to })
        isTold = true
      }
    if (isTold) onWritten()
  }
}

const withoutShares: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'balance_floor',
  'vendor_counts_oddly',
  'call_not_recorded',
])

function thresholdsOf({ kind, limit, amount }: ReachedCap): readonly Threshold[] {
  if (withoutShares.has(kind)) return [null]
  return amount >= limit ? [80, 100] : [80]
}
