import { Badge, Button, Group, NativeSelect, Skeleton, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconActivity, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { plainNumber } from '../../typed'
import { useLiveFeed, type LiveFeed, type LiveSearch } from '../live-feed'
import { LiveCallRow } from '../parts/live-row'
import { Soft } from '../../parts/panel'

const typingMs = 300
const statuses = ['running', 'success', 'error', 'cancelled', 'refused'] as const
const fields = ['account', 'key', 'model', 'vendor', 'code'] as const
const numbers: ReadonlySet<string> = new Set(['account', 'key'])

type Typed = Readonly<Record<(typeof fields)[number], string>>

const nothingTyped: Typed = { account: '', key: '', model: '', vendor: '', code: '' }

/** Typed filters, without numbers that are none yet. */
const searchedFor = (typed: Typed, status: LiveSearch['status']): LiveSearch => ({
  ...Object.fromEntries(
    fields.flatMap((name) => {
      const text = numbers.has(name) ? plainNumber(typed[name]) : typed[name].trim()
      return text === '' || (numbers.has(name) && !/^[1-9]\d*$/.test(text)) ? [] : [[name, text]]
    }),
  ),
  status: status ?? null,
})

/** Page of live calls as they go by. */
export function LivePage() {
  const t = useTranslations('live')
  const [typed, setTyped] = useState(nothingTyped)
  const [status, setStatus] = useState<NonNullable<LiveSearch['status']> | ''>('')
  const [isPaused, setPaused] = useState(false)
  const [settled] = useDebouncedValue(typed, typingMs)
  const feed = useLiveFeed(searchedFor(settled, status === '' ? null : status), isPaused)
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        <Button
          variant="default"
          leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => setPaused(!isPaused)}
        >
          {t(isPaused ? 'resume' : 'pause')}
        </Button>
      </PageHead>
      <div className="live-filters" role="search" aria-label={t('filters')}>
        {fields.map((name) => (
          <TextInput
            key={name}
            label={t(name)}
            value={typed[name]}
            onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            dir="ltr"
          />
        ))}
        <NativeSelect
          label={t('status')}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
          data={[
            { value: '', label: t('any') },
            ...statuses.map((value) => ({ value, label: t(value) })),
          ]}
        />
      </div>
      <FeedState feed={feed} />
      <Calls feed={feed} />
    </Stack>
  )
}

function FeedState({ feed: { state, dropped } }: { readonly feed: LiveFeed }) {
  const t = useTranslations('live')
  const { count } = useNumbers()
  return (
    <Group gap="sm" role="status">
      {state !== 'waiting' && (
        <Badge variant="light" tt="none" color={state === 'open' ? 'firuze' : 'red'}>
          {t(state === 'open' ? 'isOpen' : 'isLost')}
        </Badge>
      )}
      {dropped > 0 && <Soft>{t('dropped', { count: count(dropped) })}</Soft>}
    </Group>
  )
}

function Calls({ feed: { rows, fault } }: { readonly feed: LiveFeed }) {
  const t = useTranslations('live')
  if (fault !== null && rows === null) return <Failed error={fault} />
  if (rows === null) return <Skeleton h={200} radius="lg" aria-hidden="true" />
  if (rows.length === 0)
    return (
      <section className="card">
        <Empty icon={IconActivity} title={t('none')} lead={t('noneLead')} />
      </section>
    )
  return (
    <section className="card">
      <ul className="list">
        {rows.map((call) => (
          <li key={call.id}>
            <LiveCallRow call={call} />
          </li>
        ))}
      </ul>
    </section>
  )
}
