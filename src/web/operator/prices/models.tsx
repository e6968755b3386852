import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCpu, IconDownload, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { Empty } from '../../parts/empty'
import { PageHead } from '../../parts/page-head'
import { PageRows, usePages } from '../../parts/paged-list'
import { SearchField, useFilters, type Filters } from '../../parts/search-filters'
import { useMay } from '../me'
import { operate, type Result } from '../operate'
import { Becomes } from './becomes'
import { modelDeskPath } from './model-detail'
import { ModelState } from './model-state'
import { modelTypes } from '../../../domain/model'
import { NewModel } from './new-model'
import { mainKeys, usePriceWords } from './price-keys'
import { PricesPage } from './prices-page'
import { Share } from './two-prices'
import { Code } from '../../parts/panel'

type Page = Result<'GET /models'>
type Model = Page['data'][number]
const maxOnPage = 50
const states = ['all', 'on_sale', 'not_on_sale', 'below_cost'] as const

/** Page of all models, sold or not: cost, sale price, margin. */
export function ModelsDesk() {
  const t = useTranslations('modelsDesk')
  const may = useMay()
  const filters = useFilters()
  const [opened, { open, close }] = useDisclosure(filters.get('new') !== null)
  const asked = {
    text: filters.get('text') ?? '',
    vendor: filters.get('vendor') ?? '',
    state: states.find((each) => each === filters.get('state')) ?? 'all',
    type: modelTypes.find((each) => each === filters.get('type')),
  }
  const pages = usePages<string, Page>(
    ['op', 'models', asked],
    (before) => operate('GET /models', { query: searched(asked, before) }),
    { keeps: true },
  )
  return (
    <PricesPage>
      <PageHead title={t('title')} lead={t('lead')}>
        {may('owner') && (
          <Group gap="xs">
            <Button
              component={Link}
              href="/operator/model-imports"
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              {t('import')}
            </Button>
            <Button leftSection={<IconPlus size={16} />} onClick={open}>
              {t('add')}
            </Button>
          </Group>
        )}
      </PageHead>
      <Fields filters={filters} />
      <PageRows<Model, string>
        pages={pages}
        keyOf={({ id }) => id}
        row={(model) => <ModelRow model={model} />}
        empty={<Empty icon={IconCpu} title={t('none')} lead={t('noneLead')} />}
      />
      {opened && (
        <NewModel
          vendor={filters.get('of') ?? ''}
          vendorModel={filters.get('new') ?? ''}
          onClose={close}
        />
      )}
    </PricesPage>
  )
}

interface Asked {
  readonly text: string
  readonly vendor: string
  readonly state: (typeof states)[number]
  readonly type: (typeof modelTypes)[number] | undefined
}

/** Without what is left open. */
const searched = ({ text, vendor, state, type }: Asked, before: string | undefined) => ({
  max: maxOnPage,
  state,
  ...(text === '' ? {} : { text }),
  ...(vendor === '' ? {} : { vendor }),
  ...(type === undefined ? {} : { type }),
  ...(before === undefined ? {} : { before }),
})

function Fields({ filters }: { readonly filters: Filters }) {
  const t = useTranslations('modelsDesk')
  const inFamilies = useTranslations('families')
  const vendors = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
  })
  const field = (name: string) => ({
    value: filters.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      filters.set(name, event.currentTarget.value),
  })
  const names = (vendors.data?.data ?? []).map(({ name }) => name)
  return (
    <div className="filters" role="search">
      <SearchField
        maxLength={200}
        filters={filters}
        label={t('search')}
        placeholder={t('searchHint')}
      />
      <NativeSelect
        {...field('state')}
        label={t('state')}
        data={states.map((value) => ({ value: value === 'all' ? '' : value, label: t(value) }))}
      />
      <NativeSelect
        {...field('type')}
        label={t('type')}
        data={[
          { value: '', label: t('anyType') },
          ...modelTypes.map((value) => ({ value, label: inFamilies(value) })),
        ]}
      />
      <NativeSelect
        {...field('vendor')}
        label={t('vendor')}
        data={[{ value: '', label: t('anyVendor') }, ...names]}
      />
    </div>
  )
}

function ModelRow({ model }: { readonly model: Model }) {
  const t = useTranslations('modelsDesk')
  const { count, decimal } = useNumbers()
  const words = usePriceWords()
  const { id, name, pricing, cost, least_margin_percent: margin, calls_30d: calls } = model
  return (
    <Link href={modelDeskPath(id)} className="list-link">
      <div className="priced-row">
        <div className="priced-name">
          <Text size="sm" fw={600} className="model-name">
            <bdi>{name}</bdi>
          </Text>
          <Code isSoft>{id}</Code>
        </div>
        <div className="priced-prices number">
          {mainKeys(pricing).map((key) => (
            <div key={key}>
              <span className="soft">{words(key).name}</span>{' '}
              <Becomes
                from={cost?.[key] === undefined ? '–' : decimal(cost[key])}
                to={decimal(pricing[key] ?? '0')}
              />
            </div>
          ))}
        </div>
        <div className="priced-margin number">
          {margin !== null && (
            <>
              <span className="soft">{t('margin')}</span> <Share of={Number(margin) / 100} />
            </>
          )}
          <div className="soft">{t('calls', { count: calls, shown: count(calls) })}</div>
        </div>
        <div className="priced-state">
          <ModelState model={model} />
        </div>
      </div>
    </Link>
  )
}
