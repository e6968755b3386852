import { Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { coinsOf } from '../../call-price'
import { useMeterWords } from '../../meter-words'
import { useNumbers } from '../../numbers'
import type { Model, ShownPrice } from '../../sold-models'
import { Panel, Code } from '../panel'

/** Every price of a model, and those that were approved for later. */
export function ModelPrices({ model }: { readonly model: Model }) {
  const t = useTranslations('model')
  const { date } = useNumbers()
  const { next, coins_per_usd: rate } = model
  return (
    <Panel id="prices" title={t('prices')} lead={t(model.is_free ? 'isFree' : 'pricesLead')}>
      <PriceTable prices={model.all_prices} rate={rate} label={t('prices')} />
      {next !== null && (
        <div className="notice next-prices">
          <Title order={3} fz="sm">
            {t('nextPrices', { day: date(new Date(next.from).toISOString().slice(0, 10)) })}
          </Title>
          <PriceTable
            prices={changed(next.prices, model.all_prices)}
            rate={rate}
            label={t('nextPrices', { day: '' })}
          />
        </div>
      )}
    </Panel>
  )
}

const keyOf = ({ meter, unit, above }: ShownPrice): string => `${meter} ${unit} ${above ?? 0}`

/** Prices to come that differ from those of now. */
const changed = (next: readonly ShownPrice[], now: readonly ShownPrice[]) =>
  next.filter(
    (price) => !now.some((each) => keyOf(each) === keyOf(price) && each.usd === price.usd),
  )

interface PriceTableProps {
  readonly prices: readonly ShownPrice[]
  readonly rate: string | null
  readonly label: string
}

function PriceTable({ prices, rate, label }: PriceTableProps) {
  const t = useTranslations('model')
  const { usd, tomans, count } = useNumbers()
  const { meter, unit } = useMeterWords()
  return (
    // It may scroll sideways: the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="sideways" role="group" aria-label={label} tabIndex={0}>
      <table className="receipt prices">
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('usd')}</th>
            {rate !== null && <th scope="col">{t('coins')}</th>}
            <th scope="col" className="unit-beside">
              {t('unit')}
            </th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => {
            const { name, variant } = meter(price.meter)
            return (
              <tr key={keyOf(price)}>
                <th scope="row">
                  {name} {variant !== null && <Code>{variant}</Code>}
                  <Text size="xs" className="soft unit-below">
                    {unit(price.meter, price.unit)}
                  </Text>
                  {price.above !== null && (
                    <Text size="xs" className="soft">
                      {t('above', { count: count(price.above) })}
                    </Text>
                  )}
                </th>
                <td className="number">{usd(price.usd, 12)}</td>
                {rate !== null && <td className="number">{tomans(coinsOf(price.usd, rate))}</td>}
                <td className="soft unit-beside">{unit(price.meter, price.unit)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
