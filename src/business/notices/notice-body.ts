import { showUsd } from '../../domain/money'
import {
  hasAmount,
  isCountNotice,
  isOfPayment,
  showAmount,
  type Notice,
  type NoticeSubject,
} from '../../domain/notice'
import { noticeText } from './notice-texts'

/** A notice as programs get it. Amounts are decimal strings in dollars; what is counted has no dollars. */
export function noticeBody(notice: Notice) {
  const { id, kind, subject, threshold, limit, amount, period, created } = notice
  const isFloor = kind === 'balance_floor'
  const isMoney = hasAmount(kind)
  const isPayment = isOfPayment(kind)
  return {
    id,
    object: 'notice',
    kind,
    subject: { type: subjectType(subject), ...subject },
    threshold,
    limit: isMoney && !isPayment ? showAmount(kind, limit) : null,
    spent: isFloor || isCountNotice(kind) || isPayment || !isMoney ? null : showUsd(amount),
    ...(isPayment ? { amount: showUsd(amount) } : {}),
    ...(isCountNotice(kind) ? { count: Number(showAmount(kind, amount)) } : {}),
    balance: isFloor ? showUsd(amount) : null,
    period: period === '' ? 'lifetime' : period,
    created: new Date(created).toISOString(),
    text: noticeText(notice),
  } as const
}

type SubjectType =
  'key' | 'project' | 'account' | 'service' | 'model' | 'vendor' | 'payment' | 'person' | 'operator'

function subjectType(subject: NoticeSubject): SubjectType {
  const { key, project, account, source, vendor, payment, person, operator } = subject
  if (operator !== undefined) return 'operator'
  if (person !== undefined) return 'person'
  if (payment !== undefined) return 'payment'
  if (vendor !== undefined) return 'vendor'
  if (source !== undefined) return 'model'
  if (key !== null) return 'key'
  if (project !== null) return 'project'
  return account === null ? 'service' : 'account'
}
