import {
  Alert,
  Anchor,
  Button,
  Group,
  PinInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { useCountdown } from '../countdown'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { sendCode, type Sent } from '../send-code'
import { useErrorText } from './error-text'

/** Codes of so many digits have a box for each; longer ones come where strangers ask for many. */
const boxedDigits = 6

interface CodeStepProps {
  /** The first code that was asked for here. */
  readonly sent: Sent
  readonly onIn: (who: Me) => void
  /** Another number is wanted. */
  readonly onChange: () => void
}

/** Field of a code, submitted with its last digit. */
export function CodeStep({ sent: first, onIn, onChange }: CodeStepProps) {
  const t = useTranslations('signIn')
  const errorText = useErrorText()
  const [sent, setSent] = useState(first)
  const [code, setCode] = useState('')
  const [tries, setTries] = useState(0)
  const [left, countDown] = useCountdown(first.resendSeconds)
  const check = useMutation({
    mutationFn: (typed: string) =>
      ask(api['sign-in'].check.post({ phone: sent.typed, code: typed })),
    onSuccess: onIn,
    onError() {
      setCode('')
      // The boxes begin anew, with the first of them in focus.
      setTries(tries + 1)
    },
  })
  const again = useMutation({
    mutationFn: () => sendCode(sent.typed),
    onSuccess(fresh) {
      check.reset()
      setCode('')
      setSent(fresh)
      countDown(fresh.resendSeconds)
    },
  })
  const error = check.error ?? again.error
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t('codeTitle')}</Title>
        <CodeLead sent={sent} />
      </div>
      {sent.digits === boxedDigits ? (
        <Group justify="center" dir="ltr" lang="en">
          <PinInput
            key={tries}
            placeholder=""
            length={boxedDigits}
            value={code}
            onChange={setCode}
            oneTimeCode
            type={/^[0-9۰-۹٠-٩]$/}
            inputMode="numeric"
            size="md"
            gap={8}
            autoFocus
            readOnly={check.isPending}
            error={check.isError}
            getInputProps={(index) => ({ 'aria-label': t('digit', { index: index + 1 }) })}
            onComplete={(typed) => check.mutate(typed)}
          />
        </Group>
      ) : (
        <LongCode
          key={tries}
          code={code}
          digits={sent.digits}
          onChange={setCode}
          isPending={check.isPending}
          onSubmit={() => check.mutate(code)}
        />
      )}
      {sent.shownCode !== null && <ShownCode code={sent.shownCode} />}
      {error !== null && (
        <Alert color="red" role="alert" p="xs">
          {errorText(error)}
        </Alert>
      )}
      <Group justify="space-between">
        <Anchor component="button" type="button" size="sm" onClick={onChange}>
          {t('change')}
        </Anchor>
        <Resend left={left} onResend={() => again.mutate()} />
      </Group>
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

interface LongCodeProps {
  readonly code: string
  readonly digits: number
  readonly onChange: (code: string) => void
  readonly isPending: boolean
  readonly onSubmit: () => void
}

/** Field of a code that has too many digits for boxes. */
function LongCode({ code, digits, onChange, isPending, onSubmit }: LongCodeProps) {
  const t = useTranslations('signIn')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack gap="sm">
        <TextInput
          value={code}
          onChange={(event) => onChange(event.currentTarget.value)}
          label={t('longCode', { count: digits })}
          inputMode="numeric"
          autoComplete="one-time-code"
          size="md"
          maxLength={40}
          required
          withAsterisk={false}
          autoFocus
          readOnly={isPending}
          classNames={{ input: 'phone-input' }}
        />
        <Button type="submit" size="md" fullWidth loading={isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  )
}

interface ResendProps {
  /** Seconds until it may be asked again. */
  readonly left: number
  readonly onResend: () => void
}

function Resend({ left, onResend }: ResendProps) {
  const t = useTranslations('signIn')
  const { count } = useNumbers()
  if (left > 0)
    return (
      <Text size="sm" className="soft number">
        {t('resendIn', { seconds: count(left) })}
      </Text>
    )
  return (
    <Anchor component="button" type="button" size="sm" onClick={onResend}>
      {t('resend')}
    </Anchor>
  )
}

function ShownCode({ code }: { readonly code: string }) {
  const t = useTranslations('signIn')
  return (
    <div className="shown-code">
      <Text size="sm">{t('shownCode')}</Text>
      <output className="code" dir="ltr">
        {code}
      </output>
    </div>
  )
}
