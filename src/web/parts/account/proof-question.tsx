import { Button, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useProofQuestion } from '../../proof'
import { Dialog } from '../dialog'

interface ProofQuestionProps {
  /** Ways to show it. */
  readonly children: (onProven: () => void) => ReactNode
}

interface PasskeyProofProps {
  readonly isPending: boolean
  prove(): void
}

/** Proof by a passkey, where the browser and the account have one. */
export function PasskeyProof({ isPending, prove }: PasskeyProofProps) {
  const t = useTranslations('proof')
  return (
    <Button
      leftSection={<IconFingerprint size={18} />}
      loading={isPending}
      onClick={prove}
      data-autofocus
    >
      {t('passkey')}
    </Button>
  )
}

/** Question of who is at the page, before what a stolen session must not do. */
export function ProofQuestion({ children }: ProofQuestionProps) {
  const t = useTranslations('proof')
  const answer = useProofQuestion()
  if (answer === null) return null
  return (
    <Dialog opened onClose={() => answer(false)} title={t('title')}>
      <Stack>
        <Text size="sm">{t('lead')}</Text>
        {children(() => answer(true))}
      </Stack>
    </Dialog>
  )
}
