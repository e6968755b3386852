import { Badge, Button, Group, Stack, Text, Title, Anchor } from '@mantine/core'
import { useState, useContext } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { useMay } from '../me'
import { KnownPaths } from '../parts/known-paths'
import type { ModelDetail, ModelRoute } from './model-detail'
import { RoutesForm } from './routes-form'
import { Share, TwoPrices } from './two-prices'
import { VendorCostForm } from './vendor-cost-form'
import { Soft } from '../../parts/panel'

/** Ways to a model, in the order in which they are tried. */
export function ModelRoutes({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations('modelRoutes')
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  return (
    <section className="card">
      <Group justify="space-between" align="flex-start" className="panel">
        <div style={{ flex: 1, minWidth: 220 }}>
          <Title order={2} fz="md">
            {t('title')}
          </Title>
          <Soft>{t(model.own_routes ? 'own' : 'catalogue')}</Soft>
        </div>
        {may('owner') && (
          <Button size="xs" onClick={() => setEditing(true)}>
            {t('change')}
          </Button>
        )}
      </Group>
      {model.routes.length === 0 ? (
        <Text size="sm" className="panel">
          {t('none')}
        </Text>
      ) : (
        <ul className="list routes">
          {model.routes.map((route) => (
            <li key={`${route.vendor} ${route.vendor_model}`}>
              <RouteRow route={route} model={model} />
            </li>
          ))}
        </ul>
      )}
      {isEditing && <RoutesForm model={model} onClose={() => setEditing(false)} />}
    </section>
  )
}

interface RouteRowProps {
  readonly route: ModelRoute
  readonly model: ModelDetail
}

function RouteRow({ route, model }: RouteRowProps) {
  const t = useTranslations('modelRoutes')
  const may = useMay()
  const { count, moment } = useNumbers()
  const [isTyping, setTyping] = useState(false)
  const { cost, cost_source: source, cost_since: since, least_margin_percent: margin } = route
  return (
    <div className="list-link still">
      <div className="route-row">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} component="span">
            <VendorLink name={route.vendor} />
          </Text>
          <br />
          <bdi className="code soft" dir="ltr" lang="en" style={{ overflowWrap: 'anywhere' }}>
            {route.vendor_model}
          </bdi>
        </div>
        <Text size="sm" className="number">
          {t('place', { priority: count(route.priority), weight: count(route.weight) })}
        </Text>
        <Text size="sm" className="number" component="div">
          {margin !== null && (
            <>
              <span className="soft">{t('margin')}</span> <Share of={Number(margin) / 100} />
            </>
          )}
        </Text>
        <RouteState route={route} />
      </div>
      <Stack gap="xs" mt="sm" align="flex-start">
        {cost === null ? (
          <Text size="sm">{t('costUnknown')}</Text>
        ) : (
          <details className="more" style={{ width: '100%' }}>
            <summary>
              {t('costs', {
                source: `\u2066${source ?? '–'}\u2069`,
                when: since === null ? '–' : moment(Date.parse(since)),
              })}
            </summary>
            <TwoPrices
              label={t('costsOf', { vendor: route.vendor })}
              heads={[t('cost'), t('sale'), t('margin')]}
              first={cost}
              second={model.pricing}
            />
          </details>
        )}
        {route.cost_next !== null && (
          <Text size="sm">{t('costNext', { when: moment(Date.parse(route.cost_next.from)) })}</Text>
        )}
        {may('owner') && (
          <Button size="xs" variant="default" onClick={() => setTyping(true)}>
            {t('typeCost')}
          </Button>
        )}
      </Stack>
      {isTyping && (
        <VendorCostForm route={route} type={model.type} onClose={() => setTyping(false)} />
      )}
    </div>
  )
}

const vendorStates = ['ok', 'off', 'down', 'refuses_key', 'out_of_money', 'gone'] as const

/** State of the vendor, in words. */
function RouteState({ route: { state, cooling_until: until } }: { readonly route: ModelRoute }) {
  const t = useTranslations('modelRoutes')
  const { moment } = useNumbers()
  const known = vendorStates.find((each) => each === state)
  const isWell = state === 'ok' && until === null
  return (
    <Stack gap={2} align="flex-end">
      <Badge variant="light" color={isWell ? 'firuze' : state === 'off' ? 'gray' : 'red'} tt="none">
        {known === undefined ? state : t(known)}
      </Badge>
      {until !== null && (
        <Text size="xs" className="soft">
          {t('cooling', { when: moment(Date.parse(until)) })}
        </Text>
      )}
    </Stack>
  )
}

/** Name of a vendor, which leads to its page where there is one. */
function VendorLink({ name }: { readonly name: string }) {
  const paths = useContext(KnownPaths)
  const shown = <bdi>{name}</bdi>
  if (!paths.some((path) => path.startsWith('/operator/vendors/'))) return shown
  return (
    <Anchor
      component={Link}
      href={`/operator/vendors/${encodeURIComponent(name)}`}
      size="sm"
      inherit
    >
      {shown}
    </Anchor>
  )
}
