import type { Clock, Random } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import { openCountNotices, type NotifyCount } from '../../business/notices/count-notices'
import { openForgetting } from '../../business/notices/retention'
import { openChannels } from '../../business/notices/open-channels'
import { openPaymentNotices, type PaymentNotices } from '../../business/notices/payment-notices'
import { openPriceNotices, type TellPriceChanges } from '../../business/notices/price-notices'
import { openOutbox, patientRetry } from '../../business/notices/outbox'
import type { Channel } from '../../business/notices/channel'
import type { NoticeStore } from '../../business/notices/contract'
import { faultFields, type Log } from '../../gateway/observability/log'
import type { NoticeConfig } from '../config'

interface NoticeServiceParts {
  readonly config: NoticeConfig
  readonly store: NoticeStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Spreads what concerns an account to its people. */
  readonly holders: Channel
}

/** Notices of one process on their way out. */
export interface NoticeService {
  /** Names of the channels that carry each notice to operators. */
  readonly channels: readonly string[]
  /** Notices may have been written. */
  wake(): void
  readonly tellCount: NotifyCount
  readonly tellPriceChanges: TellPriceChanges
  readonly tellPayments: PaymentNotices
  close(): void
}

export function openNoticeService(parts: NoticeServiceParts): NoticeService {
  const { config, store, clock, random, log, holders } = parts
  const open = openChannels(config, { log, clock })
  const channels = open.map(({ name }) => name)
  const outbox = openDelivery()
  const counting = { store, clock, newId: systemNoticeId, channels, onWritten: outbox.wake }
  return {
    channels,
    wake: outbox.wake,
    tellCount: openCountNotices(counting),
    tellPriceChanges: openPriceNotices(counting),
    tellPayments: openPaymentNotices(counting),
    close: outbox.close,
  }

  function openDelivery() {
    const sending = openOutbox({
      store,
      channels: [...open, holders],
      clock,
      random,
      retry: patientRetry,
      onFailure: ({ notice, channel }, error, final) =>
        log.warn('notice not delivered', { notice: notice.id, channel, error, final }),
      onFault: (fault) => log.error('notice outbox failed', faultFields(fault)),
    })
    const forgetting = openForgetting({
      store,
      clock,
      onFault: (fault) => log.error('deleting old notices failed', faultFields(fault)),
    })
    return {
      wake: sending.wake,
      close() {
        forgetting.close()
        sending.close()
      },
    }
  }
}
