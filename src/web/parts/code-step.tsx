import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { sendCode, type Sent } from '../send-code'
import { CodeFields } from './code-fields'

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
