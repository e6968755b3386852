import { Anchor, Button, Group, Skeleton, Stack, Title } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useLocation, useParams } from 'wouter'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { queries } from '../../queries'
import { useMay } from '../me'
import { operate } from '../operate'
import { AccountRow, type ListedAccount } from '../parts/account-row'
import { DeskFact } from '../parts/fact'
import { GroupForm } from './group-form'
import type { GroupPage as ShownGroup } from './group-words'
import { GroupRules } from './rules'
import { Panel } from '../../parts/panel'
import { groupLimitFields } from '../../../domain/fields/group-fields'

const maxOnPage = 50

/** One group: what its accounts pay, their limits, and which they are. */
export function GroupPage() {
  const { id: text } = useParams<{ id: string }>()
  const id = Number(text)
  const t = useTranslations('groups')
  const group = useQuery({
    queryKey: ['op', 'group', id],
    queryFn: () => operate('GET /groups/{id}', { params: { id } }),
  })
  if (group.data === undefined)
    return group.isError ? (
      <Stack>
        <PageHead title={t('one')} />
        <Failed error={group.error} onRetry={() => void group.refetch()} />
      </Stack>
    ) : (
      <Skeleton h={420} radius="lg" />
    )
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/operator/groups" size="sm">
        {t('back')}
      </Anchor>
      <PageHead title={group.data.name} lead={t('accounts', { count: group.data.accounts })}>
        <Actions group={group.data} />
      </PageHead>
      <Limits group={group.data} />
      <GroupRules group={group.data} />
      <Stack gap="sm">
        <Title order={2} fz="md">
          {t('inIt')}
        </Title>
        <PagedList<ListedAccount, number>
          queryKey={['op', 'accounts', 'group', id]}
          read={(before) =>
            operate('GET /accounts', {
              query: { group: id, max: maxOnPage, ...(before === undefined ? {} : { before }) },
            })
          }
          keyOf={(account) => account.id}
          row={(account) => <AccountRow account={account} showsGroup={false} />}
          empty={<Empty icon={IconUsers} title={t('nobody')} lead={t('nobodyLead')} />}
        />
      </Stack>
    </Stack>
  )
}

function Actions({ group }: { readonly group: ShownGroup }) {
  const t = useTranslations('groups')
  const may = useMay()
  const [, go] = useLocation()
  const [asking, setRequesting] = useState<'change' | 'remove' | null>(null)
  const close = () => setRequesting(null)
  const { id, name, accounts } = group
  const remove = async () => {
    await operate('DELETE /groups/{id}', { params: { id } })
    go('/operator/groups')
    await queries.invalidateQueries({ queryKey: ['op'] })
  }
  if (!may('owner')) return null
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setRequesting('change')}>
        {t('change')}
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        onClick={() => setRequesting('remove')}
      >
        {t('remove')}
      </Button>
      {asking === 'change' && <GroupForm group={group} onClose={close} />}
      {asking === 'remove' && (
        <Confirm
          title={t('remove')}
          lead={t('removeLead', { name, count: accounts })}
          action={t('remove')}
          isDangerous
          work={remove}
          onClose={close}
        />
      )}
    </Group>
  )
}

function Limits({ group }: { readonly group: ShownGroup }) {
  const t = useTranslations('groupForm')
  const { usd, count: shown } = useNumbers()
  const fields = useTranslations('limitFields')
  const shownOf = (kind: string, value: string | number | null) =>
    value === null ? t('ofService') : kind === 'usd' ? usd(String(value)) : shown(Number(value))
  return (
    <Panel id="group-limits" title={t('limits')} lead={t('limitsLead')}>
      <div className="facts">
        {Object.values(groupLimitFields).map(({ kind, wire }) => (
          <DeskFact key={wire} name={fields(wire)} value={shownOf(kind, group[wire])} />
        ))}
      </div>
    </Panel>
  )
}
