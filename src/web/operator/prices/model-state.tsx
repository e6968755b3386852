import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Result } from '../operate'

type Summary = Result<'GET /models'>['data'][number]

/** State of a model: on sale, or why not; and whether it is sold below cost. */
export function ModelState({ model }: { readonly model: Summary }) {
  const t = useTranslations('modelState')
  const { why_not: why, below_cost: isBelow } = model
  if (why !== null)
    return (
      <Badge
        variant="light"
        color={why === 'off' || why === 'discontinued' ? 'gray' : 'yellow'}
        tt="none"
      >
        {t(why)}
      </Badge>
    )
  return (
    <Badge variant="light" {...(isBelow ? { color: 'red' } : {})} tt="none">
      {t(isBelow ? 'belowCost' : 'onSale')}
    </Badge>
  )
}
