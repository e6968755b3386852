import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { forgetMe } from '../../me'
import { useNumbers } from '../../numbers'
import { queries } from '../../queries'
import { Failed } from '../failed'
import { Panel } from '../panel'
import { deviceKind } from '../../../domain/device'

type Session = NonNullable<Awaited<ReturnType<typeof api.sessions.get>>['data']>[number]

const sessionsKey = ['sessions'] as const
const wayTexts = { code: 'byCode', passkey: 'byPasskey', sister: 'bySister' } as const

/** Section of a person's sessions, with sign-out of each and of all. */
export function SessionsSection() {
  const t = useTranslations('settings')
  const sessions = useQuery({ queryKey: sessionsKey, queryFn: () => ask(api.sessions.get()) })
  const end = useMutation({
    mutationFn: () => ask(api.sessions.delete()),
    onSuccess: forgetMe,
  })
  return (
    <Panel
      id="sessions"
      title={t('sessions')}
      lead={t('sessionsLead')}
      actions={
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {t('endAll')}
        </Button>
      }
    >
      <Failed error={sessions.error ?? end.error} />
      {sessions.data === undefined ? (
        <Skeleton h={56} mt="md" />
      ) : (
        <ul className="rows">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const t = useTranslations('settings')
  const devices = useTranslations('devices')
  const { moment } = useNumbers()
  const device = deviceKind(session.agent) || t('unknownDevice')
  const end = useMutation({
    mutationFn: () => ask(api.sessions({ id: session.id }).delete()),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  })
  return (
    <li>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text size="sm" fw={550}>
            <bdi>{device}</bdi>
          </Text>
          <Text size="sm" className="soft number">
            {t('seen', { when: moment(session.seen) })} · <bdi dir="ltr">{session.address}</bdi> ·{' '}
            {devices(wayTexts[session.way])}
          </Text>
          <Failed error={end.error} />
        </div>
        {session.current ? (
          <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
            {t('current')}
          </Badge>
        ) : (
          <Button
            variant="default"
            size="xs"
            style={{ flexShrink: 0 }}
            aria-label={devices('endOf', { device })}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            {devices('end')}
          </Button>
        )}
      </Group>
    </li>
  )
}
