import { Alert, Table, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { SaveLink } from '../../parts/save-link'
import { DeskFact } from '../parts/fact'
import type { Bill, Comparison } from './bill'
import { FindingRow } from './finding-row'
import { Panel, Code, Soft } from '../../parts/panel'

/** Totals of a checked bill, why it differs, and each model of it. */
export function BillResult({ bill }: { readonly bill: Bill }) {
  return (
    <>
      <Verdict bill={bill} />
      <Findings bill={bill} />
      <Models bill={bill} />
      <Notes notes={bill.notes} />
    </>
  )
}

/** Dollars, counts and percents of a comparison; a dash where a side tells none. */
function useAmounts() {
  const { usd, count, percent } = useNumbers()
  return {
    dollars: (amount: string | null) => (amount === null ? '–' : usd(amount, 6)),
    signed: (amount: string | null) =>
      amount === null ? '–' : `${amount.startsWith('-') ? '' : '+'}${usd(amount, 6)}`,
    calls: (value: number | null) => (value === null ? '–' : count(value)),
    share: (text: string | null) => (text === null ? '' : ` (${percent(Number(text) / 100)})`),
  }
}

function Verdict({ bill }: { readonly bill: Bill }) {
  const t = useTranslations('bills')
  const { percent, date } = useNumbers()
  const { dollars, signed, calls, share } = useAmounts()
  const { total, within_tolerance: isWithin } = bill
  const tolerance = percent(bill.tolerance_percent / 100)
  const csv = useMemo(() => new Blob([bill.csv], { type: 'text/csv' }), [bill.csv])
  return (
    <Panel
      id="bill-total"
      title={t('total')}
      actions={
        <SaveLink file={csv} name={`bill-${bill.vendors.join('-')}-${bill.month}.csv`}>
          {t('csv')}
        </SaveLink>
      }
    >
      <Text size="sm" className="soft" mb="sm">
        {t('span', { from: date(bill.from), to: date(bill.to), zone: bill.zone })} ·{' '}
        <bdi dir="ltr">{bill.sources.join(', ')}</bdi>
      </Text>
      <Alert {...(isWithin ? { className: 'notice' } : { color: 'red' })} role="status" mb="md">
        {t(isWithin ? 'within' : 'beyond', { percent: tolerance })}
      </Alert>
      <div className="facts figures">
        <DeskFact name={t('billed')} value={dollars(total.billed_usd)} />
        <DeskFact name={t('ours')} value={dollars(total.usd)} />
        <DeskFact
          name={t('difference')}
          value={`${signed(total.difference_usd)}${share(total.difference_percent)}`}
        />
        <DeskFact name={t('billedCalls')} value={calls(total.billed_calls)} />
        <DeskFact name={t('ourCalls')} value={calls(total.calls)} />
      </div>
    </Panel>
  )
}

function Findings({ bill }: { readonly bill: Bill }) {
  const t = useTranslations('bills')
  return (
    <Panel id="bill-findings" title={t('findings')}>
      {bill.findings.length === 0 ? (
        <Soft>{t('noFindings')}</Soft>
      ) : (
        <ul className="rows">
          {bill.findings.map((finding, at) => (
            <li key={`${at} ${finding.kind} ${finding.model}`}>
              <FindingRow finding={finding} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Models({ bill }: { readonly bill: Bill }) {
  const t = useTranslations('bills')
  if (bill.models.length === 0) return null
  return (
    <section className="card" aria-labelledby="bill-models">
      <Title order={2} fz="md" id="bill-models" px="lg" pt="md">
        {t('models')}
      </Title>
      <Table.ScrollContainer
        minWidth={620}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('models') } }}
      >
        <Table className="table" horizontalSpacing="lg" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('model')}</Table.Th>
              <Table.Th ta="end">{t('ourCalls')}</Table.Th>
              <Table.Th ta="end">{t('billedCalls')}</Table.Th>
              <Table.Th ta="end">{t('ours')}</Table.Th>
              <Table.Th ta="end">{t('billed')}</Table.Th>
              <Table.Th ta="end">{t('difference')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bill.models.map(({ model, ...comparison }) => (
              <ModelRow key={model} model={model} comparison={comparison} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

interface ModelRowProps {
  readonly model: string
  readonly comparison: Comparison
}

function ModelRow({ model, comparison }: ModelRowProps) {
  const { dollars, signed, calls, share } = useAmounts()
  const { difference_usd: difference, beyond_tolerance: isBeyond } = comparison
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{model}</Code>
      </Table.Td>
      <Table.Td ta="end" className="number">
        {calls(comparison.calls)}
      </Table.Td>
      <Table.Td ta="end" className="number">
        {calls(comparison.billed_calls)}
      </Table.Td>
      <Table.Td ta="end" className="number">
        {dollars(comparison.usd)}
      </Table.Td>
      <Table.Td ta="end" className="number">
        {dollars(comparison.billed_usd)}
      </Table.Td>
      <Table.Td
        ta="end"
        className="number"
        {...(isBeyond ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}
      >
        {signed(difference)}
        {share(comparison.difference_percent)}
      </Table.Td>
    </Table.Tr>
  )
}

function Notes({ notes }: { readonly notes: readonly string[] }) {
  const t = useTranslations('bills')
  if (notes.length === 0) return null
  return (
    <Panel id="bill-notes" title={t('notes')}>
      <ul className="plain-rows" dir="ltr" lang="en">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  )
}
