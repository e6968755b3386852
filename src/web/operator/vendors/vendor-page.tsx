import { Anchor, Button, Group, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams } from 'wouter'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate } from '../operate'
import { ChangeVendor } from './change-vendor'
import { KeyList } from './key-list'
import { LeaveSale } from './leave-sale'
import { RouteList } from './route-list'
import { TrialResult } from './trial-result'
import { isBuiltIn, readVendorsAgain, type Vendor, type VendorRoute } from './vendor'
import { VendorHealth, VendorPlace } from './vendor-facts'
import { VendorState } from './vendor-state'
import { Panel, Soft } from '../../parts/panel'

const refreshMs = 15_000

/** Page of one vendor: health, our credentials there, its routes. */
export function VendorPage() {
  const { name } = useParams<{ name: string }>()
  const t = useTranslations('vendor')
  const params = { name }
  const vendor = useQuery({
    queryKey: ['op', 'vendor', name],
    queryFn: () => operate('GET /vendors/{name}', { params }),
    refetchInterval: refreshMs,
  })
  const routes = useQuery({
    queryKey: ['op', 'vendor-routes', name],
    queryFn: () => operate('GET /vendors/{name}/routes', { params }),
  })
  return (
    <Stack gap="lg">
      <Anchor component={Link} href="/operator/vendors" size="sm">
        {t('back')}
      </Anchor>
      <PageHead title={name}>
        {vendor.data !== undefined && <VendorState state={vendor.data.state} />}
      </PageHead>
      <Failed
        error={vendor.error ?? routes.error}
        onRetry={() => {
          void vendor.refetch()
          void routes.refetch()
        }}
      />
      {vendor.data === undefined
        ? !vendor.isError && <Skeleton h={360} radius="lg" aria-hidden="true" />
        : vendor.data !== null && (
            <Opened key={name} vendor={vendor.data} routes={routes.data?.data} />
          )}
    </Stack>
  )
}

interface OpenedProps {
  readonly vendor: Vendor
  readonly routes: readonly VendorRoute[] | undefined
}

function Opened({ vendor, routes }: OpenedProps) {
  const test = useMutation({
    mutationFn: () => operate('POST /vendors/{name}/test', { params: { name: vendor.name } }),
    onSuccess: readVendorsAgain,
  })
  return (
    <>
      <Actions
        vendor={vendor}
        routes={routes}
        isTesting={test.isPending}
        onTest={() => test.mutate()}
      />
      <Failed error={test.error} />
      {test.data !== undefined && <Trials trials={test.data.data} />}
      <VendorHealth vendor={vendor} />
      <KeyList vendor={vendor} />
      <VendorPlace vendor={vendor} />
      <RouteList routes={routes} />
    </>
  )
}

function Trials({ trials }: { readonly trials: Parameters<typeof TrialResult>[0]['trial'][] }) {
  const t = useTranslations('vendorTrial')
  return (
    <Panel id="vendor-trial" title={t('title')} lead={t('lead')}>
      <Stack gap="sm">
        {trials.map((trial) => (
          <TrialResult key={trial.name} trial={trial} />
        ))}
      </Stack>
    </Panel>
  )
}

interface ActionsProps extends OpenedProps {
  readonly isTesting: boolean
  readonly onTest: () => void
}

function Actions({ vendor, routes = [], isTesting, onTest }: ActionsProps) {
  const t = useTranslations('vendor')
  const may = useMay()
  const [asking, setAsking] = useState<'change' | 'off' | 'remove' | null>(null)
  const close = () => setAsking(null)
  const { name, active } = vendor
  const params = { name }
  const turnOn = useMutation({
    mutationFn: () =>
      operate('PATCH /vendors/{name}', { params, body: { active: true, test: false } }),
    onSuccess: readVendorsAgain,
  })
  const isOwn = !isBuiltIn(vendor)
  return (
    <>
      <Group gap="xs">
        {may('staff') && isOwn && (
          <Button variant="light" loading={isTesting} onClick={onTest}>
            {t('test')}
          </Button>
        )}
        {may('owner') && (
          <>
            <Button
              variant="default"
              loading={turnOn.isPending}
              onClick={() => (active ? setAsking('off') : turnOn.mutate())}
            >
              {t(active ? 'switchOff' : 'switchOn')}
            </Button>
            {isOwn && (
              <Button variant="default" onClick={() => setAsking('change')}>
                {t('change')}
              </Button>
            )}
            {vendor.source === 'command' && (
              <Button
                variant="default"
                c="var(--mantine-color-error)"
                onClick={() => setAsking('remove')}
              >
                {t('remove')}
              </Button>
            )}
          </>
        )}
      </Group>
      {may('owner') && vendor.source === 'environment' && <Soft>{t('foundHere')}</Soft>}
      <Failed error={turnOn.error} />
      {asking === 'change' && <ChangeVendor vendor={vendor} onClose={close} />}
      {(asking === 'off' || asking === 'remove') && (
        <LeaveSale
          vendor={vendor}
          routes={routes}
          isRemoved={asking === 'remove'}
          onClose={close}
        />
      )}
    </>
  )
}
