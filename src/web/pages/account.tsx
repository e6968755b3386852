import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput, Badge } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { api, ask } from '../client'
import { readMeAgain, type Me } from '../me'
import { useNumbers } from '../numbers'
import { CloseAccount } from '../parts/account/close-account'
import { Failed } from '../parts/failed'
import { PageHead } from '../parts/page-head'
import { UsdInput } from '../parts/money/usd-input'
import { isUsd, usdField, usdOrNull } from '../typed'
import { Panel } from '../parts/panel'
import { Form } from '../parts/form'

type Account = NonNullable<Awaited<ReturnType<typeof api.account.get>>['data']>

const accountKey = ['account'] as const

/** Page of the account as a whole: name, low-balance warning, export, closing. */
export function Account({ me }: { readonly me: Me }) {
  const t = useTranslations('account')
  const account = useQuery({ queryKey: accountKey, queryFn: () => ask(api.account.get()) })
  const isOwner = me.account.role === 'owner'
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Failed error={account.error} onRetry={() => void account.refetch()} />
      {account.data === undefined
        ? !account.isError && <Skeleton h={220} />
        : isOwner && <Facts account={account.data} />}
      <Places />
      <Looks />
      {isOwner && <Data />}
      {isOwner && <CloseAccount me={me} />}
    </Stack>
  )
}

function Facts({ account }: { readonly account: Account }) {
  const t = useTranslations('account')
  const limits = useTranslations('limits')
  const { usd } = useNumbers()
  const queries = useQueryClient()
  const [name, setName] = useState(account.name)
  const [floor, setFloor] = useState(usdField(account.notice_floor_usd))
  const save = useMutation({
    mutationFn: () =>
      ask(api.account.patch({ name: name.trim(), notice_floor_usd: usdOrNull(floor) })),
    async onSuccess(saved) {
      queries.setQueryData(accountKey, saved)
      await readMeAgain()
    },
  })
  const isFloor = floor.trim() === '' || isUsd(floor)
  const submit = () => {
    if (isFloor && name.trim() !== '') save.mutate()
  }
  const preset = account.service_floor_usd
  return (
    <Form className="card panel" onSubmit={submit}>
      <Stack maw={480}>
        <TextInput
          label={t('name')}
          value={name}
          dir="auto"
          maxLength={60}
          autoComplete="off"
          error={name.trim() === '' ? limits('nameNeeded') : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <UsdInput
          label={t('floor')}
          description={preset === null ? t('floorHint') : t('floorHintOf', { amount: usd(preset) })}
          value={floor}
          error={isFloor ? null : limits('amountWrong')}
          onChange={(event) => setFloor(event.currentTarget.value)}
        />
        <Failed error={save.error} />
        <Group justify="flex-end">
          {save.isSuccess && (
            <Text size="sm" className="soft" role="status">
              {t('kept')}
            </Text>
          )}
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function Places() {
  const t = useTranslations('account')
  return (
    <Panel id="people" title={t('people')} lead={t('peopleLead')}>
      <Group mt="sm" gap="lg">
        <Anchor component={Link} href="/members" size="sm">
          {t('toMembers')}
        </Anchor>
        <Anchor component={Link} href="/settings" size="sm">
          {t('toSettings')}
        </Anchor>
        <Anchor component={Link} href="/notices" size="sm">
          {t('toNotices')}
        </Anchor>
      </Group>
    </Panel>
  )
}

function Data() {
  const t = useTranslations('account')
  return (
    <Panel id="data" title={t('data')} lead={t('dataLead')}>
      <Button
        component="a"
        href="/app/api/account/export"
        download
        variant="default"
        leftSection={<IconDownload size={16} />}
      >
        {t('download')}
      </Button>
    </Panel>
  )
}

/** Operators' looks at the account; nothing where there were none. */
export function Looks() {
  const t = useTranslations('looks')
  const { moment } = useNumbers()
  const looks = useQuery({ queryKey: ['looks'], queryFn: () => ask(api.looks.get()) })
  if (looks.data === undefined || looks.data.length === 0) return null
  return (
    <Panel id="looks" title={t('title')} lead={t('lead')}>
      <ul className="rows">
        {looks.data.map(({ by, begun, until, lasts }) => (
          <li key={`${by} ${begun}`}>
            <Group justify="space-between">
              <Text size="sm" className="number">
                {t('row', { by: `⁨${by}⁩`, from: moment(begun), until: moment(until) })}
              </Text>
              {lasts && (
                <Badge variant="light" tt="none">
                  {t('lasting')}
                </Badge>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
