import { Alert, Button, Group } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useErrorText } from './error-text'

interface FailedProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Error as a sentence; nothing where there is none. */
export function Failed({ error, onRetry }: FailedProps) {
  const t = useTranslations('errors')
  const errorText = useErrorText()
  if (error === null || error === undefined) return null
  return (
    <Alert color="red" role="alert">
      <Group justify="space-between">
        {errorText(error)}
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
