import { showUsd } from '../domain/money'
import { isCount, showAmount, type Notice, type NoticeSubject } from '../domain/notice'
import { noticeText } from './notice-texts'

/** A notice as programs get it. Amounts are decimal strings in dollars; what is counted has no dollars. */
export function noticeBody(notice: Notice) {
  const { id, kind, subject, threshold, limit, amount, period, created } = notice
  const isFloor = kind === 'balance_floor'
  return {
    id,
    object: 'notice',
    kind,
    subject: { type: subjectType(subject), ...subject },
    threshold,
    limit: showAmount(kind, limit),
    spent: isFloor || isCount(kind) ? null : showUsd(amount),
    ...(isCount(kind) ? { count: Number(showAmount(kind, amount)) } : {}),
    balance: isFloor ? showUsd(amount) : null,
    period: period === '' ? 'lifetime' : period,
    created: new Date(created).toISOString(),
    text: noticeText(notice),
  } as const
}

export type SubjectType = 'key' | 'project' | 'account' | 'service' | 'model'

function subjectType({ key, project, account, source }: NoticeSubject): SubjectType {
  if (source !== undefined) return 'model'
  if (key !== null) return 'key'
  if (project !== null) return 'project'
  return account === null ? 'service' : 'account'
}
