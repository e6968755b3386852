import { Anchor, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Link } from 'wouter'
import type { EndedCall } from '../metered-call'
import { useNumbers } from '../numbers'

/** Cost of a call with a link to its receipt; nothing for a call that never began. */
export function CallCost({ requestId, costUsd }: EndedCall) {
  const t = useTranslations('playground')
  const { usd } = useNumbers()
  if (requestId === '') return null
  return (
    <Text size="xs" className="soft call-cost" component="div">
      {costUsd !== null && (
        <span className="number">
          {Number(costUsd) === 0 ? t('noCost') : t('cost', { cost: usd(costUsd, 9) })}
        </span>
      )}
      <Anchor component={Link} href={`/requests/${requestId}`} size="xs">
        {t('receipt')}
      </Anchor>
    </Text>
  )
}
