import { zeroUsd } from '../../domain/money'
import type { Clock } from '../../domain/clock'
import type { NoticeId } from '../../domain/ids'
import type { DueNotice, VendorNoticeKind } from '../../domain/notice'
import { wholeVendor, type TroubleTurn } from '../../domain/vendor-state'

interface VendorNoticeParts {
  readonly clock: Clock
  readonly newId: () => NoticeId
  /** Names of the channels that carry each notice. */
  readonly channels: readonly string[]
}

const kinds: Readonly<Record<TroubleTurn['kind'], VendorNoticeKind>> = {
  refuses_key: 'vendor_refuses_key',
  out_of_money: 'vendor_out_of_money',
  down: 'vendor_down',
  back: 'vendor_back',
}

/** Notice of a vendor: its period is the moment, so that each trouble is told once. */
export const vendorNotice = (
  { clock, newId, channels }: VendorNoticeParts,
  { kind, vendor, credential, at }: TroubleTurn,
): DueNotice => ({
  notice: {
    id: newId(),
    kind: kinds[kind],
    subject: {
      account: null,
      project: null,
      key: null,
      vendor: { name: vendor, credential: credential === wholeVendor ? null : credential },
    },
    threshold: null,
    limit: zeroUsd,
    amount: zeroUsd,
    period: new Date(at).toISOString(),
    created: clock.now(),
  },
  channels,
})
