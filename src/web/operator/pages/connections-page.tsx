import { Stack } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../parts/page-head'
import { CardGateways } from '../desk/card-gateways'
import { MailServerCard } from '../desk/mail-server'
import { SmsProviders } from '../desk/sms-providers'

/** Page of outside services that carry codes, money and mail; their secrets are written and never shown. */
export function ConnectionsPage() {
  const t = useTranslations('connections')
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <SmsProviders />
      <CardGateways />
      <MailServerCard />
    </Stack>
  )
}
