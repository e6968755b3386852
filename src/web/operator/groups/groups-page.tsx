import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { Link, useLocation } from 'wouter'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { GroupForm } from './group-form'

type Group = Result<'GET /groups'>['data'][number]

const maxOnPage = 50

/** Groups of accounts, newest first. */
export function GroupsPage() {
  const t = useTranslations('groups')
  const may = useMay()
  const [, go] = useLocation()
  const [opened, { open, close }] = useDisclosure(new URLSearchParams(location.search).has('new'))
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {may('owner') && (
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            {t('add')}
          </Button>
        )}
      </PageHead>
      <PagedList<Group, number>
        queryKey={['op', 'groups']}
        read={(before) =>
          operate('GET /groups', {
            query: { max: maxOnPage, ...(before === undefined ? {} : { before }) },
          })
        }
        keyOf={({ id }) => id}
        row={(group) => <GroupRow group={group} />}
        empty={<Empty icon={IconUsersGroup} title={t('none')} lead={t('noneLead')} />}
      />
      {opened && (
        <GroupForm group={null} onClose={close} onMade={({ id }) => go(`/operator/groups/${id}`)} />
      )}
    </Stack>
  )
}

function GroupRow({ group }: { readonly group: Group }) {
  const t = useTranslations('groups')
  const { date } = useNumbers()
  return (
    <Link href={`/operator/groups/${group.id}`} className="list-link">
      <div className="group-row">
        <Text size="sm" fw={600} truncate="end">
          <bdi>{group.name}</bdi>
        </Text>
        <Text size="sm" className="number">
          {t('accounts', { count: group.accounts })}
        </Text>
        <Text size="sm" className="soft wide">
          {date(group.created.slice(0, 10))}
        </Text>
      </div>
    </Link>
  )
}
