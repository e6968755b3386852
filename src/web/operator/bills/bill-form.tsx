import {
  Button,
  FileInput,
  Group,
  MultiSelect,
  NativeSelect,
  Progress,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Failed } from '../../parts/failed'
import { plainNumber } from '../../typed'
import { operate, operateOnFile } from '../operate'
import type { Bill } from './bill'
import { Form } from '../../parts/form'

const maxBytes = 256 * 2 ** 20
const monthsBack = 13
const longestName = 230

/** The month before this one, and those before it: `YYYY-MM`. */
function months(): readonly string[] {
  const now = new Date()
  return Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

interface Asked {
  readonly vendors: readonly string[]
  readonly month: string
  readonly files: readonly File[]
  readonly zone: string
  readonly columns: string
  readonly tolerance: string
}

/** Upload of a vendor's bill: vendor, month and files. */
export function BillForm({ onBill }: { readonly onBill: (bill: Bill | null) => void }) {
  const t = useTranslations('bills')
  const all = months()
  const [asked, setRequested] = useState<Asked>({
    vendors: [],
    month: all[1] ?? '',
    files: [],
    zone: 'UTC',
    columns: '',
    tolerance: '1',
  })
  const vendors = useQuery({
    queryKey: ['op', 'vendors'],
    queryFn: () => operate('GET /vendors', {}),
  })
  const { check, sent, stop } = useCheck(onBill)
  const bytes = asked.files.reduce((sum, { size }) => sum + size, 0)
  const isTooLarge = bytes > maxBytes
  const isReady = asked.vendors.length > 0 && asked.files.length > 0 && !isTooLarge
  const change = (changed: Partial<Asked>) => setRequested((before) => ({ ...before, ...changed }))
  return (
    <section className="card panel">
      <Form onSubmit={() => check.mutate(asked)}>
        <Stack>
          <div className="bill-fields">
            <MultiSelect
              label={t('vendors')}
              description={t('vendorsLead')}
              data={(vendors.data?.data ?? []).map(({ name }) => name)}
              value={[...asked.vendors]}
              onChange={(names) => change({ vendors: names })}
            />
            <NativeSelect
              label={t('month')}
              description={t('monthLead')}
              value={asked.month}
              onChange={(event) => change({ month: event.currentTarget.value })}
              data={[...all]}
            />
            <FileInput
              multiple
              label={t('files')}
              description={t('filesLead')}
              placeholder={<span className="soft">{t('choose')}</span>}
              accept=".csv,text/csv,text/plain"
              value={[...asked.files]}
              onChange={(files) => change({ files })}
              error={isTooLarge ? t('tooLarge') : null}
              clearable
              clearButtonProps={{ 'aria-label': t('clear') }}
            />
            <TextInput
              label={t('tolerance')}
              value={asked.tolerance}
              onChange={(event) => change({ tolerance: event.currentTarget.value })}
              inputMode="decimal"
              dir="ltr"
            />
          </div>
          <details className="more">
            <summary>{t('more')}</summary>
            <UnknownExport asked={asked} onChange={change} />
          </details>
          <Failed error={vendors.error ?? (check.isPending ? null : failureOf(check.error))} />
          {check.isPending && <Sending share={sent} />}
          <Group>
            {check.isPending ? (
              <Button variant="default" onClick={stop}>
                {t('cancel')}
              </Button>
            ) : (
              <Button type="submit" disabled={!isReady}>
                {t('submit')}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </section>
  )
}

/** Failure to tell; none of an upload that was stopped. */
const failureOf = (error: unknown): unknown => (error instanceof Stopped ? null : error)

class Stopped extends Error {}

/** Sends the files of a bill and has them compared. */
function useCheck(onBill: (bill: Bill | null) => void) {
  const [sent, setSent] = useState(0)
  const running = useRef<AbortController | null>(null)
  const check = useMutation({
    async mutationFn({ vendors, month, files, zone, columns, tolerance }: Asked) {
      const abort = new AbortController()
      running.current = abort
      setSent(0)
      onBill(null)
      try {
        return await operateOnFile(
          'POST /bills/check',
          {
            query: {
              vendor: [...vendors],
              month,
              file: files.map(({ name, size }) => `${name.slice(-longestName)}:${size}`),
              zone,
              tolerance: plainNumber(tolerance),
              ...(columns.trim() === '' ? {} : { columns: columns.trim() }),
            },
          },
          { file: new Blob([...files]), onSent: setSent, signal: abort.signal },
        )
      } catch (thrown) {
        throw abort.signal.aborted ? new Stopped() : thrown
      }
    },
    onSuccess: onBill,
  })
  return { check, sent, stop: () => running.current?.abort() }
}

interface UnknownExportProps {
  readonly asked: Asked
  readonly onChange: (change: Partial<Asked>) => void
}

/** Fields that name the columns of an unknown vendor's export. */
function UnknownExport({ asked, onChange }: UnknownExportProps) {
  const t = useTranslations('bills')
  return (
    <div className="bill-fields">
      <TextInput
        label={t('columns')}
        description={t('columnsLead')}
        value={asked.columns}
        onChange={(event) => onChange({ columns: event.currentTarget.value })}
        dir="ltr"
        maxLength={1000}
      />
      <TextInput
        label={t('zone')}
        value={asked.zone}
        onChange={(event) => onChange({ zone: event.currentTarget.value })}
        dir="ltr"
        maxLength={60}
      />
    </div>
  )
}

function Sending({ share }: { readonly share: number }) {
  const t = useTranslations('bills')
  const { percent } = useNumbers()
  const text = share < 1 ? t('sending', { percent: percent(share) }) : t('reading')
  return (
    <div>
      <Text size="sm" className="number" mb={4} role="status">
        {text}
      </Text>
      <Progress value={share * 100} aria-label={text} animated={share >= 1} />
    </div>
  )
}
