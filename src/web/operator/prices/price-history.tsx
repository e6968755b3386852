import { Badge, Group, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import type { ModelDetail } from './model-detail'
import { ownKeys, usePriceWords, type Pricing } from './price-keys'
import { TwoPrices } from './two-prices'
import { Panel } from '../../parts/panel'

/** Prices that were approved for later, and versions of those there were. */
export function PriceHistory({ model }: { readonly model: ModelDetail }) {
  const t = useTranslations('modelPrices')
  const { moment } = useNumbers()
  const { pricing_next: next, history } = model
  return (
    <>
      {next !== null && (
        <Panel id="next" title={t('next', { when: moment(Date.parse(next.from)) })}>
          <TwoPrices
            label={t('next', { when: '' })}
            heads={[t('now'), t('later'), t('moves')]}
            first={model.pricing}
            second={next.pricing}
            onlyMoved
          />
        </Panel>
      )}
      {history.length > 0 && (
        <Panel id="history" title={t('history')}>
          <ul className="rows flush">
            {history.map((version) => (
              <li key={`${version.version} ${version.from}`}>
                <Group justify="space-between" gap="xs" align="flex-start">
                  <div>
                    <Text size="sm" className="number">
                      {t('from', { when: moment(Date.parse(version.from)) })}
                    </Text>
                    <Text size="xs" className="soft">
                      {t('version', { version: `\u2066${version.version}\u2069` })}
                    </Text>
                  </div>
                  <Prices pricing={version.pricing} />
                  <Badge variant="light" color="gray" tt="none">
                    {t(version.priced_by === 'typed' ? 'typedShort' : 'ruleShort')}
                  </Badge>
                </Group>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

/** Prices in a few words. */
function Prices({ pricing }: { readonly pricing: Pricing }) {
  const words = usePriceWords()
  const { decimal } = useNumbers()
  return (
    <Text size="sm" className="number" style={{ flex: 1, minWidth: 180 }}>
      {ownKeys(pricing)
        .map((key) => {
          const { name, variant } = words(key)
          const label = variant === null ? name : `${name} \u2066${variant}\u2069`
          return `${label} ${decimal(pricing[key] ?? '0')}`
        })
        .join(' · ')}
    </Text>
  )
}
