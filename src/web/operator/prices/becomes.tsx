import { useLocale } from 'use-intl'

interface BecomesProps {
  readonly from: string
  readonly to: string
}

/** Old and new value with an arrow, in the direction of the page. */
export const Becomes = ({ from, to }: BecomesProps) => (
  <>
    <bdi>{from}</bdi>
    <span aria-hidden="true">{useLocale() === 'fa' ? ' ← ' : ' → '}</span>
    <strong>
      <bdi>{to}</bdi>
    </strong>
  </>
)
