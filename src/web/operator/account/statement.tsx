import { Text } from '@mantine/core'
import { IconReceipt2 } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { PagedList } from '../../parts/paged-list'
import { operate, type Result } from '../operate'

type Line = Result<'GET /accounts/{id}/statement'>['data'][number]

const maxOnPage = 100
const yearMs = 365 * 86_400_000
const yearAgo = (): string => new Date(Date.now() - yearMs).toISOString().slice(0, 10)

/** Every movement of an account's money in the last year, newest first. */
export function AccountStatement({ account }: { readonly account: number }) {
  const t = useTranslations('accountStatement')
  const { date, usd } = useNumbers()
  return (
    <PagedList<Line, string>
      queryKey={['op', 'statement', account]}
      read={(before) =>
        operate('GET /accounts/{id}/statement', {
          params: { id: account },
          query: { from: yearAgo(), max: maxOnPage, ...(before === undefined ? {} : { before }) },
        })
      }
      keyOf={({ at, kind, reference }) => `${at} ${kind} ${reference ?? ''}`}
      row={(line) => (
        <div className="list-link still">
          <div className="call-row">
            <span className="number">{date(line.at.slice(0, 10))}</span>
            <span>{t(line.kind)}</span>
            <span className="soft wide" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{line.note ?? line.reference ?? ''}</bdi>
            </span>
            <Text component="span" size="sm" fw={550} className="number end">
              {usd(line.usd, 6)}
            </Text>
            <span className="soft number end">{usd(line.balance_usd)}</span>
          </div>
        </div>
      )}
      empty={<Empty icon={IconReceipt2} title={t('none')} lead={t('noneLead')} />}
    />
  )
}
