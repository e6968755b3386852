import { Badge, Button, NativeSelect, Stack, Text } from '@mantine/core'
import { IconCpu } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { coinsOf } from '../call-price'
import { api, ask } from '../client'
import { useMeterWords } from '../meter-words'
import { useNumbers } from '../numbers'
import { Empty } from '../parts/empty'
import { ModelBadges } from '../parts/model-badges'
import { PageHead } from '../parts/page-head'
import { PageRows, usePages } from '../parts/paged-list'
import { SearchField, useFilters, type Filters } from '../parts/search-filters'
import { capabilities, families } from '../model-families'
import { modelPath, type FoundModels, type ModelRow } from '../sold-models'

const maxOnPage = 30
const orders = ['id', 'cheapest', 'dearest'] as const
/** Public page of the models on sale. */
export function Models() {
  const t = useTranslations('models')
  const filters = useFilters()
  const [clearings, setClearings] = useState(0)
  const clear = () => {
    filters.clear()
    setClearings(clearings + 1)
  }
  const asked = useRequested(filters)
  const pages = usePages<string, FoundModels>(
    ['catalogue', asked],
    (after) =>
      ask(
        api.catalogue.get({
          query: { ...asked, max: maxOnPage, ...(after === undefined ? {} : { after }) },
        }),
      ),
    { keeps: true },
  )
  const rate = pages.data?.pages[0]?.coins_per_usd ?? null
  return (
    <Stack gap="lg">
      <Head rate={rate} />
      <Fields key={clearings} filters={filters} />
      <Found total={pages.data?.pages[0]?.total ?? null} />
      <PageRows<ModelRow, string>
        pages={pages}
        keyOf={({ id }) => id}
        row={(model) => <Row model={model} rate={rate} />}
        empty={
          <Empty icon={IconCpu} title={t('empty')} lead={t('emptyLead')}>
            <Button variant="default" mt="sm" onClick={clear}>
              {t('clear')}
            </Button>
          </Empty>
        }
      />
    </Stack>
  )
}

function Head({ rate }: { readonly rate: string | null }) {
  const t = useTranslations('models')
  const { decimal } = useNumbers()
  const coins = rate === null ? '' : ` ${t('leadCoins', { rate: decimal(rate) })}`
  return <PageHead title={t('title')} lead={`${t('lead')}${coins}`} />
}

function useRequested(filters: Filters) {
  const text = filters.get('text') ?? ''
  const family = families.find((each) => each === filters.get('type'))
  const capability = capabilities.find((each) => each === filters.get('can'))
  const order = orders.find((each) => each === filters.get('order')) ?? 'id'
  return {
    text,
    order,
    ...(family === undefined ? {} : { family }),
    ...(capability === undefined ? {} : { capability }),
  }
}

function Fields({ filters }: { readonly filters: Filters }) {
  const t = useTranslations('models')
  const inFamilies = useTranslations('families')
  const inCapabilities = useTranslations('capabilities')
  const field = (name: string) => ({
    value: filters.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      filters.set(name, event.currentTarget.value),
  })
  return (
    <div className="filters" role="search">
      <SearchField filters={filters} label={t('search')} placeholder={t('searchHint')} />
      <NativeSelect
        {...field('type')}
        label={t('family')}
        data={[
          { value: '', label: t('anyFamily') },
          ...families.map((value) => ({ value, label: inFamilies(value) })),
        ]}
      />
      <NativeSelect
        {...field('can')}
        label={t('capability')}
        data={[
          { value: '', label: t('anyCapability') },
          ...capabilities.map((value) => ({ value, label: inCapabilities(value) })),
        ]}
      />
      <NativeSelect
        {...field('order')}
        label={t('order')}
        data={[
          { value: '', label: t('byId') },
          { value: 'cheapest', label: t('cheapest') },
          { value: 'dearest', label: t('dearest') },
        ]}
      />
    </div>
  )
}

/** Number of found models, for screen readers. */
function Found({ total }: { readonly total: number | null }) {
  const t = useTranslations('models')
  const { count } = useNumbers()
  return (
    <Text size="sm" className="soft" role="status">
      {total === null ? '' : t('found', { count: total, shown: count(total) })}
    </Text>
  )
}

interface RowProps {
  readonly model: ModelRow
  readonly rate: string | null
}

function Row({ model, rate }: RowProps) {
  return (
    <Link href={modelPath(model.id)} className="list-link">
      <div className="model-row">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} component="div" className="model-name">
            <bdi>{model.name}</bdi> <ModelBadges model={model} />
          </Text>
          <bdi className="code soft request-id" dir="ltr" lang="en">
            {model.id}
          </bdi>
          <Abilities model={model} />
        </div>
        <Prices model={model} rate={rate} />
      </div>
    </Link>
  )
}

function Abilities({ model }: { readonly model: ModelRow }) {
  const t = useTranslations()
  const { count } = useNumbers()
  const known = capabilities.filter((each) => model.capabilities.includes(each))
  return (
    <div className="abilities">
      <Badge variant="light" color="gray" size="sm" tt="none">
        {t(`families.${model.family}`)}
      </Badge>
      {model.context_length !== null && (
        <span>{t('models.context', { count: count(model.context_length) })}</span>
      )}
      {known.map((each) => (
        <span key={each}>{t(`capabilities.${each}`)}</span>
      ))}
    </div>
  )
}

function Prices({ model, rate }: RowProps) {
  const t = useTranslations('models')
  const { usd, tomans, dayOf } = useNumbers()
  const { meter, unit } = useMeterWords()
  const [first] = model.prices
  if (first === undefined || model.is_free) return <span />
  const isOneUnit = model.prices.every(({ unit: other }) => other === first.unit)
  return (
    <div className="model-prices">
      {model.prices.map((price) => (
        <div key={price.meter} className="model-price number">
          <span className="soft">{meter(price.meter).name}</span>
          <span>
            {model.from && `${t('from')} `}
            {usd(price.usd, 9)}
          </span>
          {rate !== null && <span className="soft">{tomans(coinsOf(price.usd, rate))}</span>}
          {!isOneUnit && <span className="soft">{unit(price.meter, price.unit)}</span>}
        </div>
      ))}
      {isOneUnit && (
        <Text size="xs" className="soft">
          {unit(first.meter, first.unit)}
        </Text>
      )}
      {model.changes_at !== null && (
        <Text size="xs" className="changing">
          {t('changes', { day: dayOf(model.changes_at) })}
        </Text>
      )}
    </div>
  )
}
