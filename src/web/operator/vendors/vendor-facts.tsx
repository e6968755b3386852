import { Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { DeskFact } from '../parts/fact'
import { lastCheckOf, useVendorWords, type Vendor } from './vendor'
import { Panel, Code, Soft } from '../../parts/panel'

/** Health of a vendor: its last hour, its balance, its last failures. */
export function VendorHealth({ vendor }: { readonly vendor: Vendor }) {
  const t = useTranslations('vendor')
  const { count, percent, moment } = useNumbers()
  const words = useVendorWords()
  const { recent_calls: recent, cooling_until: cooling, balance, trouble_since: since } = vendor
  const checked = lastCheckOf(vendor)
  return (
    <Panel id="vendor-state" title={t('state')}>
      <div className="facts figures">
        {since !== null && <DeskFact name={t('troubleSince')} value={words.moment(since)} />}
        {cooling !== null && (
          <DeskFact
            name={t('cooling')}
            value={Number.isNaN(Date.parse(cooling)) ? t('coolingCheck') : words.moment(cooling)}
          />
        )}
        <DeskFact name={t('calls')} value={recent === null ? '–' : count(recent.calls)} />
        <DeskFact
          name={t('failed')}
          value={
            recent === null
              ? '–'
              : `${count(recent.failed)} (${percent(recent.failed_percent / 100)})`
          }
        />
        <DeskFact name={t('p50')} value={words.ms(recent?.p50_ms ?? null)} />
        <DeskFact name={t('p95')} value={words.ms(recent?.p95_ms ?? null)} />
        <DeskFact name={t('balance')} value={balance === null ? '–' : words.balance(balance)} />
        <DeskFact name={t('checked')} value={checked === null ? '–' : moment(checked)} />
      </div>
      <Failures vendor={vendor} />
    </Panel>
  )
}

function Failures({ vendor }: { readonly vendor: Vendor }) {
  const t = useTranslations('vendor')
  const { digits } = useNumbers()
  const words = useVendorWords()
  const failures = vendor.recent_calls?.last_failures ?? []
  return (
    <>
      <Title order={3} fz="sm" mt="lg" mb={4}>
        {t('failures')}
      </Title>
      {failures.length === 0 ? (
        <Soft>{t('noFailures')}</Soft>
      ) : (
        <ul className="plain-rows">
          {failures.map(({ code, status, at }, index) => (
            <li key={`${index} ${at}`}>
              <Code>{code}</Code>
              <span className="soft number">
                {status === null ? t('noAnswer') : digits(String(status))} · {words.moment(at)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const sources = { command: 'command', environment: 'environment', builtin: 'builtin' } as const

/** Address, transport and kind of a vendor. */
export function VendorPlace({ vendor }: { readonly vendor: Vendor }) {
  const t = useTranslations('vendor')
  const form = useTranslations('vendorForm')
  const { count, percent } = useNumbers()
  const { margin_percent: margin, source, transport } = vendor
  const firstToken = vendor.first_token_timeout_seconds
  return (
    <Panel id="vendor-place" title={t('place')}>
      <div className="facts figures">
        <div className="fact">
          <DeskFact name={t('address')} value={vendor.base_url} isCode />
        </div>
        <DeskFact name={t('kind')} value={vendor.kind} isCode />
        <DeskFact name={t('dialect')} value={vendor.dialect} isCode />
        <DeskFact name={t('transport')} value={transport === 'own' ? form('own') : transport} />
        <DeskFact
          name={t('timeout')}
          value={t('seconds', { count: count(vendor.timeout_seconds) })}
        />
        <DeskFact
          name={t('firstToken')}
          value={firstToken === null ? t('bySetting') : t('seconds', { count: count(firstToken) })}
        />
        <DeskFact
          name={t('margin')}
          value={margin === null ? t('noMargin') : percent(Number(margin) / 100)}
        />
        <DeskFact
          name={t('source')}
          value={source in sources ? t(sources[source as keyof typeof sources]) : source}
        />
      </div>
    </Panel>
  )
}
