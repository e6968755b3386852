import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../client'
import { Failed } from '../../parts/failed'
import { hasPasskeys } from '../../passkeys'
import { useTitle } from '../../title'
import type { OperatorMe } from '../me'
import { door } from '../operate'
import { enterByBoth, enterByPasskey } from '../passkeys'
import { PasswordField } from '../parts/password-field'
import { Form } from '../../parts/form'
import { Entrance } from '../../parts/entrance'

/** Sign-in of operators: name, password and a one-time code, or a passkey. */
export function OperatorSignIn({ onIn }: { readonly onIn: (who: OperatorMe) => void }) {
  const t = useTranslations('operatorEntrance')
  const [typed, setTyped] = useState({ name: '', password: '', code: '' })
  useTitle(t('title'))
  const status = useQuery({ queryKey: ['operator-status'], queryFn: () => ask(door.status.get()) })
  const signIn = useMutation({
    mutationFn: () => {
      byPasskey.reset()
      return ask(door['sign-in'].post(typed))
    },
    onSuccess: onIn,
    // It was used, or is over.
    onError: () => setTyped((before) => ({ ...before, code: '' })),
  })
  const isTyped = typed.name.trim() !== '' && typed.password !== ''
  const byPasskey = useMutation({
    mutationFn: () => (isTyped ? enterByBoth(typed.name, typed.password) : enterByPasskey()),
    onSuccess: onIn,
  })
  const type = (field: keyof typeof typed) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setTyped((before) => ({ ...before, [field]: value }))
  }
  return (
    <Entrance tagline={t('tagline')}>
      <Form onSubmit={() => signIn.mutate()}>
        <Stack gap="md">
          <div>
            <Title order={1}>{t('title')}</Title>
            <Text size="sm" className="soft" mt={4}>
              {t('lead')}
            </Text>
          </div>
          {status.data?.set_up === false && <Alert className="notice">{t('notSetUp')}</Alert>}
          <TextInput
            label={t('name')}
            value={typed.name}
            onChange={type('name')}
            autoComplete="username"
            name="name"
            dir="ltr"
            size="md"
            required
            withAsterisk={false}
            autoFocus
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordField value={typed.password} onChange={type('password')} />
          <TextInput
            label={t('code')}
            description={t('codeLead')}
            value={typed.code}
            onChange={type('code')}
            autoComplete="one-time-code"
            name="code"
            dir="ltr"
            size="md"
            required
            withAsterisk={false}
            classNames={{ input: 'phone-input' }}
          />
          <Failed error={signIn.error ?? byPasskey.error} />
          <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
            {t('submit')}
          </Button>
          {status.data?.passkeys === true && hasPasskeys() && (
            <Button
              variant="default"
              size="md"
              fullWidth
              leftSection={<IconFingerprint size={18} stroke={1.6} />}
              loading={byPasskey.isPending}
              onClick={() => {
                signIn.reset()
                byPasskey.mutate()
              }}
            >
              {t(isTyped ? 'passkeyBeside' : 'passkeyAlone')}
            </Button>
          )}
        </Stack>
      </Form>
    </Entrance>
  )
}
