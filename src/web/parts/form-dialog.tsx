import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from './dialog'
import { Failed } from './failed'
import { Form } from './form'

interface FormDialogProps {
  readonly title: string
  readonly size?: 'md' | 'lg'
  /** Label of the button: a verb; “save” where it is left out. */
  readonly action?: ReactNode
  readonly isReady?: boolean
  readonly isDangerous?: boolean
  /** Mutation that sends the form. */
  readonly saving: {
    readonly error: unknown
    readonly isPending: boolean
    readonly mutate: () => void
  }
  /** Error of another request that the form needs. */
  readonly error?: unknown
  readonly onClose: () => void
  /** Fields. */
  readonly children: ReactNode
}

/** Dialog of a form: its fields, its error, and buttons to cancel and to submit. */
export function FormDialog(props: FormDialogProps) {
  const { title, size = 'md', action, saving, onClose, isReady = true, isDangerous = false } = props
  const t = useTranslations('forms')
  return (
    <Dialog opened onClose={onClose} title={title} size={size}>
      <Form onSubmit={() => saving.mutate()}>
        <Stack>
          {props.children}
          <Failed error={saving.error ?? props.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              {...(isDangerous ? { color: 'red' } : {})}
              loading={saving.isPending}
              disabled={!isReady}
            >
              {action ?? t('save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
