import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { api, ask } from '../client'
import type { Key } from '../key-values'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { Failed } from '../parts/failed'
import { KeyState } from '../parts/keys/key-state'
import { NewKey } from '../parts/keys/new-key'
import { PageHead } from '../parts/page-head'
import { useProjects } from '../parts/project-picker'
import { PagedList } from '../parts/paged-list'
import { SpentOf } from '../parts/money/spent-of'
import { Code } from '../parts/panel'

const maxOnPage = 25

/** Page of the account's keys, newest first. */
export function Keys() {
  const t = useTranslations('keys')
  const [opened, { open, close }] = useDisclosure(false)
  const [shows, setShows] = useState<'used' | 'revoked'>('used')
  const projects = useProjects()
  const add = (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={open}
      disabled={projects.data === undefined}
    >
      {t('add')}
    </Button>
  )
  const revoked = shows === 'revoked'
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {add}
      </PageHead>
      <Failed error={projects.error} />
      <SegmentedControl
        style={{ alignSelf: 'flex-start' }}
        value={shows}
        onChange={(value) => setShows(value)}
        data={[
          { value: 'used', label: t('used') },
          { value: 'revoked', label: t('ended') },
        ]}
      />
      <PagedList<Key, number>
        queryKey={['keys', shows]}
        read={(before) =>
          ask(
            api.keys.get({
              query: { max: maxOnPage, revoked, ...(before === undefined ? {} : { before }) },
            }),
          )
        }
        keyOf={({ id }) => id}
        row={(item) => <KeyRow item={item} />}
        empty={
          revoked ? (
            <Empty icon={IconKey} title={t('noneEnded')} lead={t('noneEndedLead')} />
          ) : (
            <Empty icon={IconKey} title={t('empty')} lead={t('emptyLead')} />
          )
        }
      />
      {projects.data !== undefined && (
        <NewKey projects={projects.data.data} opened={opened} onClose={close} />
      )}
    </Stack>
  )
}

function KeyRow({ item }: { readonly item: Key }) {
  const t = useTranslations('keys')
  const { day } = useNumbers()
  return (
    <Link href={`/keys/${item.id}`} className="list-link">
      <div className="key-row">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} truncate="end">
            <bdi>{item.name}</bdi>
          </Text>
          <Code isSoft>{item.prefix}…</Code>
          <OtherMaker item={item} />
        </div>
        <div className="wide">
          <Spent item={item} />
        </div>
        <Text size="sm" className="soft wide">
          {item.last_used === null ? t('neverUsed') : t('usedOn', { day: day(item.last_used) })}
        </Text>
        <KeyState item={item} />
        <div className="narrow">
          <Spent item={item} />
        </div>
      </div>
    </Link>
  )
}

/** Of a key that somebody else made. */
function OtherMaker({ item }: { readonly item: Key }) {
  const t = useTranslations('makers')
  const { digits } = useNumbers()
  const maker = item.made_by
  if (maker === null || maker.is_you) return null
  return (
    <Text size="xs" className="soft">
      {maker.phone === null
        ? t('former')
        : t('by', { phone: `\u2066${digits(maker.phone)}\u2069` })}
    </Text>
  )
}

function Spent({ item }: { readonly item: Key }) {
  const t = useTranslations('keys')
  return (
    <SpentOf
      spent={item.spent_usd}
      limit={item.spend_limit_usd}
      noLimit={t('noLimit')}
      label={t('spentOf', { name: item.name })}
    />
  )
}
