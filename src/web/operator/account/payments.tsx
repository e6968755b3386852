import { Text } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { PagedList } from '../../parts/paged-list'
import { operate, type Result } from '../operate'
import { Code } from '../../parts/panel'

type Payment = Result<'GET /payments'>['data'][number]

const maxOnPage = 50

/** Payments of an account by card, and coins that were counted, newest first. */
export function AccountPayments({ account }: { readonly account: number }) {
  const t = useTranslations('accountPayments')
  const { moment, count, usd } = useNumbers()
  return (
    <PagedList<Payment, string>
      queryKey={['op', 'payments', account]}
      read={(before) =>
        operate('GET /payments', {
          query: { account, max: maxOnPage, ...(before === undefined ? {} : { before }) },
        })
      }
      keyOf={({ id }) => id}
      row={(payment) => (
        <div className="list-link still">
          <div className="call-row">
            <span className="number">{moment(Date.parse(payment.created))}</span>
            <span className="number">
              {payment.coins === null ? '–' : t('coins', { count: count(payment.coins) })}
            </span>
            <span className="soft number wide">
              {payment.rate === null ? '' : t('rate', { rate: count(Number(payment.rate)) })}
            </span>
            <Text component="span" size="sm" fw={550} className="number">
              {usd(payment.usd)}
            </Text>
            <bdi className="code soft wide" dir="ltr" lang="en">
              {payment.by}
            </bdi>
          </div>
          <Code isSoft>{payment.reference ?? payment.id}</Code>
        </div>
      )}
      empty={<Empty icon={IconCoins} title={t('none')} lead={t('noneLead')} />}
    />
  )
}
