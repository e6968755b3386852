import { useLocale } from 'use-intl'

interface BecomesProps {
  readonly from: string
  readonly to: string
}

/** A value and what comes of it, in the direction of the page. */
export const Becomes = ({ from, to }: BecomesProps) => (
  <>
    <bdi>{from}</bdi>
    <span aria-hidden="true">{useLocale() === 'fa' ? ' ← ' : ' → '}</span>
    <strong>
      <bdi>{to}</bdi>
    </strong>
  </>
)
