import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconMicrophone } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { operate } from '../operate'
import { LiveCallRow } from '../parts/live-row'

const refreshMs = 3000
const maxShown = 200

/** Page of open realtime sessions. */
export function RealtimeSessions() {
  const t = useTranslations('realtime')
  const read = useQuery({
    queryKey: ['op', 'realtime'],
    queryFn: () => operate('GET /realtime-sessions', { query: { max: maxShown } }),
    refetchInterval: refreshMs,
  })
  const sessions = read.data?.data
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Failed error={read.error} onRetry={() => void read.refetch()} />
      {sessions === undefined ? (
        !read.isError && <Skeleton h={200} radius="lg" aria-hidden="true" />
      ) : (
        <section className="card">
          {sessions.length === 0 ? (
            <Empty icon={IconMicrophone} title={t('none')} lead={t('noneLead')} />
          ) : (
            <ul className="list">
              {sessions.map((call) => (
                <li key={call.id}>
                  <LiveCallRow call={call} />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </Stack>
  )
}
