import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useMutationState, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { languageOf, useSourceProblem } from '../meanings'
import { operate, type Result } from '../operate'
import { readPricesAgain } from './model-detail'
import { Panel, Soft } from '../../parts/panel'

type Check = Result<'POST /price-checks'>
type Source = Check['sources'][number]

const checkKey = ['op', 'price-check'] as const

/** Button that reads public prices at once. */
export function CheckNow() {
  const t = useTranslations('priceCheck')
  const check = useMutation({
    mutationKey: checkKey,
    mutationFn: () => operate('POST /price-checks', {}),
    onSettled: readPricesAgain,
  })
  return (
    <Button
      leftSection={<IconRefresh size={16} />}
      loading={check.isPending}
      onClick={() => check.mutate()}
    >
      {t('now')}
    </Button>
  )
}

/** Last check of public prices: its time, its result, and the schedule. */
export function LastCheck() {
  const t = useTranslations('priceCheck')
  const { moment } = useNumbers()
  const last = useQuery({
    queryKey: ['op', 'price-checks'],
    queryFn: () => operate('GET /price-checks', {}),
  })
  const runs = useMutationState({
    filters: { mutationKey: checkKey },
    select: ({ state }) => state,
  })
  const run = runs.at(-1)
  const kept = last.data?.last ?? null
  return (
    <Panel id="check" title={t('title')}>
      <Failed error={last.error ?? run?.error} onRetry={() => void last.refetch()} />
      <Stack gap="xs">
        {run?.status === 'success' && <Outcome check={run.data as Check} />}
        {last.data !== undefined &&
          (kept === null ? (
            <Text size="sm">{t('never')}</Text>
          ) : (
            <>
              <Text size="sm" className="number">
                {t('last', { when: moment(Date.parse(kept.at)) })}
              </Text>
              <Sources sources={kept.sources} />
            </>
          ))}
        <ByItself />
      </Stack>
    </Panel>
  )
}

function Outcome({ check }: { readonly check: Check }) {
  const t = useTranslations('priceCheck')
  const { count } = useNumbers()
  const { compared, proposed, applied, withdrawn, not_believed: doubts } = check
  return (
    <Text size="sm" role="status" fw={600}>
      {t('outcome', {
        compared: count(compared),
        proposed: count(proposed.length),
        applied: count(applied.length),
        withdrawn: count(withdrawn),
        doubts: count(doubts.length),
      })}
    </Text>
  )
}

function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const t = useTranslations('priceCheck')
  const { count } = useNumbers()
  const problemOf = useSourceProblem()
  const rows = sources.map((source) => ({ ...source, problem: problemOf(source) }))
  return (
    <ul className="rows flush">
      {rows.map(({ name, address, models, problem, problem_code: code }) => (
        <li key={address}>
          <Group justify="space-between" gap="xs">
            <bdi className="code" dir="ltr" lang="en" title={address}>
              {name}
            </bdi>
            {problem === null ? (
              <Text size="sm" className="soft number">
                {t('models', { count: models, shown: count(models) })}
              </Text>
            ) : (
              <Text size="sm" c="var(--mantine-color-error)" {...languageOf(code)}>
                {problem}
              </Text>
            )}
          </Group>
        </li>
      ))}
    </ul>
  )
}

const settingNames = ['prices-check-every', 'prices-auto', 'prices-sources'] as const

/** Settings of what the gateway does without being asked. */
function ByItself() {
  const t = useTranslations('priceCheck')
  const settings = useQuery({
    queryKey: ['op', 'settings'],
    queryFn: () => operate('GET /settings', {}),
  })
  const shown = (settings.data?.data ?? []).filter(({ name }) =>
    settingNames.some((each) => each === name),
  )
  return (
    <div className="settings-linked">
      {shown.map(({ name, text }) => (
        <div key={name}>
          <Soft>{t(name)}</Soft>
          <Anchor
            component={Link}
            href={`/operator/settings?text=${name}`}
            size="sm"
            className="code"
            dir="ltr"
            lang="en"
          >
            {text}
          </Anchor>
        </div>
      ))}
    </div>
  )
}
