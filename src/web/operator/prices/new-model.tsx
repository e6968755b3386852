import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { operate } from '../operate'
import { modelDeskPath, readPricesAgain } from './model-detail'
import { modelTypes } from '../../../domain/model'
import { PriceFields } from './price-fields'
import { arePrices, blankPrices, sentPrices } from './typed-prices'
import { Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

interface NewModelProps {
  /** What a link told already; empty for nothing. */
  readonly vendor: string
  readonly vendorModel: string
  readonly onClose: () => void
}

/** Puts a model on sale by hand. */
export function NewModel({ vendor, vendorModel, onClose }: NewModelProps) {
  const t = useTranslations('newModel')
  const [, go] = useLocation()
  const vendors = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
  })
  const [typed, setTyped] = useState<Typed>({
    id: vendorModel,
    type: 'chat',
    vendor,
    vendorModel,
    priced: 'typed',
  })
  const [prices, setPrices] = useState(() => blankPrices('chat'))
  const names = (vendors.data?.data ?? []).map(({ name }) => name)
  const chosen = typed.vendor === '' ? (names[0] ?? '') : typed.vendor
  const isTyped = typed.priced === 'typed'
  const add = useMutation({
    mutationFn: () =>
      operate('POST /models', {
        body: {
          id: typed.id.trim(),
          type: typed.type,
          routes: [
            {
              vendor: chosen,
              vendor_model: typed.vendorModel.trim() || typed.id.trim(),
              priority: 0,
              weight: 1,
            },
          ],
          ...(isTyped ? { prices: sentPrices(prices) } : {}),
        },
      }),
    async onSuccess({ id }) {
      await readPricesAgain()
      onClose()
      go(modelDeskPath(id))
    },
  })
  const change = (change: Partial<Typed>) => {
    if (change.type !== undefined) setPrices(blankPrices(change.type))
    setTyped({ ...typed, ...change })
  }
  return (
    <FormDialog
      title={t('title')}
      size="lg"
      action={t('add')}
      isReady={typed.id.trim() !== '' && chosen !== '' && (!isTyped || arePrices(prices))}
      saving={add}
      error={vendors.error}
      onClose={onClose}
    >
      <ModelFields typed={typed} vendor={chosen} vendors={names} onChange={change} />
      <SegmentedControl
        value={typed.priced}
        onChange={(priced) => change({ priced })}
        aria-label={t('priced')}
        data={[
          { value: 'typed', label: t('typed') },
          { value: 'rule', label: t('rule') },
        ]}
      />
      {isTyped ? <PriceFields value={prices} onChange={setPrices} /> : <Soft>{t('ruleLead')}</Soft>}
    </FormDialog>
  )
}

interface Typed {
  readonly id: string
  readonly type: (typeof modelTypes)[number]
  readonly vendor: string
  readonly vendorModel: string
  readonly priced: 'typed' | 'rule'
}

interface ModelFieldsProps {
  readonly typed: Typed
  readonly vendor: string
  readonly vendors: readonly string[]
  readonly onChange: (change: Partial<Typed>) => void
}

function ModelFields({ typed, vendor, vendors, onChange }: ModelFieldsProps) {
  const t = useTranslations('newModel')
  const inFamilies = useTranslations('families')
  return (
    <>
      <TextInput
        label={t('id')}
        description={t('idLead')}
        value={typed.id}
        dir="ltr"
        maxLength={256}
        onChange={(event) => onChange({ id: event.currentTarget.value })}
        data-autofocus
      />
      <NativeSelect
        label={t('type')}
        value={typed.type}
        data={modelTypes.map((value) => ({ value, label: inFamilies(value) }))}
        onChange={(event) => {
          const type = modelTypes.find((each) => each === event.currentTarget.value)
          if (type !== undefined) onChange({ type })
        }}
      />
      <NativeSelect
        label={t('vendor')}
        value={vendor}
        data={[...vendors]}
        onChange={(event) => onChange({ vendor: event.currentTarget.value })}
      />
      <TextInput
        label={t('vendorModel')}
        description={t('vendorModelLead')}
        value={typed.vendorModel}
        dir="ltr"
        maxLength={256}
        onChange={(event) => onChange({ vendorModel: event.currentTarget.value })}
      />
    </>
  )
}
