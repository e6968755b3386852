import { Alert, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { queries } from '../../queries'
import { useMay } from '../me'
import { meaningLanguage, useFoundWords } from '../meanings'
import { operate, type Result } from '../operate'
import { Panel, Code, Soft } from '../../parts/panel'

type Finding = Result<'GET /health/doctor'>['data'][number]

const states = {
  ok: { text: 'ok', color: 'firuze' },
  warn: { text: 'warn', color: 'saffron' },
  fail: { text: 'fail', color: 'red' },
} as const

/** Page of the service's health: version and load, findings of the doctor, audit of the ledger, backups. */
export function Health() {
  const t = useTranslations('health')
  const { moment, count, usd } = useNumbers()
  const health = useQuery({
    queryKey: ['op', 'health'],
    queryFn: () => operate('GET /health', {}),
  })
  const facts = health.data
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Failed error={health.error} onRetry={() => void health.refetch()} />
      <section className="card panel">
        {facts === undefined ? (
          <Skeleton h={56} />
        ) : (
          <div className="facts">
            <Fact name={t('version')} value={`${facts.version} (${facts.commit})`} isCode />
            <Fact name={t('since')} value={moment(Date.parse(facts.serving_since))} />
            <Fact name={t('running')} value={count(facts.running_calls)} />
            <Fact name={t('held')} value={usd(facts.held_usd)} />
          </div>
        )}
      </section>
      <Doctor />
      <Audit />
      <Backups backups={facts?.backups ?? []} />
    </Stack>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly isCode?: boolean
}

const Fact = ({ name, value, isCode = false }: FactProps) => (
  <div>
    <Soft>{name}</Soft>
    {isCode ? <Code>{value}</Code> : <Text className="number">{value}</Text>}
  </div>
)

function Doctor() {
  const t = useTranslations('health')
  const doctor = useQuery({
    queryKey: ['op', 'doctor'],
    queryFn: () => operate('GET /health/doctor', {}),
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Panel
      id="doctor"
      title={t('doctor')}
      actions={
        <Button
          size="xs"
          variant="default"
          loading={doctor.isFetching}
          onClick={() => void doctor.refetch()}
        >
          {t('again')}
        </Button>
      }
    >
      <Failed error={doctor.error} />
      {doctor.data === undefined ? (
        !doctor.isError && <Skeleton h={160} />
      ) : (
        <ul className="rows">
          {doctor.data.data.map((finding) => (
            <FindingRow key={`${finding.check} ${finding.found}`} finding={finding} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function FindingRow({ finding }: { readonly finding: Finding }) {
  const t = useTranslations('health')
  const { state } = finding
  const { check, found, advice } = useFoundWords()(finding)
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Text size="sm" fw={600}>
            <bdi {...meaningLanguage}>{check}</bdi>
          </Text>
          <Soft>
            <bdi {...meaningLanguage}>{found}</bdi>
          </Soft>
          {advice !== null && (
            <Text size="sm">
              <bdi {...meaningLanguage}>{advice}</bdi>
            </Text>
          )}
        </div>
        <Badge
          variant="light"
          color={states[state].color}
          {...(state === 'warn' ? { c: 'var(--ink)' } : {})}
          tt="none"
          style={{ flexShrink: 0 }}
        >
          {t(states[state].text)}
        </Badge>
      </Group>
    </li>
  )
}

function Audit() {
  const t = useTranslations('health')
  const { count } = useNumbers()
  const audit = useMutation({ mutationFn: () => operate('GET /health/audit', {}) })
  const report = audit.data
  return (
    <Panel
      id="audit"
      title={t('audit')}
      lead={t('auditLead')}
      actions={
        <Button variant="default" loading={audit.isPending} onClick={() => audit.mutate()}>
          {t('auditNow')}
        </Button>
      }
    >
      <Failed error={audit.error} />
      {report !== undefined && (
        <Alert mt="sm" role="status" {...(report.ok ? {} : { color: 'red' })}>
          <Text size="sm">
            {t(report.ok ? 'auditOk' : 'auditWrong', {
              accounts: count(report.accounts),
              transfers: count(report.transfers),
              requests: count(report.requests),
            })}
          </Text>
          {report.differences.map((difference) => (
            <Text key={difference} size="sm" dir="ltr" lang="en">
              {difference}
            </Text>
          ))}
        </Alert>
      )}
    </Panel>
  )
}

interface BackupsProps {
  readonly backups: Result<'GET /health'>['backups']
}

const megabyte = 1_048_576

function Backups({ backups }: BackupsProps) {
  const t = useTranslations('health')
  const { moment, amount } = useNumbers()
  const may = useMay()
  const make = useMutation({
    mutationFn: () => operate('POST /health/backups', {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['op', 'health'] }),
  })
  return (
    <Panel
      id="backups"
      title={t('backups')}
      lead={t('backupsLead')}
      actions={
        may('owner') && (
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
            {t('backupNow')}
          </Button>
        )
      }
    >
      <Failed error={make.error} />
      {backups.length === 0 ? (
        <Text size="sm" className="soft" mt="sm">
          {t('noBackups')}
        </Text>
      ) : (
        <ul className="rows">
          {backups.map(({ name, made, bytes }) => (
            <li key={name}>
              <Group justify="space-between">
                <Code>{name}</Code>
                <Text size="sm" className="soft number">
                  {moment(Date.parse(made))} ·{' '}
                  {t('megabytes', { size: amount(bytes / megabyte, 1) })}
                </Text>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
