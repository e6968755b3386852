import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { usePriceWords } from './price-keys'
import { Code } from '../../parts/panel'

/** Name of a price, with its unit below. */
export function PriceName({ of: key }: { readonly of: string }) {
  const t = useTranslations('priceTable')
  const { count } = useNumbers()
  const { name, variant, unit, above } = usePriceWords()(key)
  return (
    <>
      {name} {variant !== null && <Code>{variant}</Code>}
      <Text size="xs" className="soft">
        {unit}
        {above !== null && ` · ${t('above', { count: count(above) })}`}
      </Text>
    </>
  )
}
