import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import type { LiveRow } from '../live-feed'
import { useMay } from '../me'
import { operate } from '../operate'
import { Code, Soft } from '../../parts/panel'

const colours = {
  running: 'saffron',
  success: 'firuze',
  error: 'red',
  cancelled: 'gray',
  refused: 'red',
} as const

/** A call as it goes by; opened, its attempts. */
export function LiveCallRow({ call }: { readonly call: LiveRow }) {
  const t = useTranslations('live')
  const { usd, count, clock } = useNumbers()
  return (
    <details className="live-call">
      <summary className="list-link">
        <div className="call-row">
          <span style={{ overflowWrap: 'anywhere' }}>
            {call.model === null ? (
              <span className="soft">{t('noModel')}</span>
            ) : (
              <Code>{call.model}</Code>
            )}
          </span>
          <span className="soft number when">
            {clock(Date.parse(call.began))}
            {call.latency_ms !== null && ` · ${t('ms', { count: count(call.latency_ms) })}`}
          </span>
          <bdi className="code soft wide" dir="ltr" lang="en">
            {call.error ?? call.vendor ?? ''}
          </bdi>
          <Text component="span" size="sm" className="end number" fw={550}>
            {call.usd === null ? '–' : usd(call.usd, 6)}
          </Text>
          <Badge
            variant="light"
            tt="none"
            color={colours[call.status]}
            {...(call.status === 'running' ? { c: 'var(--ink)' } : {})}
            style={{ justifySelf: 'end' }}
          >
            {t(call.status)}
          </Badge>
        </div>
      </summary>
      <Opened call={call} />
    </details>
  )
}

function Opened({ call }: { readonly call: LiveRow }) {
  const t = useTranslations('live')
  const { count, digits } = useNumbers()
  const may = useMay()
  const [isStopping, setStopping] = useState(false)
  return (
    <div className="live-opened">
      <Group gap="md">
        <Code>{call.id}</Code>
        {call.account !== null && (
          <Anchor component={Link} href={`/operator/accounts/${call.account}`} size="sm">
            {t('account')} {digits(String(call.account))}
          </Anchor>
        )}
        {call.key !== null && (
          <Soft>
            {t('key')} {digits(String(call.key))}
          </Soft>
        )}
        <Code isSoft>
          {call.address} {call.endpoint ?? ''}
        </Code>
        {call.error !== null && <Code>{call.error}</Code>}
      </Group>
      <Text size="sm" fw={600} mt="xs">
        {t('attempts')}
      </Text>
      {call.attempts.length === 0 ? (
        <Soft>{t('noAttempts')}</Soft>
      ) : (
        <ol className="live-attempts">
          {call.attempts.map((attempt) => (
            <li key={`${attempt.vendor} ${attempt.vendor_model} ${attempt.began_ms}`}>
              <Code>
                {attempt.vendor} {attempt.vendor_model}
              </Code>{' '}
              <span className="soft number">
                {t('attempt', { began: count(attempt.began_ms), over: count(attempt.over_ms) })}
              </span>{' '}
              {attempt.error === null ? t('answered') : <Code>{attempt.error}</Code>}
            </li>
          ))}
        </ol>
      )}
      <Group gap="sm" mt="xs">
        {call.status !== 'refused' && call.status !== 'running' && (
          <Anchor component={Link} href={`/operator/requests/${call.id}`} size="sm">
            {t('receipt')}
          </Anchor>
        )}
        {call.stoppable && call.status === 'running' && may('staff') && (
          <Button size="xs" color="red" variant="light" onClick={() => setStopping(true)}>
            {t('stop')}
          </Button>
        )}
      </Group>
      {isStopping && (
        <Confirm
          title={t('stopTitle')}
          lead={t('stopLead')}
          action={t('stop')}
          isDangerous
          work={() => operate('POST /live/{id}/stop', { params: { id: call.id } })}
          onClose={() => setStopping(false)}
        />
      )}
    </div>
  )
}
