import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { ownKeys, shareAbove, type Pricing } from './price-keys'
import { PriceName } from './price-name'

interface TwoPricesProps {
  /** Of the table, for those who do not see it. */
  readonly label: string
  readonly heads: readonly [first: string, second: string, share: string]
  readonly first: Pricing | null
  readonly second: Pricing | null
  /** Leaves out what is the same in both. */
  readonly onlyMoved?: boolean
}

/** Two sets of prices side by side, and by how much the second is above the first. */
export function TwoPrices({ label, heads, first, second, onlyMoved = false }: TwoPricesProps) {
  const t = useTranslations('priceTable')
  const { decimal } = useNumbers()
  const keys = [...new Set([...ownKeys(second ?? {}), ...ownKeys(first ?? {})])].filter(
    (key) => !onlyMoved || first?.[key] !== second?.[key],
  )
  const shown = (pricing: Pricing | null, key: string) => {
    const price = pricing?.[key]
    return price === undefined ? '–' : decimal(price)
  }
  return (
    // It may scroll sideways: the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="sideways" role="group" aria-label={label} tabIndex={0}>
      <table className="receipt two-prices">
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key}>
              <th scope="row">
                <PriceName of={key} />
              </th>
              <td className="number">{shown(first, key)}</td>
              <td className="number">{shown(second, key)}</td>
              <td className="number">
                <Share of={shareAbove(first?.[key], second?.[key])} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A share with its sign; what is below zero stands out. */
export function Share({ of: share }: { readonly of: number | null }) {
  const { percent } = useNumbers()
  if (share === null) return <span>–</span>
  const text = percent(Math.abs(share))
  const isNothing = Math.abs(share) < 0.0005
  return (
    <bdi dir="ltr" className={share < 0 && !isNothing ? 'below-zero' : undefined}>
      {isNothing ? percent(0) : `${share < 0 ? '−' : '+'}${text}`}
    </bdi>
  )
}
