import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../parts/dialog'
import { operate } from '../operate'
import type { ModelDetail } from './model-detail'
import { PriceFields } from './price-fields'
import { Previewed } from './previewed'
import { arePrices, changedPrices, typedOf } from './typed-prices'
import { Soft } from '../../parts/panel'

interface ModelPriceFormProps {
  readonly model: ModelDetail
  readonly onClose: () => void
}

/** Form of a model's prices. Untouched ones stay. */
export function ModelPriceForm({ model, onClose }: ModelPriceFormProps) {
  const t = useTranslations('modelPrices')
  const { id } = model
  const [typed, setTyped] = useState(() => typedOf(model.pricing))
  const prices = arePrices(typed) ? changedPrices(model.pricing, typed) : null
  return (
    <Dialog opened onClose={onClose} title={t('change')} size="lg">
      <Previewed
        thought={prices === null ? null : { model: id, prices }}
        action={t('save')}
        save={async () =>
          operate('PATCH /models/{id}', { params: { id }, body: { prices: prices ?? {} } })
        }
        onClose={onClose}
        cost={model.cost}
      >
        <Soft>{t('changeLead')}</Soft>
        <PriceFields value={typed} onChange={setTyped} />
      </Previewed>
    </Dialog>
  )
}

/** Gives the price of a model back to its rule. */
export function ModelDefaultPrice({ model, onClose }: ModelPriceFormProps) {
  const t = useTranslations('modelPrices')
  const { id } = model
  return (
    <Dialog opened onClose={onClose} title={t('default')} size="lg">
      <Previewed
        thought={{ model: id, default_prices: true }}
        action={t('default')}
        save={async () =>
          operate('PATCH /models/{id}', { params: { id }, body: { default_prices: true } })
        }
        onClose={onClose}
        cost={model.cost}
      >
        <Soft>{t('defaultLead')}</Soft>
      </Previewed>
    </Dialog>
  )
}
