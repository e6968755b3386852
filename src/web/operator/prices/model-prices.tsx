import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import { useMay } from '../me'
import type { ModelDetail } from './model-detail'
import { PriceHistory } from './price-history'
import { inUsualUnit, usePriceWords } from './price-keys'
import { TwoPrices } from './two-prices'
import { Code, PartTitle, Soft } from '../../parts/panel'
import { Dialog } from '../../parts/dialog'
import { operate } from '../operate'
import { PriceFields } from './price-fields'
import { Previewed } from './previewed'
import { arePrices, changedPrices, typedOf } from './typed-prices'

interface ModelPricesProps {
  readonly model: ModelDetail
}

/** Cost and sale prices of a model: present, past and scheduled. */
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
            <PartTitle id="prices">{t('title')}</PartTitle>
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
  const scopes = useTranslations('priceRules')
  const [kind = '', ...name] = rule?.split(' ') ?? []
  if (by === 'rule' && rule !== null)
    return (
      <>
        <Soft>{t('byRule', { rule: `${scopes(kind)} \u2068${name.join(' ')}\u2069` })}</Soft>
        <Anchor component={Link} href="/operator/price-rules" size="sm">
          {t('toRules')}
        </Anchor>
      </>
    )
  return (
    <Soft>
      {t(isFree ? 'isFree' : by === 'typed' ? 'typed' : by === 'rule' ? 'ruleGone' : 'asItCame')}
    </Soft>
  )
}

/** Warnings of missing prices, of those that are never charged, and of those below cost. */
function Warnings({ model }: ModelPricesProps) {
  const { missing, below, never_charged: silent, why_not: why } = model
  const t = useTranslations('modelPrices')
  return (
    <>
      {why === 'incomplete_price' && missing.length > 0 && (
        <NamedPrices said={t('missing')} names={missing} />
      )}
      {silent.length > 0 && <NamedPrices said={t('silent')} names={silent} />}
      {below.length > 0 && (
        <div className="notice warned">
          <Text size="sm">{t('below')}</Text>
          <ul>
            {below.map((each) => (
              <li key={`${each.route} ${each.meter} ${each.input_above}`}>
                <BelowCost price={each} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** A warning with the prices that it is of. */
function NamedPrices({
  said,
  names,
}: {
  readonly said: string
  readonly names: readonly string[]
}) {
  return (
    <div className="notice warned">
      <Text size="sm">{said}</Text>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Code>{name}</Code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A price that is sold for less than a route bills. */
function BelowCost({ price }: { readonly price: ModelDetail['below'][number] }) {
  const t = useTranslations('modelPrices')
  const table = useTranslations('priceTable')
  const words = usePriceWords()
  const { decimal, count } = useNumbers()
  const { route, meter, input_above: above } = price
  const cost = inUsualUnit(meter, price.cost_usd)
  const sale = inUsualUnit(meter, price.sale_usd)
  const named = cost === null ? null : words(cost.key)
  return (
    <Text size="sm" component="span">
      <Code>{route}</Code>
      {' · '}
      {named?.name ?? meter}
      {above !== null && ` ${table('above', { count: count(above) })}`}
      {': '}
      {t('belowBy', {
        cost: decimal(cost?.usd ?? price.cost_usd),
        sale: decimal(sale?.usd ?? price.sale_usd),
      })}{' '}
      {named?.unit}
    </Text>
  )
}

interface ModelPriceFormProps {
  readonly model: ModelDetail
  readonly onClose: () => void
}

/** Form of a model's prices. Untouched ones stay. */
function ModelPriceForm({ model, onClose }: ModelPriceFormProps) {
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
function ModelDefaultPrice({ model, onClose }: ModelPriceFormProps) {
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
