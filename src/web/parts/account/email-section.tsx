import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { setWays, type WaysRead } from '../../notice-ways'
import { Failed } from '../failed'
import { Panel } from '../panel'
import { Form } from '../form'

/** Section of the person's e-mail address: kept once a code that was sent there is typed here. */
export function EmailSection({ ways }: { readonly ways: WaysRead }) {
  const t = useTranslations('email')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const remove = useMutation({
    mutationFn: () => ask(api['notice-ways'].email.delete()),
    onSuccess: setWays,
  })
  return (
    <Panel id="email" title={t('title')} lead={t(ways.has_mail ? 'lead' : 'off')}>
      {ways.email === null ? (
        ways.has_mail && (
          <Text size="sm" mt="xs">
            {t('none')}
          </Text>
        )
      ) : (
        <Group justify="space-between" mt="xs">
          <Text fw={600}>
            <bdi dir="ltr">{ways.email}</bdi>
          </Text>
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('remove')}
          </Button>
        </Group>
      )}
      <Failed error={remove.error} />
      {ways.has_mail &&
        (sentTo === null ? (
          <RequestCode onSent={setSentTo} />
        ) : (
          <CheckCode email={sentTo} onEnd={() => setSentTo(null)} />
        ))}
    </Panel>
  )
}

function RequestCode({ onSent }: { readonly onSent: (email: string) => void }) {
  const t = useTranslations('email')
  const [email, setEmail] = useState('')
  const send = useMutation({
    mutationFn: () => ask(api['notice-ways'].email.post({ email: email.trim() })),
    onSuccess: (sent) => onSent(sent.email),
  })
  return (
    <Form onSubmit={() => send.mutate()}>
      <Stack mt="sm" maw={420}>
        <TextInput
          label={t('address')}
          type="email"
          autoComplete="email"
          classNames={{ input: 'phone-input' }}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Failed error={send.error} />
        <Button
          type="submit"
          variant="default"
          loading={send.isPending}
          disabled={email.trim().length < 3}
          className="form-end"
        >
          {t('send')}
        </Button>
      </Stack>
    </Form>
  )
}

interface CheckCodeProps {
  readonly email: string
  readonly onEnd: () => void
}

function CheckCode({ email, onEnd }: CheckCodeProps) {
  const t = useTranslations('email')
  const [code, setCode] = useState('')
  const check = useMutation({
    mutationFn: () => ask(api['notice-ways'].email.check.post({ code })),
    onSuccess(ways) {
      setWays(ways)
      onEnd()
    },
  })
  return (
    <Form onSubmit={() => check.mutate()}>
      <Stack mt="sm" maw={420}>
        <TextInput
          label={t('code', { email: `\u2066${email}\u2069` })}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          classNames={{ input: 'phone-input' }}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Failed error={check.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onEnd}>
            {t('change')}
          </Button>
          <Button type="submit" loading={check.isPending} disabled={code.length < 6}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
