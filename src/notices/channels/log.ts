import { showUsd } from '../../domain/money'
import type { Log } from '../../observability/log'
import type { Channel } from '../channel'
import { noticeText } from '../notice-texts'

/** One line in the log of the service. */
export const logChannel = (log: Log): Channel => ({
  name: 'log',
  deliver(notice) {
    const { id, kind, subject, threshold, limit, amount, period } = notice
    log.warn('notice', {
      notice: id,
      kind,
      account: subject.account?.id,
      project: subject.project?.id,
      key: subject.key?.id,
      threshold,
      limitUsd: showUsd(limit),
      [kind === 'balance_floor' ? 'balanceUsd' : 'spentUsd']: showUsd(amount),
      period: period === '' ? undefined : period,
      text: noticeText(notice).en,
    })
    return Promise.resolve()
  },
})
