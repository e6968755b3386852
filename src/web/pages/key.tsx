import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { api, ask } from '../client'
import { limitsOf, valuesOf, type Key as KeyItem, type KeyValues } from '../key-values'
import { useNumbers } from '../numbers'
import { Failed } from '../parts/failed'
import { KeyForm } from '../parts/keys/key-form'
import { KeyState } from '../parts/keys/key-state'
import { PageHead } from '../parts/page-head'
import { RevokeKey } from '../parts/keys/revoke-key'
import { SpentOf } from '../parts/money/spent-of'
import { Panel, Code, Soft } from '../parts/panel'

/** Page of one key: spending, limits, and revoking. */
export function Key() {
  const { id } = useParams<{ id: string }>()
  const found = useQuery({
    queryKey: ['key', id],
    queryFn: () => ask(api.keys({ id: Number(id) }).get()),
  })
  if (found.isError) return <Failed error={found.error} />
  if (found.data === undefined) return <Skeleton h={320} radius="lg" />
  return <KeyPage item={found.data} />
}

function KeyPage({ item }: { readonly item: KeyItem }) {
  const t = useTranslations('key')
  const makers = useTranslations('makers')
  const queries = useQueryClient()
  const keep = (key: KeyItem) => {
    queries.setQueryData(['key', String(key.id)], key)
    return queries.invalidateQueries({ queryKey: ['keys'] })
  }
  const change = useMutation({
    mutationFn: (values: KeyValues) =>
      ask(api.keys({ id: item.id }).patch(limitsOf(values, Date.now()))),
    onSuccess: keep,
  })
  const mayChange = item.may_change && item.state !== 'revoked'
  return (
    <Stack gap="lg">
      <PageHead title={item.name}>
        <KeyState item={item} />
      </PageHead>
      <Facts item={item} />
      {!item.may_change && <Soft>{makers('notYours')}</Soft>}
      {mayChange && (
        <Panel id="limits" title={t('limits')}>
          <KeyForm
            key={`${item.id} ${item.expires_at}`}
            initial={valuesOf(item)}
            projects={null}
            spent={item.spent_usd}
            expiresAt={item.expires_at}
            submit={t('save')}
            busy={change.isPending}
            error={change.error}
            onSubmit={(values) => change.mutate(values)}
          />
          <Text size="sm" className="soft" role="status" ta="end" mt="xs">
            {change.isSuccess ? t('kept') : ''}
          </Text>
        </Panel>
      )}
      {mayChange && <Ending item={item} onChanged={(key) => void keep(key)} />}
    </Stack>
  )
}

function Facts({ item }: { readonly item: KeyItem }) {
  const t = useTranslations('key')
  const makers = useTranslations('makers')
  const { moment, day, digits } = useNumbers()
  const maker = item.made_by
  return (
    <section className="card panel" aria-label={item.name}>
      <SpentOf
        spent={item.spent_usd}
        limit={item.spend_limit_usd}
        noLimit={t('noLimit')}
        label={t('spent')}
      />
      <dl className="facts">
        <dt>{t('prefix')}</dt>
        <dd>
          <Code>{item.prefix}…</Code>
        </dd>
        <dt>{t('created')}</dt>
        <dd>{moment(item.created)}</dd>
        <dt>{makers('madeBy')}</dt>
        <dd>
          {maker === null ? (
            makers('operator')
          ) : maker.is_you ? (
            makers('you')
          ) : maker.phone === null ? (
            makers('former')
          ) : (
            <bdi dir="ltr" className="number">
              {digits(maker.phone)}
            </bdi>
          )}
        </dd>
        <dt>{t('lastUsed')}</dt>
        <dd>{item.last_used === null ? t('neverUsed') : day(item.last_used)}</dd>
      </dl>
      <Group mt="md" gap="xs">
        <Button component={Link} href={`/usage?key=${item.id}`} variant="default" size="xs">
          {t('usage')}
        </Button>
        <Button component={Link} href={`/requests?key=${item.id}`} variant="default" size="xs">
          {t('requests')}
        </Button>
      </Group>
    </section>
  )
}

interface EndingProps {
  readonly item: KeyItem
  readonly onChanged: (key: KeyItem) => void
}

function Ending({ item, onChanged }: EndingProps) {
  const t = useTranslations('key')
  const isOn = item.state === 'active'
  const flip = useMutation({
    mutationFn: () => ask(api.keys({ id: item.id }).switch.post({ on: !isOn })),
    onSuccess: onChanged,
  })
  return (
    <Panel id="ending" title={t('ending')} lead={t('endingLead')}>
      <Group>
        <Button variant="default" loading={flip.isPending} onClick={() => flip.mutate()}>
          {t(isOn ? 'off' : 'on')}
        </Button>
        <RevokeKey item={item} onRevoked={onChanged} />
      </Group>
      <Failed error={flip.error} />
    </Panel>
  )
}
