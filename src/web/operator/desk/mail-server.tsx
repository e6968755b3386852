import {
  Button,
  Group,
  NativeSelect,
  PasswordInput,
  Skeleton,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Confirm } from '../../parts/confirm'
import { Failed } from '../../parts/failed'
import { plainNumber } from '../../typed'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import {
  ConnectionCard,
  readConnectionsAgain,
  TrialDialog,
  TrialResult,
  type TrialOutcome,
} from './connection-list'
import { Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

type MailServer = NonNullable<Result<'GET /mail'>['server']>
const securities: readonly MailServer['security'][] = ['tls', 'starttls', 'none']

/** Mail server that sends notices and codes: settings and trial. */
export function MailServerCard() {
  const t = useTranslations('connections')
  const mail = useQuery({ queryKey: ['op', 'mail'], queryFn: () => operate('GET /mail', {}) })
  if (mail.data === undefined)
    return mail.isError ? (
      <Failed error={mail.error} onRetry={() => void mail.refetch()} />
    ) : (
      <Skeleton h={120} radius="lg" />
    )
  const { server } = mail.data
  return (
    <ConnectionCard id="mail" title={t('mail')} lead={t('mailLead')}>
      {server === null ? (
        <Soft>{t('mailNone')}</Soft>
      ) : (
        <Text size="sm" className="code" dir="ltr" lang="en" ta="start">
          {server.from} · {server.host}:{server.port} ({server.security})
          {server.has_password ? ' •••' : ''}
        </Text>
      )}
      <MailActions server={server} />
    </ConnectionCard>
  )
}

function MailActions({ server }: { readonly server: MailServer | null }) {
  const t = useTranslations('connections')
  const may = useMay()
  const [asking, setRequesting] = useState<'set' | 'remove' | 'test' | null>(null)
  const close = () => setRequesting(null)
  const trial = useMutation({
    async mutationFn(to: string): Promise<TrialOutcome> {
      await operate('POST /mail/test', { body: { to } })
      return { text: t('mailSent', { to }) }
    },
    onSuccess: close,
  })
  if (!may('owner')) return null
  return (
    <>
      <Group gap="xs" mt="sm">
        {server !== null && (
          <Button size="xs" variant="light" onClick={() => setRequesting('test')}>
            {t('test')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setRequesting('set')}>
          {t(server === null ? 'mailAdd' : 'change')}
        </Button>
        {server !== null && (
          <Button size="xs" variant="default" onClick={() => setRequesting('remove')}>
            {t('remove')}
          </Button>
        )}
      </Group>
      <TrialResult trial={trial} />
      {asking === 'set' && <MailForm server={server} onClose={close} />}
      {asking === 'test' && <TrialDialog field={t('email')} trial={trial} onClose={close} />}
      {asking === 'remove' && (
        <Confirm
          title={t('remove')}
          lead={t('mailRemoveLead')}
          action={t('remove')}
          isDangerous
          work={async () => {
            await operate('DELETE /mail', {})
            await readConnectionsAgain()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

interface MailFormProps {
  readonly server: MailServer | null
  readonly onClose: () => void
}

function MailForm({ server, onClose }: MailFormProps) {
  const t = useTranslations('connections')
  const keptSecurity: MailServer['security'] = server?.security ?? 'tls'
  const [typed, setTyped] = useState({
    host: server?.host ?? '',
    port: server === null ? '' : String(server.port),
    security: keptSecurity,
    user: server?.user ?? '',
    from: server?.from ?? '',
    password: '',
  })
  const save = useMutation({
    mutationFn: () => {
      const { host, security, from, user, password } = typed
      const port = plainNumber(typed.port)
      return operate('PUT /mail', {
        body: {
          host,
          security,
          from,
          port: port === '' ? null : Number(port),
          user: user.trim() === '' ? null : user.trim(),
          ...(password === '' ? {} : { password }),
        },
      })
    },
    async onSuccess() {
      await readConnectionsAgain()
      onClose()
    },
  })
  const field = (name: 'host' | 'port' | 'user' | 'from', isNeeded: boolean) => (
    <TextInput
      label={t(name)}
      value={typed[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      dir="ltr"
      required={isNeeded}
      withAsterisk={false}
    />
  )
  return (
    <FormDialog title={t('mail')} saving={save} onClose={onClose}>
      {field('host', true)}
      <NativeSelect
        label={t('security')}
        value={typed.security}
        onChange={(event) =>
          setTyped({ ...typed, security: event.currentTarget.value as MailServer['security'] })
        }
        data={[...securities]}
      />
      {field('port', false)}
      {field('from', true)}
      {field('user', false)}
      <PasswordInput
        label={t('password')}
        description={server?.has_password === true ? t('secretKept') : null}
        value={typed.password}
        onChange={(event) => setTyped({ ...typed, password: event.currentTarget.value })}
        autoComplete="off"
        dir="ltr"
        visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      />
    </FormDialog>
  )
}
