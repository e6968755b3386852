import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog'
import { Failed } from './failed'

interface ConfirmProps {
  readonly title: string
  readonly lead: string
  /** Label of the button: a verb. */
  readonly action: string
  readonly isDangerous?: boolean
  /** False until it is known what is confirmed. */
  readonly isReady?: boolean
  readonly work: () => Promise<unknown>
  /** Also after the work was done. */
  readonly onClose: () => void
  /** What is chosen, or read, before. */
  readonly children?: ReactNode
}

/** Confirmation dialog for actions that others feel. */
export function Confirm(props: ConfirmProps) {
  const { title, lead, action, isDangerous = false, isReady = true, work, onClose } = props
  const t = useTranslations('forms')
  const doing = useMutation({ mutationFn: work, onSuccess: onClose })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{lead}</Text>
        {props.children}
        <Failed error={doing.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            {...(isDangerous ? { color: 'red' } : {})}
            loading={doing.isPending}
            disabled={!isReady}
            onClick={() => doing.mutate()}
            data-autofocus
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
