import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'

const colours = {
  started: 'yellow',
  credited: undefined,
  refused: 'red',
  expired: 'gray',
} as const

/** State of a payment, as a word. */
export function PaymentState({ state }: { readonly state: keyof typeof colours }) {
  const t = useTranslations('credit')
  const colour = colours[state]
  return (
    <Badge
      variant={state === 'credited' ? 'light' : 'default'}
      tt="none"
      {...(colour === undefined ? {} : { color: colour })}
    >
      {t(state)}
    </Badge>
  )
}
