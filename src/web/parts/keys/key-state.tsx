import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Key } from '../../key-values'

/** State of a key, and why it does not work: a word, and a colour beside it. */
export function KeyState({ item }: { readonly item: Key }) {
  const t = useTranslations('keyStates')
  const limit = item.spend_limit_usd
  const isSpent = limit !== null && Number(item.spent_usd) >= Number(limit)
  const [word, color] =
    item.state === 'revoked'
      ? (['revoked', 'red'] as const)
      : item.state === 'disabled'
        ? (['disabled', 'gray'] as const)
        : item.expired
          ? (['expired', 'gray'] as const)
          : isSpent
            ? (['spentUp', 'red'] as const)
            : (['active', 'firuze'] as const)
  return (
    <Badge variant="light" tt="none" color={color} style={{ flexShrink: 0 }}>
      {t(word)}
    </Badge>
  )
}
