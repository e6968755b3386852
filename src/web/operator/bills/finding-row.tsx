import { Anchor, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import type { BillFinding } from './bill'
import { Code } from '../../parts/panel'

type Unit = 'input'

/** One reason for a difference, in words. */
export function FindingRow({ finding }: { readonly finding: BillFinding }) {
  const say = useTranslations('billFinding')
  const t = useTranslations('bills')
  const { usd, count, day } = useNumbers()
  const { kind, model, days } = finding
  const [first = '', last = first] = [days[0], days.at(-1)]
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="start">
        <div style={{ minWidth: 0 }}>
          {model !== null && (
            <bdi className="code" dir="ltr" lang="en" style={{ overflowWrap: 'anywhere' }}>
              {model}
            </bdi>
          )}
          <Text size="sm">
            {say(kind, {
              calls: count(Math.abs(finding.calls ?? 0)),
              suspects: count(finding.suspects),
              charge: finding.charge ?? '–',
            })}
          </Text>
        </div>
        {finding.usd !== null && (
          <Text size="sm" fw={600} className="number" style={{ flexShrink: 0 }}>
            {finding.usd.startsWith('-') ? '' : '+'}
            {usd(finding.usd, 6)}
          </Text>
        )}
      </Group>
      <Details finding={finding} />
      {days.length > 0 && (
        <Text size="xs" className="soft number">
          {t('days', { count: days.length, first: day(first), last: day(last) })}
        </Text>
      )}
      <Suspects finding={finding} />
    </>
  )
}

/** Units and prices that are counted otherwise. */
function Details({ finding }: { readonly finding: BillFinding }) {
  const t = useTranslations('bills')
  const units = useTranslations('billUnit')
  const { count, decimal } = useNumbers()
  const unitName = (unit: string | null) =>
    unit !== null && units.has(unit as Unit) ? units(unit as Unit) : units('unit')
  const lines = [
    ...Object.entries(finding.units).map(([unit, more]) =>
      t('units', {
        unit: unitName(unit),
        count: `${more < 0 ? '\u2066−' : '\u2066+'}${count(Math.abs(more))}\u2069`,
      }),
    ),
    ...finding.prices.map(({ unit, per, charged, ours }) =>
      t('price', {
        unit: unitName(unit),
        per: count(per),
        charged: decimal(charged),
        ours: ours === null ? 'none' : decimal(ours),
      }),
    ),
  ]
  return lines.map((line) => (
    <Text key={line} size="sm" className="soft number">
      {line}
    </Text>
  ))
}

/** Calls of ours that may be the reason. */
function Suspects({ finding: { requests } }: { readonly finding: BillFinding }) {
  const t = useTranslations('bills')
  if (requests.length === 0) return null
  return (
    <details className="more">
      <summary>{t('requests')}</summary>
      <ul className="plain-rows">
        {requests.map(({ id, status, error }) => (
          <li key={id}>
            <Anchor
              component={Link}
              href={`/operator/requests/${id}`}
              className="code"
              dir="ltr"
              lang="en"
            >
              {id}
            </Anchor>
            <Code isSoft>{error ?? status}</Code>
          </li>
        ))}
      </ul>
    </details>
  )
}
