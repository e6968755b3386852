import { Button, Stack } from '@mantine/core'
import { IconExternalLink, IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { api, ask } from '../client'
import type { Me } from '../me'
import { enterByPasskey, hasPasskeys } from '../passkeys'
import { Failed } from './failed'

/**
 * Other ways to sign in: passkeys and the sister service, as far as this service and this browser have
 * them.
 */
export function OtherWays({ onIn }: { readonly onIn: (who: Me) => void }) {
  const t = useTranslations('ways')
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  const enter = useMutation({ mutationFn: enterByPasskey, onSuccess: onIn })
  const { passkeys = false, sister = null } = service.data?.sign_in ?? {}
  const showsPasskeys = passkeys && hasPasskeys()
  if (!showsPasskeys && sister === null) return null
  return (
    <Stack gap="xs" className="other-ways">
      {showsPasskeys && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconFingerprint size={18} stroke={1.6} />}
          loading={enter.isPending}
          onClick={() => enter.mutate()}
        >
          {t('passkey')}
        </Button>
      )}
      {sister !== null && (
        <Button
          component={Link}
          href="/sister"
          variant="default"
          fullWidth
          leftSection={<IconExternalLink size={18} stroke={1.6} />}
        >
          {t('sister', { name: `\u2068${sister}\u2069` })}
        </Button>
      )}
      <Failed error={enter.error} />
    </Stack>
  )
}
