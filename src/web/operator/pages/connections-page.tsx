import { Stack, Skeleton } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useQuery } from '@tanstack/react-query'
import { PageHead } from '../../parts/page-head'
import { MailServerCard } from '../desk/mail-server'
import { Failed } from '../../parts/failed'
import { operate, type Result } from '../operate'
import { ConnectionList } from '../desk/connection-list'

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

type GatewayKind = Result<'GET /gateways'>['data'][number]['kind']

/** Card gateways at which customers pay, for operators to set up and try. */
function CardGateways() {
  const t = useTranslations('connections')
  const gateways = useQuery({
    queryKey: ['op', 'gateways'],
    queryFn: () => operate('GET /gateways', {}),
  })
  if (gateways.data === undefined)
    return gateways.isError ? (
      <Failed error={gateways.error} onRetry={() => void gateways.refetch()} />
    ) : (
      <Skeleton h={120} radius="lg" />
    )
  const { data, kinds } = gateways.data
  return (
    <ConnectionList
      name="gateways"
      kept={data}
      kinds={kinds.map(({ kind, secrets, options }) => ({
        kind,
        options,
        secret: { about: secrets.map(({ about }) => about).join('; '), isNeeded: true },
      }))}
      save={({ name, kind, ...rest }) =>
        operate('PUT /gateways/{name}', {
          params: { name },
          body: { kind: kind as GatewayKind, ...rest },
        })
      }
      remove={(name) => operate('DELETE /gateways/{name}', { params: { name }, body: {} })}
      test={async (name) => {
        const { page } = await operate('POST /gateways/{name}/test', { params: { name } })
        return { text: t('gatewayOpened'), link: page }
      }}
    />
  )
}

type SmsKind = Result<'GET /sms-providers'>['data'][number]['kind']

/** SMS providers that carry sign-in codes and notices, in the order in which they are tried. */
function SmsProviders() {
  const t = useTranslations('connections')
  const providers = useQuery({
    queryKey: ['op', 'sms'],
    queryFn: () => operate('GET /sms-providers', {}),
  })
  if (providers.data === undefined)
    return providers.isError ? (
      <Failed error={providers.error} onRetry={() => void providers.refetch()} />
    ) : (
      <Skeleton h={120} radius="lg" />
    )
  const { data, kinds } = providers.data
  return (
    <ConnectionList
      name="sms"
      kept={data}
      kinds={kinds
        // A program is run by a command on the machine itself.
        .filter(({ kind }) => kind !== 'command')
        .map(({ kind, secret, options }) => ({
          kind,
          options,
          secret: secret === 'none' ? null : { about: '', isNeeded: secret === 'needed' },
        }))}
      save={({ name, kind, ...rest }) =>
        operate('PUT /sms-providers/{name}', {
          params: { name },
          body: { kind: kind as SmsKind, ...rest },
        })
      }
      remove={(name) => operate('DELETE /sms-providers/{name}', { params: { name } })}
      trialField={t('phone')}
      test={async (name, phone) => {
        const { code } = await operate('POST /sms-providers/{name}/test', {
          params: { name },
          body: { phone },
        })
        return { text: t('smsSent', { code }) }
      }}
    />
  )
}
