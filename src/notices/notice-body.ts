import { showUsd } from '../domain/money'
import type { Notice, NoticeSubject } from '../domain/notice'
import { noticeText } from './notice-texts'

/** A notice as programs get it. Amounts are decimal strings in dollars. */
export function noticeBody(notice: Notice) {
  const { id, kind, subject, threshold, limit, amount, period, created } = notice
  const isFloor = kind === 'balance_floor'
  return {
    id,
    object: 'notice',
    kind,
    subject: { type: subjectType(subject), ...subject },
    threshold,
    limit: showUsd(limit),
    spent: isFloor ? null : showUsd(amount),
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
