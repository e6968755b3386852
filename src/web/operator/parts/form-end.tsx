import { Button, Group } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Failed } from '../../parts/failed'

interface FormEndProps {
  /** What the button does, as a verb. */
  readonly action: string
  readonly error: unknown
  readonly isPending: boolean
  readonly isReady?: boolean
  readonly onClose: () => void
}

/** End of a dialog's form: its error, and the buttons to cancel and to submit. */
export function FormEnd({ action, error, isPending, isReady = true, onClose }: FormEndProps) {
  const t = useTranslations('forms')
  return (
    <>
      <Failed error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={isPending} disabled={!isReady}>
          {action}
        </Button>
      </Group>
    </>
  )
}
