import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { useMay } from '../me'
import type { ModelDetail } from './model-detail'
import { ModelDefaultPrice, ModelPriceForm } from './model-price-form'
import { PriceHistory } from './price-history'
import { TwoPrices } from './two-prices'

interface ModelPricesProps {
  readonly model: ModelDetail
}

/** What a model costs and what it is sold for; what it was and will be sold for. */
export function ModelPrices({ model }: ModelPricesProps) {
  const t = useTranslations('modelPrices')
  const may = useMay()
  const { count } = useNumbers()
  const [opened, setOpened] = useState<'change' | 'default' | null>(null)
  const close = () => setOpened(null)
  return (
    <Stack gap="lg">
      <Warnings model={model} />
      <section className="card panel" aria-labelledby="prices">
        <Group justify="space-between" align="flex-start" mb="sm">
          <div>
            <Title order={2} fz="md" id="prices">
              {t('title')}
            </Title>
            <Origin model={model} />
          </div>
          {may('owner') && (
            <Group gap="xs">
              {model.priced_by === 'typed' && (
                <Button size="xs" variant="default" onClick={() => setOpened('default')}>
                  {t('default')}
                </Button>
              )}
              <Button size="xs" onClick={() => setOpened('change')}>
                {t('change')}
              </Button>
            </Group>
          )}
        </Group>
        {Object.keys(model.pricing).length > 0 || model.cost !== null ? (
          <TwoPrices
            label={t('title')}
            heads={[t('cost'), t('sale'), t('margin')]}
            first={model.cost}
            second={model.pricing}
          />
        ) : (
          <Text size="sm">{t('noPrice')}</Text>
        )}
        <Text size="sm" className="soft" mt="sm">
          {t('calls', { count: model.calls_30d, shown: count(model.calls_30d) })}
        </Text>
      </section>
      <PriceHistory model={model} />
      {opened === 'change' && <ModelPriceForm model={model} onClose={close} />}
      {opened === 'default' && <ModelDefaultPrice model={model} onClose={close} />}
    </Stack>
  )
}

/** Where the price comes from. */
function Origin({ model: { is_free: isFree, priced_by: by, rule } }: ModelPricesProps) {
  const t = useTranslations('modelPrices')
  if (by === 'rule' && rule !== null)
    return (
      <Text size="sm" className="soft">
        {t.rich('byRule', {
          rule: () => (
            <Anchor component={Link} href="/operator/price-rules" size="sm">
              <bdi dir="ltr">{rule}</bdi>
            </Anchor>
          ),
        })}
      </Text>
    )
  return (
    <Text size="sm" className="soft">
      {t(isFree ? 'isFree' : by === 'typed' ? 'typed' : by === 'rule' ? 'ruleGone' : 'asItCame')}
    </Text>
  )
}

/** What is missing of the prices, and which are below cost. */
function Warnings({ model: { missing, below, why_not: why } }: ModelPricesProps) {
  const t = useTranslations('modelPrices')
  const { decimal } = useNumbers()
  return (
    <>
      {why === 'incomplete_price' && missing.length > 0 && (
        <div className="notice warned">
          <Text size="sm">{t('missing')}</Text>
          <ul>
            {missing.map((gap) => (
              <li key={gap}>
                <bdi className="code" dir="ltr" lang="en">
                  {gap}
                </bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {below.length > 0 && (
        <div className="notice warned">
          <Text size="sm">{t('below')}</Text>
          <ul>
            {below.map(({ route, meter, input_above: above, cost_usd: cost, sale_usd: sale }) => (
              <li key={`${route} ${meter} ${above}`}>
                <Text size="sm" component="span">
                  <bdi className="code" dir="ltr" lang="en">
                    {route} {meter}
                  </bdi>
                  {': '}
                  {t('belowBy', { cost: decimal(cost), sale: decimal(sale) })}
                </Text>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
