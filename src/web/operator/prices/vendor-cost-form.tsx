import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { Dialog } from '../../parts/dialog'
import { operate } from '../operate'
import { type ModelRoute, readPricesAgain } from './model-detail'
import { PriceFields } from './price-fields'
import { arePrices, blankPrices, sentPrices, typedOf } from './typed-prices'
import { Soft } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'

interface VendorCostFormProps {
  readonly route: Pick<ModelRoute, 'vendor' | 'vendor_model' | 'cost'>
  readonly type: string
  readonly onClose: () => void
}

/** Form of the cost card of a vendor's model. */
export function VendorCostForm({ route, type, onClose }: VendorCostFormProps) {
  const t = useTranslations('vendorCost')
  const { vendor, vendor_model: vendorModel, cost } = route
  const [typed, setTyped] = useState(() => (cost === null ? blankPrices(type) : typedOf(cost)))
  const save = useMutation({
    mutationFn: () =>
      operate('PUT /vendor-costs', {
        body: { vendor, vendor_model: vendorModel, prices: sentPrices(typed) },
      }),
    onSuccess: ({ proposed }) => {
      void readPricesAgain()
      if (proposed.length === 0) onClose()
    },
  })
  const title = t('title', { vendor, model: vendorModel })
  if (save.data !== undefined && save.data.proposed.length > 0)
    return (
      <Dialog opened onClose={onClose} title={title} size="lg">
        <Proposed models={save.data.proposed} onClose={onClose} />
      </Dialog>
    )
  return (
    <FormDialog title={title} size="lg" isReady={arePrices(typed)} saving={save} onClose={onClose}>
      <Soft>{t('lead')}</Soft>
      <PriceFields value={typed} onChange={setTyped} />
    </FormDialog>
  )
}

interface ProposedProps {
  readonly models: readonly string[]
  readonly onClose: () => void
}

/** A new cost moves no price: what it would move waits. */
function Proposed({ models, onClose }: ProposedProps) {
  const t = useTranslations('vendorCost')
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('proposed', { count: models.length, models: models.join(' · ') })}
      </Text>
      <Group justify="space-between">
        <Anchor component={Link} href="/operator/proposals" size="sm">
          {t('toProposals')}
        </Anchor>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('close')}
        </Button>
      </Group>
    </Stack>
  )
}
