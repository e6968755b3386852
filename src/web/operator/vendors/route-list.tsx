import { Anchor, Badge, Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { modelDeskPath } from '../prices/model-detail'
import type { VendorRoute } from './vendor'
import { Panel } from '../../parts/panel'

const maxShown = 25

/** Routes of a vendor: the models that it answers for. */
export function RouteList({ routes }: { readonly routes: readonly VendorRoute[] | undefined }) {
  const t = useTranslations('vendorRoutes')
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  if (routes === undefined) return <Skeleton h={160} radius="lg" aria-hidden="true" />
  const small = text.trim().toLowerCase()
  const found = routes.filter(({ model }) => model.toLowerCase().includes(small))
  const shown = isWhole ? found : found.slice(0, maxShown)
  return (
    <Panel id="vendor-routes" title={t('title')} lead={t(routes.length === 0 ? 'none' : 'lead')}>
      {routes.length > maxShown && (
        <TextInput
          mt="sm"
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          type="search"
        />
      )}
      {routes.length > 0 && found.length === 0 && (
        <Text size="sm" mt="sm" role="status">
          {t('noneLike')}
        </Text>
      )}
      <ul className="rows">
        {shown.map((route) => (
          <li key={`${route.model} ${route.vendor_model}`}>
            <RouteRow route={route} />
          </li>
        ))}
      </ul>
      {found.length > shown.length && (
        <Button variant="default" size="xs" onClick={() => setWhole(true)}>
          {t('more', { count: found.length - shown.length })}
        </Button>
      )}
    </Panel>
  )
}

function RouteRow({ route }: { readonly route: VendorRoute }) {
  const t = useTranslations('vendorRoutes')
  const { model, vendor_model: there, priority, weight } = route
  return (
    <Group justify="space-between">
      <div style={{ minWidth: 0 }}>
        <Anchor
          component={Link}
          href={modelDeskPath(model)}
          className="code"
          dir="ltr"
          lang="en"
          style={{ overflowWrap: 'anywhere' }}
        >
          {model}
        </Anchor>
        {there !== model && (
          <Text size="xs" className="code soft" dir="ltr" lang="en" ta="start">
            {there}
          </Text>
        )}
      </div>
      <Group gap="sm">
        {route.only && (
          <Badge variant="light" color="saffron" tt="none" c="var(--ink)">
            {t('only')}
          </Badge>
        )}
        {!route.on_sale && (
          <Badge variant="light" color="gray" tt="none">
            {t('unsold')}
          </Badge>
        )}
        <Text size="sm" className="soft number">
          {t('priority', { count: priority })} · {t('weight', { count: weight })}
        </Text>
      </Group>
    </Group>
  )
}
