import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconListSearch, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useLocation } from 'wouter'
import { api, ask } from '../client'
import { useNumbers } from '../numbers'
import { CallState } from '../parts/call-state'
import { Empty } from '../parts/empty'
import { FilterChips } from '../parts/filter-chips'
import { useModels } from '../parts/model-picker'
import { PageHead } from '../parts/page-head'
import { ProjectPicker } from '../parts/project-picker'
import { PagedList } from '../parts/paged-list'
import { RangePicker, useDays, useZone } from '../parts/range-picker'
import { numberOf, useFilters } from '../parts/search-filters'
import { isoDay, rangeText, readRange, startIn } from '../ranges'
import { Code } from '../parts/panel'
import { Form } from '../parts/form'

type Call = NonNullable<Awaited<ReturnType<typeof api.requests.get>>['data']>['data'][number]
type Filters = ReturnType<typeof useFilters>

const maxOnPage = 25
const statuses = ['success', 'error', 'cancelled', 'pending'] as const
const dayMs = 86_400_000
const dayAfter = (day: string): string => isoDay(Date.parse(day) + dayMs)

/** Page of the account's calls, newest first, with filters. */
export function Requests() {
  const t = useTranslations('requests')
  const filters = useFilters()
  const asked = useRequested(filters)
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <Search />
      <Fields filters={filters} />
      <FilterChips filters={filters} />
      <PagedList<Call, string>
        queryKey={['requests', asked]}
        read={(before) =>
          ask(
            api.requests.get({
              query: {
                ...asked,
                ...(before === undefined ? {} : { before }),
                max: maxOnPage,
              },
            }),
          )
        }
        keyOf={({ id }) => id}
        row={(call) => <CallRow call={call} />}
        empty={
          <Empty icon={IconListSearch} title={t('empty')} lead={t('emptyLead')}>
            <Button variant="default" mt="sm" onClick={filters.clear}>
              {t('clear')}
            </Button>
          </Empty>
        }
      />
    </Stack>
  )
}

function useRequested(filters: Filters) {
  const [project, key] = [numberOf(filters.get('project')), numberOf(filters.get('key'))]
  const model = filters.get('model')
  const status = statuses.find((each) => each === filters.get('status')) ?? null
  const zone = useZone()
  const days = useDays(readRange(filters.get('range')))
  return {
    ...(project === null ? {} : { project }),
    ...(key === null ? {} : { key }),
    ...(model === null ? {} : { model }),
    ...(status === null ? {} : { status }),
    ...(days === null
      ? {}
      : { from: startIn(zone, days.from), to: startIn(zone, dayAfter(days.to)) }),
  }
}

function Search() {
  const t = useTranslations('requests')
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  return (
    <Form
      role="search"
      onSubmit={() => {
        if (typed.trim() !== '') go(`/requests/${encodeURIComponent(typed.trim())}`)
      }}
    >
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={t('search')}
          placeholder="req_…"
          classNames={{ input: 'id-input' }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" leftSection={<IconSearch size={16} />}>
          {t('find')}
        </Button>
      </Group>
    </Form>
  )
}

function Fields({ filters }: { readonly filters: Filters }) {
  const t = useTranslations('requests')
  const models = useModels()
  const field = (name: string) => ({
    value: filters.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      filters.set(name, event.currentTarget.value),
  })
  return (
    <div className="filters">
      <RangePicker
        allowsAny
        value={readRange(filters.get('range'))}
        onChange={(range) => filters.set('range', rangeText(range))}
      />
      <NativeSelect
        {...field('status')}
        label={t('status')}
        data={[
          { value: '', label: t('anyStatus') },
          ...statuses.map((value) => ({ value, label: t(value) })),
        ]}
      />
      <NativeSelect
        {...field('model')}
        label={t('model')}
        data={[
          { value: '', label: t('anyModel') },
          ...(models.data ?? []).map(({ id }) => ({ value: id, label: id })),
        ]}
      />
      <ProjectPicker
        label={t('project')}
        all={t('anyProject')}
        value={filters.get('project') ?? ''}
        onChange={(project) => filters.set('project', project)}
      />
    </div>
  )
}

function CallRow({ call }: { readonly call: Call }) {
  const t = useTranslations('requests')
  const { moment, usd, count } = useNumbers()
  return (
    <Link href={`/requests/${call.id}`} className="list-link">
      <div className="call-row">
        <span style={{ overflowWrap: 'anywhere' }}>
          <Code>{call.model}</Code>
        </span>
        <span className="soft number when">{moment(call.created)}</span>
        <span className="soft wide number">
          {t('tokens', { count: count(call.input_tokens + call.output_tokens) })}
        </span>
        <Text component="span" size="sm" className="end number" fw={550}>
          {usd(call.usd, 6)}
        </Text>
        <CallState status={call.status} />
      </div>
    </Link>
  )
}
