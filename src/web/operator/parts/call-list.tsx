import { Text } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { CallState } from '../../parts/call-state'
import { Empty } from '../../parts/empty'
import { PagedList } from '../../parts/paged-list'
import { operate, type Result } from '../operate'
import { Code } from '../../parts/panel'

type Call = Result<'GET /requests'>['data'][number]

interface CallListProps {
  readonly query: {
    readonly account?: number
    readonly key?: number
    readonly model?: string
    readonly status?: Call['status']
  }
}

const maxOnPage = 50

/** List of calls, newest first. */
export function CallList({ query }: CallListProps) {
  const t = useTranslations('operatorCalls')
  return (
    <PagedList<Call, string>
      queryKey={['op', 'calls', query]}
      read={(before) =>
        operate('GET /requests', {
          query: { ...query, max: maxOnPage, ...(before === undefined ? {} : { before }) },
        })
      }
      keyOf={({ id }) => id}
      row={(call) => <CallRow call={call} />}
      empty={<Empty icon={IconListSearch} title={t('none')} lead={t('noneLead')} />}
    />
  )
}

function CallRow({ call }: { readonly call: Call }) {
  const { moment, usd } = useNumbers()
  return (
    <Link href={`/operator/requests/${call.id}`} className="list-link">
      <div className="call-row">
        <span style={{ overflowWrap: 'anywhere' }}>
          <Code>{call.model}</Code>
        </span>
        <span className="soft number when">{moment(Date.parse(call.created))}</span>
        <bdi className="code soft wide" dir="ltr" lang="en">
          {call.error ?? call.vendor ?? ''}
        </bdi>
        <Text component="span" size="sm" className="end number" fw={550}>
          {usd(call.usd, 6)}
        </Text>
        <CallState status={call.status} />
      </div>
    </Link>
  )
}
