import { Button, NativeSelect, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { nanosOfUsd, usdOfNanos } from '../call-price'
import { api, ask } from '../client'
import type { Key } from '../key-values'
import { readMeAgain } from '../me'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { useFilters } from '../parts/search-filters'
import { Chat } from '../playground/chat'
import { Pictures } from '../playground/pictures'
import { Speech } from '../playground/speech'
import { Transcription } from '../playground/transcription'

const maxKeys = 100

/** Kinds of calls, by the family of models that they need. */
const places = [
  ['chat', 'chat', Chat],
  ['image', 'images', Pictures],
  ['audio_tts', 'speech', Speech],
  ['audio_stt', 'transcriptions', Transcription],
] as const

/** Page that calls any model on own credit; nothing of the calls is kept. */
export function Playground() {
  const t = useTranslations('playground')
  const keys = useQuery({
    queryKey: ['keys', 'usable'],
    queryFn: () => ask(api.keys.get({ query: { max: maxKeys, revoked: false } })),
  })
  const usable = keys.data?.data.filter(isUsable)
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Failed error={keys.error} onRetry={() => void keys.refetch()} />
      {usable === undefined ? (
        !keys.isError && <Skeleton h={240} />
      ) : usable.length === 0 ? (
        <NoKey />
      ) : (
        <Places keys={usable} />
      )}
    </Stack>
  )
}

const isUsable = ({ state, expired, may_change: isOwn }: Key): boolean =>
  state === 'active' && !expired && isOwn

function NoKey() {
  const t = useTranslations('playground')
  return (
    <section className="card">
      <Empty icon={IconKey} title={t('noKey')} lead={t('noKeyLead')}>
        <Button component={Link} href="/keys" mt="sm">
          {t('makeKey')}
        </Button>
      </Empty>
    </section>
  )
}

function Places({ keys }: { readonly keys: readonly Key[] }) {
  const t = useTranslations('playground')
  const filters = useFilters()
  const [keyId, setKeyId] = useState(keys[0]?.id ?? 0)
  const [nanos, setNanos] = useState(0n)
  const type = places.find(([family]) => family === filters.get('type'))?.[0] ?? 'chat'
  const [first] = useState({ type, model: filters.get('model') })
  // A place keeps what is in it while another one is looked at.
  const visited = useRef(new Set<string>()).current.add(type)
  const addCost = (usd: string | null) => {
    if (usd === null) return
    setNanos((before) => before + nanosOfUsd(usd))
    void readMeAgain()
  }
  return (
    <>
      <div className="playground-head">
        <NativeSelect
          label={t('key')}
          value={String(keyId)}
          onChange={(event) => setKeyId(Number(event.currentTarget.value))}
          data={keys.map(({ id, name, prefix }) => ({
            value: String(id),
            label: `${name} (\u2066${prefix}…\u2069)`,
          }))}
        />
        <Spent nanos={nanos} />
      </div>
      <Tabs
        value={type}
        onChange={(value) => filters.set('type', value === 'chat' ? null : value)}
        keepMounted
      >
        <Tabs.List mb="md">
          {places.map(([family, name]) => (
            <Tabs.Tab key={family} value={family}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {places.map(([family, , Place]) => (
          <Tabs.Panel key={family} value={family}>
            {visited.has(family) && (
              <Place
                keyId={keyId}
                asked={family === first.type ? first.model : null}
                onCost={addCost}
              />
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function Spent({ nanos }: { readonly nanos: bigint }) {
  const t = useTranslations('playground')
  const { usd } = useNumbers()
  return (
    <Text size="sm" role="status" className="number">
      {t('spent', { cost: usd(usdOfNanos(nanos), 9) })}
    </Text>
  )
}
