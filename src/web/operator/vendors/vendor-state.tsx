import { Badge } from '@mantine/core'
import { useTranslations } from 'use-intl'

const colours: Readonly<Record<string, string>> = {
  ok: 'firuze',
  off: 'gray',
  down: 'red',
  refuses_key: 'red',
  out_of_money: 'red',
}

/** State of a vendor or of one credential, in words. */
export function VendorState({ state }: { readonly state: string }) {
  const t = useTranslations('vendors')
  return (
    <Badge variant="light" tt="none" color={colours[state] ?? 'gray'} style={{ flexShrink: 0 }}>
      {t.has(state as 'ok') ? t(state as 'ok') : state}
    </Badge>
  )
}
