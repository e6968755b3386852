import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { Failed } from './failed'
import { SpentOf } from './spent-of'
import { Panel } from './panel'

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
