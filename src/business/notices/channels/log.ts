import { showUsd } from '../../../domain/money'
import { isCountNotice, showAmount, type Notice } from '../../../domain/notice'
import type { Log, LogFields } from '../../../gateway/observability/log'
import type { Channel } from '../channel'
import { noticeText } from '../notice-texts'

/** One line in the log of the service. */
export const logChannel = (log: Log): Channel => ({
  name: 'log',
  deliver(notice) {
    const { id, kind, subject, threshold, period } = notice
    log.warn('notice', {
      notice: id,
      kind,
      account: subject.account?.id,
      project: subject.project?.id,
      key: subject.key?.id,
      threshold,
      ...amountFields(notice),
      period: period === '' ? undefined : period,
      text: noticeText(notice).en,
    })
    return Promise.resolve()
  },
})

const amountFields = ({ kind, limit, amount }: Notice): LogFields =>
  isCountNotice(kind)
    ? { limit: showAmount(kind, limit), count: showAmount(kind, amount) }
    : {
        limitUsd: showUsd(limit),
        [kind === 'balance_floor' ? 'balanceUsd' : 'spentUsd']: showUsd(amount),
      }
