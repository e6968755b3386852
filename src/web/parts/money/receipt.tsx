import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Code } from '../panel'

interface ReceiptProps {
  readonly receipt: {
    readonly lines:
      | readonly {
          readonly meter: string
          readonly units: number
          readonly unit_price_usd: string
          readonly amount_usd: string
        }[]
      | null
    readonly hold_usd: string
    readonly charged_usd: string
    readonly released_usd: string
    readonly refunded_usd: string
  }
}

/** As many as an amount of dollars can have: nothing is rounded here. */
const allPlaces = 18

/** Receipt of a call: units × price = amount, and the hold before it. */
export function Receipt({ receipt }: ReceiptProps) {
  const t = useTranslations('receipt')
  const { usd, count } = useNumbers()
  const { lines } = receipt
  const isRefunded = Number(receipt.refunded_usd) > 0
  return (
    <>
      {lines === null && (
        <Text size="sm" className="soft" mb="sm">
          {t('unknown')}
        </Text>
      )}
      {lines !== null && lines.length === 0 && (
        <Text size="sm" className="soft" mb="sm">
          {t('free')}
        </Text>
      )}
      <div className="sideways" tabIndex={-1}>
        <table className="receipt">
          {lines !== null && lines.length > 0 && (
            <>
              <thead>
                <tr>
                  <th scope="col">{t('meter')}</th>
                  <th scope="col">{t('units')}</th>
                  <th scope="col">{t('price')}</th>
                  <th scope="col">{t('amount')}</th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line) => (
                  <tr key={line.meter}>
                    <th scope="row">
                      <Code>{line.meter}</Code>
                    </th>
                    <td className="number">{count(line.units)}</td>
                    <td className="number">× {usd(line.unit_price_usd, allPlaces)}</td>
                    <td className="number">= {usd(line.amount_usd, allPlaces)}</td>
                  </tr>
                ))}
              </tbody>
            </>
          )}
          <tbody>
            <Sum label={t('charged')} value={usd(receipt.charged_usd, 9)} isSum />
            <Sum label={t('held')} value={usd(receipt.hold_usd, 9)} />
            <Sum label={t('released')} value={usd(receipt.released_usd, 9)} />
            {isRefunded && <Sum label={t('refunded')} value={usd(receipt.refunded_usd, 9)} />}
          </tbody>
        </table>
      </div>
      <Text size="xs" className="soft" mt="sm">
        {t('rounding')}
      </Text>
    </>
  )
}

interface SumProps {
  readonly label: string
  readonly value: string
  readonly isSum?: boolean
}

const Sum = ({ label, value, isSum = false }: SumProps) => (
  <tr className={isSum ? 'sum' : 'soft'}>
    <th scope="row" colSpan={3}>
      {label}
    </th>
    <td className="number">{value}</td>
  </tr>
)
