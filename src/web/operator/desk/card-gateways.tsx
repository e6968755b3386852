import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Failed } from '../../parts/failed'
import { operate, type Result } from '../operate'
import { ConnectionList } from './connection-list'

type GatewayKind = Result<'GET /gateways'>['data'][number]['kind']

/** Card gateways at which customers pay, for operators to set up and try. */
export function CardGateways() {
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
