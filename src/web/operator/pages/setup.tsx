import { Button, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { ask } from '../../client'
import { CopyLines, CopyOnce } from '../../parts/copy-once'
import { Failed } from '../../parts/failed'
import { useTitle } from '../../title'
import { setOperator, type OperatorMe } from '../me'
import { door } from '../operate'
import { PasswordField } from '../parts/password-field'
import { Soft } from '../../parts/panel'
import { Form } from '../../parts/form'
import { Entrance } from '../../parts/entrance'

/** Behind the mark, so that no server and no log has seen it. */
const tokenHere = (): string => location.hash.slice(1)

/** Page behind an operator's link: password, authenticator app, recovery codes. */
export function OperatorSetup() {
  const t = useTranslations('operatorSetup')
  const [token] = useState(tokenHere)
  const entrance = useTranslations('operatorEntrance')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [, go] = useLocation()
  useTitle(t('title'))
  const offer = useQuery({
    queryKey: ['operator-offer', token],
    queryFn: () => ask(door.setup.offer.post({ token })),
    enabled: codes === null,
    staleTime: Infinity,
    retry: false,
  })
  const made = (me: OperatorMe, recovery: readonly string[]) => {
    // Used up: nobody is to find it in the history.
    history.replaceState(null, '', location.pathname)
    setCodes(recovery)
    setOperator(me)
  }
  return (
    <Entrance tagline={entrance('tagline')}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={() => go('/operator')} />
      ) : offer.data === undefined ? (
        <>
          <Title order={1}>{t('title')}</Title>
          {offer.isError ? <Failed error={offer.error} /> : <Skeleton h={240} />}
        </>
      ) : (
        <SetupForm token={token} offer={offer.data} onMade={made} />
      )}
    </Entrance>
  )
}

interface SetupFormProps {
  readonly token: string
  readonly offer: {
    readonly name: string | null
    readonly role: OperatorMe['role']
    readonly secret: string
    readonly uri: string
  }
  readonly onMade: (me: OperatorMe, codes: readonly string[]) => void
}

function SetupForm({ token, offer, onMade }: SetupFormProps) {
  const t = useTranslations('operatorSetup')
  const entrance = useTranslations('operatorEntrance')
  const [typed, setTyped] = useState({ name: offer.name ?? '', password: '', code: '' })
  const setUp = useMutation({
    mutationFn: () => ask(door.setup.post({ token, ...typed })),
    onSuccess: ({ recovery_codes, ...me }) => onMade(me, recovery_codes),
  })
  const type = (field: keyof typeof typed) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setTyped((before) => ({ ...before, [field]: value }))
  }
  return (
    <Form onSubmit={() => setUp.mutate()}>
      <Stack gap="md">
        <div>
          <Title order={1}>{t('title')}</Title>
          <Text size="sm" className="soft" mt={4}>
            {offer.name === null ? t('leadFirst') : t('lead')}
          </Text>
        </div>
        <TextInput
          label={entrance('name')}
          description={offer.name === null ? t('nameLead') : null}
          value={typed.name}
          onChange={type('name')}
          readOnly={offer.name !== null}
          autoComplete="username"
          name="name"
          dir="ltr"
          size="md"
          required
          withAsterisk={false}
          autoFocus={offer.name === null}
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField value={typed.password} onChange={type('password')} isNew />
        <AppKey offer={offer} />
        <TextInput
          label={entrance('code')}
          value={typed.code}
          onChange={type('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          name="code"
          dir="ltr"
          size="md"
          required
          withAsterisk={false}
          classNames={{ input: 'phone-input' }}
        />
        <Failed error={setUp.error} />
        <Button type="submit" size="md" fullWidth loading={setUp.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </Form>
  )
}

/** Set-up of the authenticator app: picture and secret. */
function AppKey({ offer }: Pick<SetupFormProps, 'offer'>) {
  const t = useTranslations('operatorSetup')
  return (
    <>
      <div>
        <Text size="sm" fw={500}>
          {t('app')}
        </Text>
        <Soft>{t('appLead')}</Soft>
      </div>
      <QrCode text={offer.uri} label={t('qr')} />
      <CopyOnce text={offer.secret} label={t('secret')} />
    </>
  )
}

/** Dark on light in both schemes: cameras read nothing else. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="operator-qr"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#191b19" />
    </svg>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onDone: () => void
}

function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const t = useTranslations('operatorSetup')
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t('recovery')}</Title>
        <Text size="sm" className="soft" mt={4}>
          {t('recoveryLead')}
        </Text>
      </div>
      <CopyLines text={codes.join('\n')} label={t('recovery')} />
      <Button size="md" fullWidth onClick={onDone}>
        {t('saved')}
      </Button>
    </Stack>
  )
}
