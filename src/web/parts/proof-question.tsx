import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useProofQuestion } from '../proof'
import { Dialog } from './dialog'

interface ProofQuestionProps {
  /** Ways to show it. */
  readonly children: (onProven: () => void) => ReactNode
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
