import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { sendCode, type Sent } from '../send-code'
import { CodeFields } from './code-fields'

interface CodeStepProps {
  readonly sent: Sent
  readonly onIn: (who: Me) => void
  /** Another number is wanted. */
  readonly onChange: () => void
}

/** Second step of signing in: the code that was sent. */
export function CodeStep({ sent, onIn, onChange }: CodeStepProps) {
  const t = useTranslations('signIn')
  const { digits } = useNumbers()
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
      <CodeFields
        sent={sent}
        check={(code) => ask(api['sign-in'].check.post({ phone: sent.typed, code }))}
        again={() => sendCode(sent.typed)}
        onIn={onIn}
      >
        <Anchor component="button" type="button" size="sm" onClick={onChange}>
          {t('change')}
        </Anchor>
      </CodeFields>
    </Stack>
  )
}
