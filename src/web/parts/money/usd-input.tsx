import { TextInput, type TextInputProps } from '@mantine/core'
import { useLocale } from 'use-intl'

/** Field of an amount in dollars; digits of any script. */
export function UsdInput(props: TextInputProps) {
  const locale = useLocale()
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className="soft">{locale === 'fa' ? 'دلار' : '$'}</span>}
      rightSectionWidth={locale === 'fa' ? 52 : 36}
      {...props}
    />
  )
}
