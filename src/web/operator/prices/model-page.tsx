import { Anchor, Button, Group, Skeleton, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { Confirm } from '../../parts/confirm'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate } from '../operate'
import { TrailLines } from '../pages/trail'
import { type ModelDetail, readPricesAgain } from './model-detail'
import { ModelFacts } from './model-facts'
import { ModelNames } from './model-names'
import { ModelPrices } from './model-prices'
import { ModelRoutes } from './model-routes'
import { ModelState } from './model-state'
import { ModelTraits } from './model-traits'
import { PricesPage } from './prices-page'

const tabs = ['prices', 'routes', 'facts', 'traits', 'names', 'trail'] as const
type Tab = (typeof tabs)[number]
/** A name of several models has no more of its own. */
const tabsOfName: readonly Tab[] = ['names', 'facts', 'trail']

/** Page of one model for operators: facts, prices, routes, traits. */
export function ModelDesk() {
  const id = useParams()['*'] ?? ''
  const t = useTranslations('modelPage')
  const model = useQuery({
    queryKey: ['op', 'model', id],
    queryFn: () => operate('GET /models/{id}', { params: { id } }),
  })
  return (
    <PricesPage>
      <Anchor component={Link} href="/operator/models" size="sm">
        {t('back')}
      </Anchor>
      {model.data === undefined ? (
        <>
          <PageHead title={id} />
          {model.isError ? (
            <Failed error={model.error} onRetry={() => void model.refetch()} />
          ) : (
            <Skeleton h={420} radius="lg" />
          )}
        </>
      ) : (
        <Shown key={id} model={model.data} />
      )}
    </PricesPage>
  )
}

/** As a link asks for it: `?tab=routes`. */
const tabRequested = (shown: readonly Tab[]): Tab => {
  const asked = new URLSearchParams(location.search).get('tab')
  return shown.find((tab) => tab === asked) ?? shown[0] ?? 'prices'
}

function Shown({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations('modelPage')
  const may = useMay()
  const shown = model.alias_of.length > 0 ? tabsOfName : tabs
  const [tab, setTab] = useState<Tab>(() => tabRequested(shown))
  return (
    <>
      <PageHead title={model.name} {...(model.name === model.id ? {} : { lead: model.id })}>
        <Group gap="xs">
          <ModelState model={model} />
          {may('owner') && <Switches model={model} />}
        </Group>
      </PageHead>
      <Tabs
        value={tab}
        onChange={(value) => setTab((value ?? 'prices') as Tab)}
        keepMounted={false}
      >
        <Tabs.List mb="lg" className="operator-tabs">
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="prices">
          <ModelPrices model={model} />
        </Tabs.Panel>
        <Tabs.Panel value="routes">
          <ModelRoutes model={model} />
        </Tabs.Panel>
        <Tabs.Panel value="facts">
          <ModelFacts model={model} />
        </Tabs.Panel>
        <Tabs.Panel value="traits">
          <ModelTraits model={model} />
        </Tabs.Panel>
        <Tabs.Panel value="names">
          <ModelNames model={model} />
        </Tabs.Panel>
        <Tabs.Panel value="trail">
          <TrailLines query={{ subject: `model:${model.id}` }} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

/** On and off, and from sale for good. */
function Switches({ model: { id, why_not: why } }: { readonly model: ModelDetail }) {
  const t = useTranslations('modelPage')
  const [asking, setRequesting] = useState<'switch' | 'remove' | null>(null)
  const close = () => setRequesting(null)
  if (why === 'discontinued') return null
  const isOff = why === 'off'
  const action = isOff ? 'switchOn' : 'switchOff'
  const params = { id }
  const set = async () => {
    await operate('PATCH /models/{id}', { params, body: { status: isOff ? 'active' : 'off' } })
    await readPricesAgain()
  }
  const remove = async () => {
    await operate('DELETE /models/{id}', { params })
    await readPricesAgain()
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setRequesting('switch')}>
        {t(action)}
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        onClick={() => setRequesting('remove')}
      >
        {t('remove')}
      </Button>
      {asking === 'switch' && (
        <Confirm
          title={t(action)}
          lead={t(isOff ? 'switchOnLead' : 'switchOffLead')}
          action={t(action)}
          work={set}
          onClose={close}
        />
      )}
      {asking === 'remove' && (
        <Confirm
          title={t('remove')}
          lead={t('removeLead')}
          action={t('remove')}
          isDangerous
          work={remove}
          onClose={close}
        />
      )}
    </>
  )
}
