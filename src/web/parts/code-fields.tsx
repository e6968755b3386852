import { Alert, Anchor, Group, PinInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useCountdown } from '../countdown'
import { useNumbers } from '../numbers'
import type { Sent } from '../send-code'
import { useErrorText } from './error-text'

const codeLength = 6

interface CodeFieldsProps<Result> {
  readonly sent: Pick<Sent, 'resendSeconds' | 'shownCode'>
  readonly check: (code: string) => Promise<Result>
  readonly again: () => Promise<Pick<Sent, 'resendSeconds' | 'shownCode'>>
  readonly onIn: (result: Result) => void
  /** What stands beside the link that sends another code. */
  readonly children?: ReactNode
}

/** Field of a six-digit code, submitted with its last digit. */
export function CodeFields<Result>(props: CodeFieldsProps<Result>) {
  const { sent, onIn, children } = props
  const t = useTranslations('signIn')
  const errorText = useErrorText()
  const [code, setCode] = useState('')
  const [tries, setTries] = useState(0)
  const [shownCode, setShownCode] = useState(sent.shownCode)
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
      setShownCode(fresh.shownCode)
      countDown(fresh.resendSeconds)
    },
  })
  const error = check.error ?? again.error
  return (
    <Stack gap="md">
      <Group justify="center" dir="ltr" lang="en">
        <PinInput
          key={tries}
          placeholder=""
          length={codeLength}
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
      {shownCode !== null && <ShownCode code={shownCode} />}
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
