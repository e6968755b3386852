import { Alert, Anchor, Button, Group, PinInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useCountdown } from '../../countdown'
import { useNumbers } from '../../numbers'
import type { SentCode } from '../../send-code'
import { useErrorText } from '../error-text'
import { Form } from '../form'

/** Codes of so many digits have a box for each; longer ones come where strangers ask for many. */
const boxedDigits = 6

interface CodeFieldsProps<Result> {
  readonly sent: SentCode
  readonly check: (code: string) => Promise<Result>
  readonly again: () => Promise<SentCode>
  readonly onIn: (result: Result) => void
  /** What stands beside the link that sends another code. */
  readonly children?: ReactNode
}

/** Field of a code; one of six digits is submitted with its last one. */
export function CodeFields<Result>(props: CodeFieldsProps<Result>) {
  const { sent, onIn, children } = props
  const t = useTranslations('signIn')
  const errorText = useErrorText()
  const [code, setCode] = useState('')
  const [tries, setTries] = useState(0)
  const [{ digits, isInTerminal }, setSent] = useState<SentCode>(sent)
  const [left, countDown] = useCountdown(sent.resendSeconds)
  const check = useMutation({
    mutationFn: props.check,
    onSuccess: onIn,
    onError() {
      setCode('')
      // The boxes begin anew, with the first of them in focus.
      setTries(tries + 1)
    },
  })
  const again = useMutation({
    mutationFn: props.again,
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
      {digits === boxedDigits ? (
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
          digits={digits}
          onChange={setCode}
          isPending={check.isPending}
          onSubmit={() => check.mutate(code)}
        />
      )}
      {isInTerminal && <p className="in-terminal">{t('inTerminal')}</p>}
      {error !== null && (
        <Alert color="red" role="alert" p="xs">
          {errorText(error)}
        </Alert>
      )}
      <Group justify="space-between">
        {children}
        <Resend left={left} onResend={() => again.mutate()} />
      </Group>
    </Stack>
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
    <Form onSubmit={() => onSubmit()}>
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
    </Form>
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
