import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../parts/page-head'
import type { Bill } from './bill'
import { BillForm } from './bill-form'
import { BillResult } from './bill-result'

/** A vendor's bill beside our records. */
export function BillCheck() {
  const t = useTranslations('bills')
  const [bill, setBill] = useState<Bill | null>(null)
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')} />
      <BillForm onBill={setBill} />
      {bill !== null && <BillResult bill={bill} />}
    </Stack>
  )
}
