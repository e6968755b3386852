import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { IconExternalLink, IconFingerprint } from '@tabler/icons-react'
import type { Me } from '../me'
import { useErrorText } from '../parts/error-text'
import { sendCode, type Sent } from '../send-code'
import { serviceName, useTitle } from '../title'
import { Form } from '../parts/form'
import { api, ask } from '../client'
import { enterByPasskey, hasPasskeys } from '../passkeys'
import { Failed } from '../parts/failed'
import { useNumbers } from '../numbers'
import { CodeFields } from '../parts/account/code-fields'
import { Entrance } from '../parts/entrance'

/** Sign-in page: a phone number, then the code that came by SMS. */
export function SignIn({ onIn }: { readonly onIn: (who: Me) => void }) {
  const t = useTranslations()
  const [sent, setSent] = useState<Sent | null>(null)
  const [phone, setPhone] = useState('')
  useTitle(t('signIn.submit'))
  return (
    <Entrance
      tagline={t('app.tagline')}
      foot={
        <>
          <Text size="xs" className="soft" ta="center" maw={380} mt="md">
            {t('signIn.terms')}
          </Text>
          <Anchor component={Link} href="/models" size="sm" mt="xs">
            {t('signIn.models')}
          </Anchor>
        </>
      }
    >
      {sent === null ? (
        <>
          <PhoneStep phone={phone} onPhone={setPhone} onSent={setSent} />
          <OtherWays onIn={onIn} />
        </>
      ) : (
        <CodeStep key={sent.phone} sent={sent} onIn={onIn} onChange={() => setSent(null)} />
      )}
    </Entrance>
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

/**
 * Other ways to sign in: passkeys and the sister service, as far as this service and this browser have
 * them.
 */
export function OtherWays({ onIn }: { readonly onIn: (who: Me) => void }) {
  const t = useTranslations('ways')
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  const enter = useMutation({ mutationFn: enterByPasskey, onSuccess: onIn })
  const { passkeys = false, sister = null } = service.data?.sign_in ?? {}
  const showsPasskeys = passkeys && hasPasskeys()
  if (!showsPasskeys && sister === null) return null
  return (
    <Stack gap="xs" className="other-ways">
      {showsPasskeys && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={18} stroke={1.6} />}
          loading={enter.isPending}
          onClick={() => enter.mutate()}
        >
          {t('passkey')}
        </Button>
      )}
      {sister !== null && (
        <Button
          component={Link}
          href="/sister"
          variant="default"
          fullWidth
          leftSection={<IconExternalLink size={18} stroke={1.6} />}
        >
          {t('sister', { name: `\u2068${sister}\u2069` })}
        </Button>
      )}
      <Failed error={enter.error} />
    </Stack>
  )
}

interface CodeStepProps {
  /** The first code that was asked for here. */
  readonly sent: Sent
  readonly onIn: (who: Me) => void
  /** Another number is wanted. */
  readonly onChange: () => void
}

/** Second step of signing in: the code that was sent. */
export function CodeStep({ sent: first, onIn, onChange }: CodeStepProps) {
  const t = useTranslations('signIn')
  const [sent, setSent] = useState(first)
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t('codeTitle')}</Title>
        <CodeLead sent={sent} />
      </div>
      <CodeFields
        sent={sent}
        check={(code) => ask(api['sign-in'].check.post({ phone: sent.typed, code }))}
        again={async () => {
          const fresh = await sendCode(sent.typed)
          setSent(fresh)
          return fresh
        }}
        onIn={onIn}
      >
        <Anchor component="button" type="button" size="sm" onClick={onChange}>
          {t('change')}
        </Anchor>
      </CodeFields>
    </Stack>
  )
}

/** Says which code is meant: one that is sent now, or one that the phone has. */
function CodeLead({ sent }: { readonly sent: Sent }) {
  const t = useTranslations('signIn')
  const { digits } = useNumbers()
  const facts = {
    count: sent.digits,
    number: digits(sent.phone),
    phone: (chunks: ReactNode) => (
      <bdi dir="ltr" className="number">
        {chunks}
      </bdi>
    ),
  }
  return (
    <Text size="sm" className="soft" mt={4}>
      {sent.sentBeforeSeconds === null
        ? t.rich('codeLead', facts)
        : t.rich('sentBefore', { ...facts, minutes: Math.ceil(sent.sentBeforeSeconds / 60) })}
    </Text>
  )
}
