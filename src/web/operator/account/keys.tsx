import { Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PagedList } from '../../parts/paged-list'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { NewKey, NewProject } from './new-key'
import { readAccountAgain, type Project } from './account'
import { Panel, Code } from '../../parts/panel'

type Key = Result<'GET /accounts/{id}/keys'>['data'][number]

const maxOnPage = 50
const maxProjects = 200

/** Projects of an account, and their keys. */
export function AccountKeys({ account }: { readonly account: number }) {
  const t = useTranslations('accountKeys')
  const may = useMay()
  const [adding, setAdding] = useState<'key' | 'project' | null>(null)
  const [shows, setShows] = useState<'used' | 'revoked'>('used')
  const projects = useQuery({
    queryKey: ['op', 'projects', account],
    queryFn: () =>
      operate('GET /accounts/{id}/projects', {
        params: { id: account },
        query: { max: maxProjects },
      }),
  })
  const all = projects.data?.data ?? []
  return (
    <Stack gap="lg">
      <Failed error={projects.error} />
      <Panel
        id="projects"
        title={t('projects')}
        actions={
          may('staff') && (
            <Button size="xs" variant="default" onClick={() => setAdding('project')}>
              {t('addProject')}
            </Button>
          )
        }
      >
        <ul className="rows">
          {all.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </ul>
      </Panel>
      <Group justify="space-between">
        <SegmentedControl
          value={shows}
          onChange={(value) => setShows(value)}
          data={[
            { value: 'used', label: t('used') },
            { value: 'revoked', label: t('revoked') },
          ]}
        />
        {may('staff') && all.length > 0 && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding('key')}>
            {t('addKey')}
          </Button>
        )}
      </Group>
      <PagedList<Key, number>
        queryKey={['op', 'keys', account, shows]}
        read={(before) =>
          operate('GET /accounts/{id}/keys', {
            params: { id: account },
            query: {
              max: maxOnPage,
              revoked: shows === 'revoked',
              ...(before === undefined ? {} : { before }),
            },
          })
        }
        keyOf={({ id }) => id}
        row={(item) => <KeyRow item={item} projects={all} />}
        empty={<Empty icon={IconKey} title={t('none')} lead={t('noneLead')} />}
      />
      {adding === 'project' && <NewProject account={account} onClose={() => setAdding(null)} />}
      {adding === 'key' && <NewKey projects={all} onClose={() => setAdding(null)} />}
    </Stack>
  )
}

function ProjectRow({ project }: { readonly project: Project }) {
  const t = useTranslations('accountKeys')
  const { usd } = useNumbers()
  const may = useMay()
  const [isAsking, setRequesting] = useState(false)
  const { id, name, active, monthly_budget_usd: budget, allowed_models: models } = project
  const set = async () => {
    await operate('PATCH /projects/{id}', { params: { id }, body: { active: !active } })
    await readAccountAgain()
  }
  return (
    <li>
      <Group justify="space-between">
        <div>
          <Text size="sm" fw={550}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="sm" className="soft number">
            {budget === null ? t('noBudget') : t('budget', { amount: usd(budget) })} ·{' '}
            {models === null ? t('allModels') : t('someModels', { count: models.length })}
          </Text>
        </div>
        <Group gap="xs">
          {!active && (
            <Badge variant="light" color="gray" tt="none">
              {t('off')}
            </Badge>
          )}
          {may('staff') && (
            <Button size="xs" variant="default" onClick={() => setRequesting(true)}>
              {t(active ? 'switchOff' : 'switchOn')}
            </Button>
          )}
        </Group>
      </Group>
      {isAsking && (
        <Confirm
          title={t(active ? 'switchOff' : 'switchOn')}
          lead={t('projectLead', { name })}
          action={t(active ? 'switchOff' : 'switchOn')}
          work={set}
          onClose={() => setRequesting(false)}
        />
      )}
    </li>
  )
}

type Ending = 'switch' | 'revoke' | null

function KeyRow({ item, projects }: { readonly item: Key; readonly projects: readonly Project[] }) {
  const t = useTranslations('accountKeys')
  const { day } = useNumbers()
  const may = useMay()
  const [ending, setEnding] = useState<Ending>(null)
  const { id, name, state, prefix, last_used: lastUsed } = item
  const isOn = state === 'active'
  const project = projects.find((each) => each.id === item.project)?.name ?? String(item.project)
  const work = async () => {
    const params = { id }
    if (ending === 'revoke') await operate('DELETE /keys/{id}', { params })
    else await operate('PUT /keys/{id}/on', { params, body: { on: !isOn } })
    await readAccountAgain()
  }
  return (
    <div className="list-link still">
      <div className="key-row">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} truncate="end">
            <bdi>{name}</bdi>
          </Text>
          <Code isSoft>{prefix}…</Code>
        </div>
        <Text size="sm" className="soft wide" truncate="end">
          <bdi>{project}</bdi>
        </Text>
        <Text size="sm" className="soft wide">
          {lastUsed === null ? t('neverUsed') : t('usedOn', { day: day(lastUsed) })}
        </Text>
        <Group gap="xs" justify="flex-end">
          {state !== 'active' && (
            <Badge variant="light" color="gray" tt="none">
              {t(state)}
            </Badge>
          )}
          {may('staff') && state !== 'revoked' && (
            <>
              <Button size="xs" variant="default" onClick={() => setEnding('switch')}>
                {t(isOn ? 'switchOff' : 'switchOn')}
              </Button>
              <Button
                size="xs"
                variant="default"
                c="var(--mantine-color-error)"
                onClick={() => setEnding('revoke')}
              >
                {t('revoke')}
              </Button>
            </>
          )}
        </Group>
      </div>
      {ending !== null && (
        <Confirm
          title={t(ending === 'revoke' ? 'revoke' : isOn ? 'switchOff' : 'switchOn')}
          lead={t(ending === 'revoke' ? 'revokeLead' : 'switchLead', { name })}
          action={t(ending === 'revoke' ? 'revoke' : isOn ? 'switchOff' : 'switchOn')}
          isDangerous={ending === 'revoke'}
          work={work}
          onClose={() => setEnding(null)}
        />
      )}
    </div>
  )
}
