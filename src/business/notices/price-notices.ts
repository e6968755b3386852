import { countAmount } from '../../domain/notice'
import type { CountNoticesParts } from './count-notices'

/** Notices of the result of a check of public prices, once for each check. */
export type TellPriceChanges = (counts: {
  readonly proposed: number
  readonly applied: number
}) => Promise<void>

export function openPriceNotices(parts: CountNoticesParts): TellPriceChanges {
  const { store, clock, newId, channels, onWritten } = parts
  return async ({ proposed, applied }) => {
    if (proposed + applied === 0) return
    const created = clock.now()
    const notice = {
      id: newId(),
      kind: 'price_change_proposed' as const,
      subject: { account: null, project: null, key: null },
      threshold: null,
      limit: countAmount(applied),
      amount: countAmount(proposed),
      period: new Date(created).toISOString(),
      created,
    }
    await store.add({ notice, channels })
    onWritten()
  }
}
