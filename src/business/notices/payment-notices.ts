import type { Ms } from '../../domain/clock'
import type { Notice, PaymentSubject } from '../../domain/notice'
import { zeroUsd } from '../../domain/money'
import type { CountNoticesParts } from './count-notices'

/** Notices to an operator of obstacles to payments; each once. */
export interface PaymentNotices {
  /** @param since since when the rate holds */
  rateTooOld(since: Ms): Promise<void>
  /** A gateway holds money that is not in our books. */
  unknownPayment(payment: PaymentSubject): Promise<void>
}

export function openPaymentNotices(parts: CountNoticesParts): PaymentNotices {
  const { store, clock, newId, channels, onWritten } = parts
  const add = async (notice: Pick<Notice, 'kind' | 'subject' | 'period'>) => {
    const common = { id: newId(), created: clock.now(), threshold: null }
    await store.add({ notice: { ...common, ...notice, limit: zeroUsd, amount: zeroUsd }, channels })
    onWritten()
  }
  const nobody = { account: null, project: null, key: null }
  let toldOf: Ms | null = null
  return {
    async rateTooOld(since) {
      if (toldOf === since) return
      await add({ kind: 'rate_too_old', subject: nobody, period: new Date(since).toISOString() })
      toldOf = since
    },
    unknownPayment: (payment) =>
      add({ kind: 'payment_unknown', subject: { ...nobody, payment }, period: '' }),
  }
}
