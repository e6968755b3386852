import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Failed } from '../../parts/failed'
import { operate, type Result } from '../operate'
import { ConnectionList } from './connection-list'

type SmsKind = Result<'GET /sms-providers'>['data'][number]['kind']

/** SMS providers that carry sign-in codes and notices, in the order in which they are tried. */
export function SmsProviders() {
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
