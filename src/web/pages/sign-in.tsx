import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import type { Me } from '../me'
import { CodeStep } from '../parts/code-step'
import { useErrorText } from '../parts/error-text'
import { Mark } from '../parts/mark'
import { OtherWays } from '../parts/other-ways'
import { PreferencesBar } from '../parts/preferences-bar'
import { sendCode, type Sent } from '../send-code'
import { serviceName, useTitle } from '../title'
import { Soft } from '../parts/panel'
import { Form } from '../parts/form'

/** Sign-in page: a phone number, then the code that came by SMS. */
export function SignIn({ onIn }: { readonly onIn: (who: Me) => void }) {
  const t = useTranslations()
  const [sent, setSent] = useState<Sent | null>(null)
  const [phone, setPhone] = useState('')
  useTitle(t('signIn.submit'))
  return (
    <>
      <div className="tiles" aria-hidden="true" />
      <Group justify="flex-end" p="sm" component="header">
        <PreferencesBar />
      </Group>
      <main className="entrance">
        <div className="card entrance-card">
          <Stack gap="lg">
            <Group gap="sm" wrap="nowrap">
              <Mark size={40} />
              <div>
                <Text fw={700} size="lg" lh={1.2}>
                  {serviceName}
                </Text>
                <Soft>{t('app.tagline')}</Soft>
              </div>
            </Group>
            {sent === null ? (
              <>
                <PhoneStep phone={phone} onPhone={setPhone} onSent={setSent} />
                <OtherWays onIn={onIn} />
              </>
            ) : (
              <CodeStep key={sent.phone} sent={sent} onIn={onIn} onChange={() => setSent(null)} />
            )}
          </Stack>
        </div>
        <Text size="xs" className="soft" ta="center" maw={380} mt="md">
          {t('signIn.terms')}
        </Text>
        <Anchor component={Link} href="/models" size="sm" mt="xs">
          {t('signIn.models')}
        </Anchor>
      </main>
    </>
  )
}

interface PhoneStepProps {
  readonly phone: string
  readonly onPhone: (phone: string) => void
  readonly onSent: (sent: Sent) => void
}

function PhoneStep({ phone, onPhone, onSent }: PhoneStepProps) {
  const t = useTranslations('signIn')
  const errorText = useErrorText()
  const send = useMutation({ mutationFn: sendCode, onSuccess: onSent })
  return (
    <Form onSubmit={() => send.mutate(phone)}>
      <Stack gap="md">
        <div>
          <Title order={1}>{t('title', { service: serviceName })}</Title>
          <Text size="sm" className="soft" mt={4}>
            {t('lead')}
          </Text>
        </div>
        <TextInput
          value={phone}
          onChange={(event) => onPhone(event.currentTarget.value)}
          label={t('phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          name="phone"
          size="md"
          required
          withAsterisk={false}
          autoFocus
          placeholder="0912 345 6789"
          classNames={{ input: 'phone-input' }}
          error={send.error === null ? null : errorText(send.error)}
        />
        <Button type="submit" size="md" fullWidth loading={send.isPending}>
          {t('send')}
        </Button>
      </Stack>
    </Form>
  )
}
