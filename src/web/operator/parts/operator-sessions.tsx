import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { ask } from '../../client'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { forgetOperator } from '../me'
import { door } from '../operate'
import { Panel } from '../../parts/panel'
import { deviceKind } from '../../../domain/device'

const ways = {
  setup: 'setup',
  code: 'code',
  recovery: 'recovery',
  passkey: 'passkey',
} as const

/** The operator's own sessions, each with its sign-out. */
export function OperatorSessions() {
  const t = useTranslations('operatorSessions')
  const { moment } = useNumbers()
  const sessions = useQuery({
    queryKey: ['op', 'sessions'],
    queryFn: () => ask(door.sessions.get()),
  })
  const end = useMutation({
    mutationFn: () => ask(door.sessions.delete()),
    onSuccess: forgetOperator,
  })
  return (
    <Panel
      id="op-sessions"
      title={t('title')}
      actions={
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {t('endAll')}
        </Button>
      }
    >
      <Failed error={sessions.error ?? end.error} />
      <ul className="rows">
        {(sessions.data ?? []).map(({ id, agent, address, created, way, current }) => (
          <li key={id}>
            <Group justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm" fw={550}>
                  <bdi>{deviceKind(agent) || t('unknown')}</bdi>
                </Text>
                <Text size="sm" className="soft number">
                  {moment(created)} · <bdi dir="ltr">{address}</bdi> · {t(ways[way])}
                </Text>
              </div>
              {current && (
                <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
                  {t('here')}
                </Badge>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
