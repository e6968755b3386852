import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { readMeAgain } from '../me'
import { useNumbers } from '../numbers'
import { useErrorText } from './error-text'

/** Notice of a planned change of number, which whoever did not ask for it stops here. */
export function PhoneMoves({ at }: { readonly at: number }) {
  const t = useTranslations('phoneMoves')
  const { moment } = useNumbers()
  const errorText = useErrorText()
  const keep = useMutation({
    mutationFn: () => ask(api.phone.move.delete()),
    onSuccess: readMeAgain,
  })
  return (
    <Alert className="notice" role="alert" mb="lg">
      <Group justify="space-between">
        <Text size="sm">{t('lead', { when: moment(at) })}</Text>
        <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate()}>
          {t('keep')}
        </Button>
      </Group>
      {keep.error !== null && <Text size="sm">{errorText(keep.error)}</Text>}
    </Alert>
  )
}
