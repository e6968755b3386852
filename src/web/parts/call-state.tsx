import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'

const colours = { success: 'firuze', error: 'red', cancelled: 'gray', pending: 'saffron' } as const

/** Status of a call, as a badge. */
export function CallState({ status }: { readonly status: keyof typeof colours }) {
  const t = useTranslations('requests')
  return (
    <Badge
      variant="light"
      tt="none"
      color={colours[status]}
      {...(status === 'pending' ? { c: 'var(--ink)' } : {})}
      style={{ justifySelf: 'end' }}
    >
      {t(status)}
    </Badge>
  )
}
