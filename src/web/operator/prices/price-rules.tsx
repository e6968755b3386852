import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconPercentage, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Dialog } from '../../parts/dialog'
import { Empty } from '../../parts/empty'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { useMay } from '../me'
import { operate } from '../operate'
import { Previewed } from './previewed'
import { PricesPage } from './prices-page'
import type { Rule } from './model-detail'
import { RuleForm } from './rule-form'
import { Soft } from '../../parts/panel'

/** Price rules: how sale prices come from costs, by scope. */
export function PriceRules() {
  const t = useTranslations('priceRules')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const rules = useQuery({
    queryKey: ['op', 'price-rules'],
    queryFn: () => operate('GET /price-rules', {}),
  })
  return (
    <PricesPage>
      <PageHead title={t('title')} lead={t('lead')}>
        {may('owner') && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )}
      </PageHead>
      <Failed error={rules.error} onRetry={() => void rules.refetch()} />
      {rules.data === undefined ? (
        !rules.isError && <Skeleton h={180} radius="lg" />
      ) : (
        <section className="card">
          {rules.data.data.length === 0 ? (
            <Empty icon={IconPercentage} title={t('none')} lead={t('noneLead')} />
          ) : (
            <ul className="list">
              {rules.data.data.map((rule) => (
                <li key={rule.id}>
                  <RuleRow rule={rule} />
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {isAdding && <RuleForm rule={null} onClose={() => setAdding(false)} />}
    </PricesPage>
  )
}

function RuleRow({ rule }: { readonly rule: Rule }) {
  const t = useTranslations('priceRules')
  const inFamilies = useTranslations('families')
  const { locale, decimal, usd, count } = useNumbers()
  const sign = locale === 'fa' ? '٪' : '%'
  const may = useMay()
  const [asking, setRequesting] = useState<'change' | 'remove' | null>(null)
  const close = () => setRequesting(null)
  const { kind, name, markup_percent: markup, fee_per_call_usd: fee, digits, basis } = rule
  const details = [
    fee === null ? [] : t('feeOf', { amount: usd(fee, 9) }),
    digits === null ? [] : t('digitsOf', { count: count(digits) }),
  ].flat()
  return (
    <div className="list-link still">
      <div className="route-row rule-row">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600}>
            {t(kind)} {kind === 'type' && inFamilies(name)}
          </Text>
          {name !== '' && kind !== 'type' && (
            <bdi className="code" dir="ltr" lang="en" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </bdi>
          )}
        </div>
        <div>
          <Text size="sm" fw={600} className="number">
            {t('markupOf', { percent: `\u2066${decimal(markup)}${sign}\u2069` })}
          </Text>
          {details.length > 0 && (
            <Text size="sm" className="soft number">
              {details.join(' · ')}
            </Text>
          )}
        </div>
        <Soft>{t(basis)}</Soft>
        {may('owner') ? (
          <Group gap="xs" justify="flex-end">
            <Button size="xs" variant="default" onClick={() => setRequesting('change')}>
              {t('change')}
            </Button>
            {kind !== 'everything' && (
              <Button
                size="xs"
                variant="default"
                c="var(--mantine-color-error)"
                onClick={() => setRequesting('remove')}
              >
                {t('remove')}
              </Button>
            )}
          </Group>
        ) : (
          <span />
        )}
      </div>
      {asking === 'change' && <RuleForm rule={rule} onClose={close} />}
      {asking === 'remove' && <RemoveRule rule={rule} onClose={close} />}
    </div>
  )
}

interface RemoveRuleProps {
  readonly rule: Rule
  readonly onClose: () => void
}

function RemoveRule({ rule: { kind, name }, onClose }: RemoveRuleProps) {
  const t = useTranslations('priceRules')
  return (
    <Dialog opened onClose={onClose} title={t('remove')} size="lg">
      <Previewed
        thought={{ removed_rule: { kind, name } }}
        action={t('remove')}
        save={async () => operate('DELETE /price-rules', { body: { kind, name } })}
        onClose={onClose}
      >
        <Text size="sm">{t('removeLead', { scope: `\u2068${name}\u2069` })}</Text>
      </Previewed>
    </Dialog>
  )
}
