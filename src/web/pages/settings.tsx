import { Alert, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { deviceOf } from '../device'
import { forgetMe } from '../me'
import { useNumbers } from '../numbers'
import { useErrorText } from '../parts/error-text'
import { useTitle } from '../title'

type Session = NonNullable<Awaited<ReturnType<typeof api.sessions.get>>['data']>[number]

/** Where one is signed in. */
export function Settings() {
  const t = useTranslations('settings')
  const nav = useTranslations('nav')
  const errorText = useErrorText()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => ask(api.sessions.get()) })
  const end = useMutation({
    mutationFn: () => ask(api.sessions.delete()),
    onSuccess: forgetMe,
  })
  const error = sessions.error ?? end.error
  useTitle(nav('settings'))
  return (
    <Stack gap="lg">
      <Title order={1}>{nav('settings')}</Title>
      <section className="card panel" aria-labelledby="sessions">
        <Group justify="space-between" align="start">
          <div>
            <Title order={2} fz="md" id="sessions">
              {t('sessions')}
            </Title>
            <Text size="sm" className="soft">
              {t('sessionsLead')}
            </Text>
          </div>
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            {t('endAll')}
          </Button>
        </Group>
        {error !== null && (
          <Alert color="red" role="alert" mt="md">
            {errorText(error)}
          </Alert>
        )}
        {sessions.data === undefined ? (
          <Skeleton h={56} mt="md" />
        ) : (
          <ul className="rows">
            {sessions.data.map((session) => (
              <SessionRow key={`${session.created} ${session.agent}`} session={session} />
            ))}
          </ul>
        )}
      </section>
    </Stack>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const t = useTranslations('settings')
  const { moment } = useNumbers()
  return (
    <li>
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text size="sm" fw={550}>
            <bdi>{deviceOf(session.agent) ?? t('unknownDevice')}</bdi>
          </Text>
          <Text size="sm" className="soft number">
            {t('seen', { when: moment(session.seen) })} · <bdi dir="ltr">{session.address}</bdi>
          </Text>
        </div>
        {session.current && (
          <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
            {t('current')}
          </Badge>
        )}
      </Group>
    </li>
  )
}
