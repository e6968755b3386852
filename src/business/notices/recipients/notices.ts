import type { Ms } from '../../../domain/clock'
import type { AccountId, NoticeId, PersonId } from '../../../domain/ids'
import { zeroUsd, type NanoUsd } from '../../../domain/money'
import type { DueNotice, Notice } from '../../../domain/notice'
import { holdersChannelName } from './channel'

/** Channels of notices to the people of an account, and to no operator. */
export const holderChannels: readonly string[] = [holdersChannelName]

/** A payment that came to its end. */
interface EndedPayment {
  readonly account: { readonly id: AccountId; readonly name: string }
  /** Its id: each end of a payment is told once. */
  readonly payment: string
  readonly amount: NanoUsd
}

/** How a notice is told apart, and when it was made. */
interface NoticeStamp {
  readonly id: NoticeId
  readonly created: Ms
}

/**
 * A payment that came in, or did not. Write it in the transaction that ends the payment
 * (`openNoticeWriter`): both are there after a crash, or neither.
 */
export const paymentNotice = (
  kind: 'payment_credited' | 'payment_refused',
  { account, payment, amount }: EndedPayment,
  stamp: NoticeStamp,
): DueNotice => ({
  notice: {
    ...stamp,
    kind,
    subject: { account, project: null, key: null, facts: { payment } },
    threshold: null,
    limit: zeroUsd,
    amount,
    period: payment,
  },
  channels: holderChannels,
})

/** A sign-in from where somebody never was. */
export const newPlaceNotice = (
  person: PersonId,
  place: { readonly device: string; readonly address: string },
  { id, created }: NoticeStamp,
): Notice => ({
  id,
  created,
  kind: 'sign_in_new_place',
  subject: {
    account: null,
    project: null,
    key: null,
    person: { id: person },
    facts: { ...place, at: new Date(created).toISOString() },
  },
  threshold: null,
  limit: zeroUsd,
  amount: zeroUsd,
  period: String(created),
})
