import { Anchor, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { IconReceipt2 } from '@tabler/icons-react'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { AccountKeys } from '../account/keys'
import { AccountNotes } from '../account/notes'
import { AccountOverview } from '../account/overview'
import { AccountPayments } from '../account/payments'
import { operate, type Result } from '../operate'
import { AccountState } from '../parts/account-state'
import { CallList } from '../parts/call-list'
import { TrailLines } from './trail'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { PagedList } from '../../parts/paged-list'

const tabs = ['overview', 'keys', 'requests', 'payments', 'statement', 'notes', 'trail'] as const
type Tab = (typeof tabs)[number]

/** As a link asks for it: `?tab=keys`. */
function tabRequested(): Tab {
  const asked = new URLSearchParams(location.search).get('tab')
  return tabs.find((tab) => tab === asked) ?? 'overview'
}

/** Page of one account, in tabs, for operators. */
export function AccountPage() {
  const { id: text } = useParams<{ id: string }>()
  const id = Number(text)
  const t = useTranslations('account')
  const [tab, setTab] = useState<Tab>(tabRequested)
  const account = useQuery({
    queryKey: ['op', 'account', id],
    queryFn: () => operate('GET /accounts/{id}', { params: { id } }),
  })
  if (account.data === undefined)
    return account.isError ? (
      <Stack>
        <PageHead title={t('title')} />
        <Failed error={account.error} onRetry={() => void account.refetch()} />
      </Stack>
    ) : (
      <Skeleton h={420} radius="lg" />
    )
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/operator/accounts" size="sm">
        {t('back')}
      </Anchor>
      <PageHead title={account.data.name} lead={t('number', { id })}>
        <AccountState account={account.data} />
      </PageHead>
      <Tabs
        value={tab}
        onChange={(value) => setTab((value ?? 'overview') as Tab)}
        keepMounted={false}
      >
        <Tabs.List mb="lg" className="operator-tabs">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <AccountOverview account={account.data} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <AccountKeys account={id} />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <CallList query={{ account: id }} />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <AccountPayments account={id} />
        </Tabs.Panel>
        <Tabs.Panel value="statement">
          <AccountStatement account={id} />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <AccountNotes account={id} />
        </Tabs.Panel>
        <Tabs.Panel value="trail">
          <TrailLines query={{ subject: `account:${id}` }} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

type Line = Result<'GET /accounts/{id}/statement'>['data'][number]

const maxOnPage = 100
const yearMs = 365 * 86_400_000
const yearAgo = (): string => new Date(Date.now() - yearMs).toISOString().slice(0, 10)

/** Every movement of an account's money in the last year, newest first. */
function AccountStatement({ account }: { readonly account: number }) {
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
