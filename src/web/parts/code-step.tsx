import { Alert, Anchor, Group, PinInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { useCountdown } from '../countdown'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { sendCode, type Sent } from '../send-code'
import { useErrorText } from './error-text'

const codeLength = 6

interface CodeStepProps {
  readonly sent: Sent
  readonly onIn: (who: Me) => void
  /** Another number is wanted. */
  readonly onChange: () => void
}

/** Field of a six-digit code, submitted with its last digit. */
export function CodeStep({ sent, onIn, onChange }: CodeStepProps) {
  const t = useTranslations('signIn')
  const errorText = useErrorText()
  const { digits } = useNumbers()
  const [code, setCode] = useState('')
  const [tries, setTries] = useState(0)
  const [left, countDown] = useCountdown(sent.resendSeconds)
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
      countDown(fresh.resendSeconds)
    },
  })
  const error = check.error ?? again.error
  return (
    <Stack gap="md">
      <div>
        <Title order={1}>{t('codeTitle')}</Title>
        <Text size="sm" className="soft" mt={4}>
          {t.rich('codeLead', {
            number: digits(sent.phone),
            phone: (chunks) => (
              <bdi dir="ltr" className="number">
                {chunks}
              </bdi>
            ),
          })}
        </Text>
      </div>
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
      {sent.isInTerminal && <p className="in-terminal">{t('inTerminal')}</p>}
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
