import { Badge, Button, Stack, Text, UnstyledButton, Skeleton } from '@mantine/core'
import { IconFolder, IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import type { Project } from '../key-values'
import type { Me } from '../me'
import { Dialog } from '../parts/dialog'
import { Empty } from '../parts/empty'
import { PageHead } from '../parts/page-head'
import { PagedList } from '../parts/paged-list'
import { projectChange, ProjectForm, type ProjectValues } from '../parts/project-form'
import { SpentOf } from '../parts/money/spent-of'
import { Soft, Panel } from '../parts/panel'
import { useNumbers } from '../numbers'
import { Failed } from '../parts/failed'

const maxOnPage = 25

/** Page of the account's projects, each with its spending of the month's budget. */
export function Projects({ me }: { readonly me: Me }) {
  const t = useTranslations('projects')
  const [edited, setEdited] = useState<Project | 'new' | null>(null)
  const isOwner = me.account.role === 'owner'
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {isOwner && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
            {t('add')}
          </Button>
        )}
      </PageHead>
      <PagedList<Project, number>
        queryKey={['projects', 'list']}
        read={(after) =>
          ask(
            api.projects.get({
              query: { max: maxOnPage, ...(after === undefined ? {} : { after }) },
            }),
          )
        }
        keyOf={({ id }) => id}
        row={(project) => (
          <ProjectRow project={project} onOpen={isOwner ? () => setEdited(project) : null} />
        )}
        empty={<Empty icon={IconFolder} title={t('empty')} lead={t('lead')} />}
      />
      <AccountCaps />
      {edited !== null && (
        <ProjectDialog project={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </Stack>
  )
}

interface ProjectDialogProps {
  readonly project: Project | null
  readonly onClose: () => void
}

function ProjectDialog({ project, onClose }: ProjectDialogProps) {
  const t = useTranslations('projects')
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: (values: ProjectValues) => {
      const { active, ...rest } = projectChange(values)
      return ask(
        project === null
          ? api.projects.post(rest)
          : api.projects({ id: project.id }).patch({ ...rest, active }),
      )
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['projects'] })
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={project === null ? t('add') : project.name} size="lg">
      <ProjectForm
        project={project}
        busy={save.isPending}
        error={save.error}
        onSubmit={(values) => save.mutate(values)}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface ProjectRowProps {
  readonly project: Project
  /** Null for whoever may not change it. */
  readonly onOpen: (() => void) | null
}

function ProjectRow({ project, onOpen }: ProjectRowProps) {
  const t = useTranslations('projects')
  const row = (
    <div className="project-row">
      <div style={{ minWidth: 0, gridArea: 'name' }}>
        <Text size="sm" fw={600} truncate="end">
          <bdi>{project.name}</bdi>
        </Text>
        <Soft>
          {project.allowed_models === null
            ? t('allModels')
            : t('someModels', { count: project.allowed_models.length })}
        </Soft>
      </div>
      <div className="state">
        <Badge variant="light" tt="none" color={project.active ? 'firuze' : 'gray'}>
          {t(project.active ? 'active' : 'inactive')}
        </Badge>
      </div>
      <div className="budget">
        <Text size="xs" className="soft">
          {t('thisMonth')}
        </Text>
        <SpentOf
          spent={project.month_spent_usd}
          limit={project.monthly_budget_usd}
          noLimit={t('noBudget')}
          label={t('spentOf', { name: project.name })}
        />
      </div>
    </div>
  )
  return onOpen === null ? (
    <div className="list-link still">{row}</div>
  ) : (
    <UnstyledButton className="list-link" w="100%" onClick={onOpen}>
      {row}
    </UnstyledButton>
  )
}

type Caps = NonNullable<Awaited<ReturnType<typeof api.caps.get>>['data']>

/** Limits of the account as a whole, read-only: the operator sets them. */
export function AccountCaps() {
  const t = useTranslations('caps')
  const caps = useQuery({ queryKey: ['caps'], queryFn: () => ask(api.caps.get()) })
  return (
    <Panel id="caps" title={t('title')} lead={t('lead')}>
      <Failed error={caps.error} onRetry={() => void caps.refetch()} />
      {caps.data === undefined ? !caps.isError && <Skeleton h={120} /> : <Shown caps={caps.data} />}
    </Panel>
  )
}

function Shown({ caps }: { readonly caps: Caps }) {
  const t = useTranslations('caps')
  const { count } = useNumbers()
  return (
    <>
      <Stack gap="sm">
        <div>
          <Text size="sm">{t('today')}</Text>
          <SpentOf
            spent={caps.day_spent_usd}
            limit={caps.daily_cap_usd}
            noLimit={t('noCap')}
            label={t('today')}
          />
        </div>
        {caps.ceiling_usd !== null && (
          <div>
            <Text size="sm">{t('ceiling')}</Text>
            <SpentOf
              spent={caps.spent_usd}
              limit={caps.ceiling_usd}
              noLimit=""
              label={t('ceiling')}
            />
          </div>
        )}
      </Stack>
      <dl className="facts">
        <dt>{t('rpm')}</dt>
        <dd>{caps.rpm_limit === null ? t('noCap') : count(caps.rpm_limit)}</dd>
        <dt>{t('concurrency')}</dt>
        <dd>{count(caps.concurrency)}</dd>
        <dt>{t('body')}</dt>
        <dd>{t('kilobytes', { count: count(caps.max_request_kb) })}</dd>
      </dl>
    </>
  )
}
