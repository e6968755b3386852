import { Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { useNumbers } from '../../numbers'
import { Confirm } from '../confirm'
import { Failed } from '../failed'
import { Soft } from '../panel'

type Made = NonNullable<Awaited<ReturnType<ReturnType<typeof api.members>['made']['get']>>['data']>
type Fate = 'revoke' | 'keep'

interface RemoveMemberProps {
  readonly person: number
  /** As it stands in a sentence. */
  readonly name: string
  /** They leave by themself. */
  readonly isYou: boolean
  readonly onRemoved: () => Promise<unknown>
  readonly onClose: () => void
}

/** Question before somebody is dismissed or leaves: what becomes of what they made. */
export function RemoveMember({ person, name, isYou, onRemoved, onClose }: RemoveMemberProps) {
  const t = useTranslations('members')
  const [fate, setFate] = useState<Fate>('revoke')
  const made = useQuery({
    queryKey: ['members', person, 'made'],
    queryFn: () => ask(api.members({ person }).made.get()),
    staleTime: 0,
  })
  const remove = async () => {
    await ask(api.members({ person }).delete(undefined, { query: { keys: fate } }))
    await onRemoved()
  }
  return (
    <Confirm
      title={t(isYou ? 'leaveTitle' : 'removeTitle')}
      lead={t(isYou ? 'leaveLead' : 'removeLead', { name })}
      action={t(isYou ? 'leave' : 'remove')}
      isDangerous
      isReady={made.data !== undefined}
      work={remove}
      onClose={onClose}
    >
      <Failed error={made.error} />
      {made.data === undefined ? (
        !made.isError && <Skeleton h={72} />
      ) : (
        <WhatTheyMade made={made.data} isYou={isYou} fate={fate} onFate={setFate} />
      )}
    </Confirm>
  )
}

interface WhatTheyMadeProps {
  readonly made: Made
  readonly isYou: boolean
  readonly fate: Fate
  readonly onFate: (fate: Fate) => void
}

function WhatTheyMade({ made: { keys, webhook }, isYou, fate, onFate }: WhatTheyMadeProps) {
  const t = useTranslations('members')
  const { day } = useNumbers()
  if (keys.length === 0 && webhook === null) return <Soft>{t('madeNothing')}</Soft>
  return (
    <Stack gap="sm">
      {keys.length > 0 && (
        <>
          <Text size="sm">{t(isYou ? 'yourKeys' : 'theirKeys', { count: keys.length })}</Text>
          <ul className="rows flush">
            {keys.map(({ id, name, prefix, last_used: lastUsed }) => (
              <li key={id}>
                <Text size="sm" fw={550}>
                  <bdi>{name}</bdi>
                </Text>
                <Text size="xs" className="soft number">
                  <bdi dir="ltr">{prefix}…</bdi> ·{' '}
                  {lastUsed === null ? t('keyUnused') : t('keyUsed', { day: day(lastUsed) })}
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
      {webhook !== null && (
        <Text size="sm">
          {t(isYou ? 'yourWebhook' : 'theirWebhook', { host: `\u2066${webhook}\u2069` })}
        </Text>
      )}
      <Radio.Group
        label={t('madeFate')}
        value={fate}
        onChange={(value) => onFate(value === 'keep' ? 'keep' : 'revoke')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="revoke" label={t('revokeMade')} description={t('revokeMadeHint')} />
          <Radio value="keep" label={t('keepMade')} description={t('keepMadeHint')} />
        </Stack>
      </Radio.Group>
    </Stack>
  )
}
