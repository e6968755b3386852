import type { Clock } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import { countAmount, type NoticeKind } from '../../domain/notice'
import type { NoticeStore } from './contract'

export interface CountNoticesParts {
  readonly store: Pick<NoticeStore, 'add'>
  readonly clock: Clock
  readonly newId: () => NoticeId
  /** Names of the channels that carry each notice. */
  readonly channels: readonly string[]
  onWritten(): void
}

/** Tells that a count of the whole service was reached, once in each hour. */
export type NotifyCount = (
  kind: 'sms_per_hour' | 'wrong_codes' | 'wrong_redeem_codes',
  limit: number,
) => Promise<void>

export function openCountNotices(parts: CountNoticesParts): NotifyCount {
  const { store, clock, newId, channels, onWritten } = parts
  const told = new Map<NoticeKind, string>()
  return async (kind, limit) => {
    const created = clock.now()
    const period = new Date(created).toISOString().slice(0, 13)
    if (told.get(kind) === period) return
    const subject = { account: null, project: null, key: null }
    const reached = countAmount(limit)
    const notice = {
      id: newId(),
      kind,
      subject,
      threshold: 100 as const,
      limit: reached,
      amount: reached,
      period,
      created,
    }
    await store.add({ notice, channels })
    told.set(kind, period)
    onWritten()
  }
}
