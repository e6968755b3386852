import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useParams, useLocation } from 'wouter'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate } from '../operate'
import { ChangeVendor } from './change-vendor'
import { KeyList } from './key-list'
import { RouteList } from './route-list'
import { TrialResult } from './trial-result'
import { isBuiltIn, readVendorsAgain, type Vendor, type VendorRoute } from './vendor'
import { VendorHealth, VendorPlace } from './vendor-facts'
import { VendorState } from './vendor-state'
import { Panel, Soft } from '../../parts/panel'
import { Dialog } from '../../parts/dialog'
import { ModelNames } from './model-names'

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
  const [asking, setRequesting] = useState<'change' | 'off' | 'remove' | null>(null)
  const close = () => setRequesting(null)
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
              onClick={() => (active ? setRequesting('off') : turnOn.mutate())}
            >
              {t(active ? 'switchOff' : 'switchOn')}
            </Button>
            {isOwn && (
              <Button variant="default" onClick={() => setRequesting('change')}>
                {t('change')}
              </Button>
            )}
            {vendor.source === 'command' && (
              <Button
                variant="default"
                c="var(--mantine-color-error)"
                onClick={() => setRequesting('remove')}
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

interface LeaveSaleProps {
  readonly vendor: Vendor
  readonly routes: readonly VendorRoute[]
  /** Removed for good; else switched off. */
  readonly isRemoved: boolean
  readonly onClose: () => void
}

/** Warning of models that leave the sale when a vendor is switched off or removed. */
function LeaveSale({ vendor, routes, isRemoved, onClose }: LeaveSaleProps) {
  const t = useTranslations('vendor')
  const form = useTranslations('forms')
  const [, go] = useLocation()
  const { name } = vendor
  const params = { name }
  const leaving = [...new Set(routes.filter(({ only }) => only).map(({ model }) => model))]
  const leave = useMutation({
    mutationFn: async () => {
      if (isRemoved) await operate('DELETE /vendors/{name}', { params })
      else await operate('PATCH /vendors/{name}', { params, body: { active: false, test: false } })
    },
    async onSuccess() {
      onClose()
      if (isRemoved) go('/operator/vendors', { replace: true })
      await readVendorsAgain()
    },
  })
  const action = t(isRemoved ? 'remove' : 'switchOff')
  return (
    <Dialog opened onClose={onClose} title={`${action}: ${name}`}>
      <Stack>
        <Text size="sm">
          {t(isRemoved ? 'removeLead' : 'switchOffLead', { name, count: leaving.length })}
        </Text>
        <ModelNames names={leaving} />
        <Failed error={leave.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {form('cancel')}
          </Button>
          <Button
            {...(isRemoved || leaving.length > 0 ? { color: 'red' } : {})}
            loading={leave.isPending}
            onClick={() => leave.mutate()}
            data-autofocus
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
