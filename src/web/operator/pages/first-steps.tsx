import { Badge, Button, Group, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconChecklist, IconCircleDashed } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { queries } from '../../queries'
import { testOf, type StepOutcome } from '../desk/step-tests'
import { useSteps, type Step } from '../desk/steps'
import { useMay } from '../me'

/** Where each step is done; a command does the rest. */
const places: Partial<Record<Step['name'], string>> = {
  prices: '/operator/models',
  sms: '/operator/connections',
  gateway: '/operator/connections',
  rate: '/operator/payments',
  brand: '/operator/settings',
  customer: '/operator',
  backup: '/operator/health',
  proxy: '/operator/health',
}

/** Page of the set-up checklist; it goes away once all is done. */
export function FirstSteps() {
  const t = useTranslations('steps')
  const { count } = useNumbers()
  const steps = useSteps()
  const all = steps.data?.data
  const done = all?.filter((step) => step.done).length ?? 0
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {all !== undefined && (
          <Badge variant="light" size="lg" tt="none">
            {t('done', { done: count(done), all: count(all.length) })}
          </Badge>
        )}
      </PageHead>
      <Failed error={steps.error} onRetry={() => void steps.refetch()} />
      {all === undefined ? (
        !steps.isError && <Skeleton h={480} radius="lg" />
      ) : (
        <section className="card">
          {done === all.length && (
            <Empty icon={IconChecklist} title={t('allDone')} lead={t('allDoneLead')} />
          )}
          <ul className="list">
            {all.map((step) => (
              <li key={step.name}>
                <StepRow step={step} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  )
}

function StepRow({ step }: { readonly step: Step }) {
  const t = useTranslations('steps')
  const { moment, decimal, digits } = useNumbers()
  const may = useMay()
  const { name, done, detail } = step
  const test = useMutation({
    mutationFn: () => testOf(name),
    onSettled: () => queries.invalidateQueries({ queryKey: ['op', 'checklist'] }),
  })
  const place = places[name]
  const shown = () => {
    if (detail === null) return t(`${name}Lead`)
    if (name === 'backup') return t('backupAt', { when: moment(Date.parse(detail)) })
    if (name === 'rate') return t('rateIs', { rate: decimal(detail) })
    if (name === 'prices') return t('pricesAre', { count: digits(detail) })
    return name === 'proxy' ? t('proxyIs', { address: detail }) : <bdi>{detail}</bdi>
  }
  return (
    <div className="list-link still">
      <Group justify="space-between" gap="md">
        <Group wrap="nowrap" gap="md" style={{ flex: 1, minWidth: 220 }}>
          <ThemeIcon
            variant={done ? 'light' : 'transparent'}
            color={done ? 'firuze' : 'gray'}
            radius="xl"
            size={28}
            aria-label={t(done ? 'isDone' : 'isOpen')}
            role="img"
          >
            {done ? <IconCheck size={16} /> : <IconCircleDashed size={20} />}
          </ThemeIcon>
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600}>
              {t(name)}
            </Text>
            <Text size="sm" className="soft" style={{ overflowWrap: 'anywhere' }}>
              {shown()}
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          {place !== undefined && !done && (
            <Button size="xs" component={Link} href={place}>
              {t('go')}
            </Button>
          )}
          {(name !== 'backup' || may('owner')) && (
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              {t(name === 'backup' ? 'backupNow' : 'test')}
            </Button>
          )}
        </Group>
      </Group>
      <Failed error={test.error} />
      {test.data !== undefined && <Outcome outcome={test.data} />}
    </div>
  )
}

function Outcome({ outcome }: { readonly outcome: StepOutcome }) {
  const t = useTranslations('steps')
  const { ok, code, found = '' } = outcome
  return (
    <Text size="sm" mt={6} role="status" {...(ok ? {} : { c: 'var(--mantine-color-error)' })}>
      {t(`outcome_${code}`, { found })}
    </Text>
  )
}
