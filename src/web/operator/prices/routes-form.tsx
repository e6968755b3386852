import { ActionIcon, Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { plainNumber } from '../../typed'
import { operate } from '../operate'
import { type ModelDetail, readPricesAgain } from './model-detail'
import { Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

/** A route as it stands in fields. */
interface TypedRoute {
  readonly key: number
  readonly vendor: string
  readonly vendorModel: string
  readonly priority: string
  readonly weight: string
}

const isCount = (typed: string, min: number): boolean => {
  const text = plainNumber(typed)
  return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= 1000
}

const isWhole = ({ vendor, vendorModel, priority, weight }: TypedRoute): boolean =>
  vendor !== '' && vendorModel.trim() !== '' && isCount(priority, 0) && isCount(weight, 1)

const typedOf = ({ routes }: ModelDetail): readonly TypedRoute[] =>
  routes.map((route, key) => ({
    key,
    vendor: route.vendor,
    vendorModel: route.vendor_model,
    priority: String(route.priority),
    weight: String(route.weight),
  }))

interface RoutesFormProps {
  readonly model: ModelDetail
  readonly onClose: () => void
}

/** Form of a model's routes: vendors, priority and weight. */
export function RoutesForm({ model, onClose }: RoutesFormProps) {
  const t = useTranslations('modelRoutes')
  const [typed, setTyped] = useState(() => typedOf(model))
  const vendors = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
  })
  const names = (vendors.data?.data ?? []).map(({ name }) => name)
  const save = useMutation({
    mutationFn: () =>
      operate('PATCH /models/{id}', {
        params: { id: model.id },
        body: {
          routes: typed.map(({ vendor, vendorModel, priority, weight }) => ({
            vendor,
            vendor_model: vendorModel.trim(),
            priority: Number(plainNumber(priority)),
            weight: Number(plainNumber(weight)),
          })),
        },
      }),
    async onSuccess() {
      await readPricesAgain()
      onClose()
    },
  })
  const add = () => {
    const key = Math.max(-1, ...typed.map((each) => each.key)) + 1
    setTyped([
      ...typed,
      { key, vendor: names[0] ?? '', vendorModel: '', priority: '0', weight: '1' },
    ])
  }
  return (
    <FormDialog
      title={t('change')}
      size="lg"
      isReady={typed.every(isWhole)}
      saving={save}
      error={vendors.error}
      onClose={onClose}
    >
      <Soft>{t('changeLead')}</Soft>
      {typed.map((route) => (
        <RouteFields
          key={route.key}
          route={route}
          names={names.includes(route.vendor) ? names : [route.vendor, ...names]}
          onChange={(change) =>
            setTyped(typed.map((each) => (each.key === route.key ? { ...each, ...change } : each)))
          }
          onRemove={() => setTyped(typed.filter(({ key }) => key !== route.key))}
        />
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} />}
        onClick={add}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('add')}
      </Button>
      {typed.length === 0 && <Text size="sm">{t('noneLead')}</Text>}
    </FormDialog>
  )
}

interface RouteFieldsProps {
  readonly route: TypedRoute
  readonly names: readonly string[]
  readonly onChange: (change: Partial<TypedRoute>) => void
  readonly onRemove: () => void
}

function RouteFields({ route, names, onChange, onRemove }: RouteFieldsProps) {
  const t = useTranslations('modelRoutes')
  return (
    <div className="route-fields">
      <NativeSelect
        label={t('vendor')}
        value={route.vendor}
        data={[...names]}
        onChange={(event) => onChange({ vendor: event.currentTarget.value })}
      />
      <TextInput
        label={t('vendorModel')}
        value={route.vendorModel}
        dir="ltr"
        maxLength={256}
        onChange={(event) => onChange({ vendorModel: event.currentTarget.value })}
      />
      <TextInput
        label={t('priority')}
        value={route.priority}
        inputMode="numeric"
        onChange={(event) => onChange({ priority: event.currentTarget.value })}
      />
      <TextInput
        label={t('weight')}
        value={route.weight}
        inputMode="numeric"
        onChange={(event) => onChange({ weight: event.currentTarget.value })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t('removeRoute', { vendor: route.vendor })}
        onClick={onRemove}
      >
        <IconX size={18} />
      </ActionIcon>
    </div>
  )
}
