import { Badge, Stack, Text } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { PageHead } from '../../parts/page-head'
import { PagedList } from '../../parts/paged-list'
import { operate, type Result } from '../operate'
import { Code } from '../../parts/panel'

type Video = Result<'GET /videos'>['data'][number]

const maxOnPage = 50
const colours = {
  creating: 'saffron',
  queued: 'saffron',
  in_progress: 'saffron',
  completed: 'firuze',
  failed: 'red',
  cancelled: 'gray',
} as const

/** Page of the video jobs of all accounts. The page of a job's call refunds it, once. */
export function VideoJobs() {
  const t = useTranslations('videoJobs')
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <PagedList<Video, string>
        queryKey={['op', 'videos']}
        read={(before) =>
          operate('GET /videos', {
            query: { max: maxOnPage, ...(before === undefined ? {} : { before }) },
          })
        }
        keyOf={({ id }) => id}
        row={(video) => <VideoRow video={video} />}
        empty={<Empty icon={IconVideo} title={t('none')} lead={t('noneLead')} />}
      />
    </Stack>
  )
}

function VideoRow({ video }: { readonly video: Video }) {
  const t = useTranslations('videoJobs')
  const { moment, usd, count, percent } = useNumbers()
  const isMade = video.status === 'in_progress'
  const marks = [
    ...(video.given_back ? [t('givenBack')] : []),
    ...(video.deleted ? [t('deleted')] : []),
  ]
  return (
    <Link href={`/operator/requests/${video.request}`} className="list-link">
      <div className="call-row">
        <span style={{ overflowWrap: 'anywhere' }}>
          <Code>{video.model}</Code>{' '}
          <span className="soft number">
            {t('seconds', { count: count(Number(video.seconds)) })} · <bdi>{video.size}</bdi>
          </span>
        </span>
        <span className="soft number when">{moment(Date.parse(video.created))}</span>
        <span className="soft wide">
          {marks.length > 0 ? marks.join(' · ') : <Code>{video.error ?? video.vendor ?? ''}</Code>}
        </span>
        <Text component="span" size="sm" className="end number" fw={550}>
          {usd(video.usd)}
        </Text>
        <Badge
          variant="light"
          tt="none"
          color={colours[video.status]}
          {...(colours[video.status] === 'saffron' ? { c: 'var(--ink)' } : {})}
          style={{ justifySelf: 'end' }}
        >
          {t(video.status)}
          {isMade && ` ${percent(video.progress / 100)}`}
        </Badge>
      </div>
    </Link>
  )
}
