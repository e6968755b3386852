import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import type { Me } from '../me'
import { useNumbers } from '../numbers'
import { Failed } from './failed'

interface LookBannerProps {
  readonly me: Me
  readonly look: NonNullable<Me['look']>
}

/** Banner for an operator who looks at an account: whose pages these are, and the way out. */
export function LookBanner({ me, look }: LookBannerProps) {
  const t = useTranslations('looks')
  const { moment } = useNumbers()
  const leave = useMutation({
    mutationFn: () => ask(api.look.delete()),
    onSuccess: ({ back }) => location.assign(back),
  })
  return (
    <Alert className="notice" role="status" mb="lg">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ flex: 1, minWidth: 220 }}>
          {t('banner', { name: `⁨${me.account.name}⁩`, until: moment(look.until) })}
        </Text>
        <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
          {t('leave')}
        </Button>
      </Group>
      <Failed error={leave.error} />
    </Alert>
  )
}
