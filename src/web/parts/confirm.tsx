import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog'
import { Failed } from './failed'

interface ConfirmProps {
  readonly title: string
  readonly lead: string
  /** What the button does, as a verb. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly work: () => Promise<unknown>
  /** Also after the work was done. */
  readonly onClose: () => void
}

/** Confirmation dialog for actions that others feel. */
export function Confirm({ title, lead, action, isDangerous = false, work, onClose }: ConfirmProps) {
  const t = useTranslations('passkeys')
  const doing = useMutation({ mutationFn: work, onSuccess: onClose })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{lead}</Text>
        <Failed error={doing.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            {...(isDangerous ? { color: 'red' } : {})}
            loading={doing.isPending}
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
