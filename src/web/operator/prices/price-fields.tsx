import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { UsdInput } from '../../parts/money/usd-input'
import { plainPriceKeys, readPriceKey, usePriceWords } from './price-keys'
import type { TypedPrices } from './typed-prices'

interface PriceFieldsProps {
  readonly value: TypedPrices
  readonly onChange: (value: TypedPrices) => void
}

/** Prices to be typed, one a field; others can be added and taken away. */
export function PriceFields({ value, onChange }: PriceFieldsProps) {
  const t = useTranslations('priceFields')
  const words = usePriceWords()
  const labelOf = (key: string): string => {
    const { name, variant } = words(key)
    return variant === null ? name : `${name} \u2066${variant}\u2069`
  }
  const remove = (key: string) =>
    onChange(Object.fromEntries(Object.entries(value).filter(([each]) => each !== key)))
  return (
    <Stack gap="sm">
      {Object.entries(value).map(([key, price]) => {
        const { unit, above } = words(key)
        return (
          <Group key={key} gap="xs" align="flex-end" wrap="nowrap">
            <UsdInput
              label={labelOf(key)}
              description={above === null ? unit : `${unit} · ${t('above', { count: above })}`}
              value={price}
              onChange={(event) => onChange({ ...value, [key]: event.currentTarget.value })}
              style={{ flex: 1 }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('remove', { name: labelOf(key) })}
              onClick={() => remove(key)}
            >
              <IconX size={18} />
            </ActionIcon>
          </Group>
        )
      })}
      <AddPrice value={value} onChange={onChange} />
    </Stack>
  )
}

/** Stands for a key that is typed. */
const otherKey = 'other'

function AddPrice({ value, onChange }: PriceFieldsProps) {
  const t = useTranslations('priceFields')
  const words = usePriceWords()
  const [typed, setTyped] = useState<string | null>(null)
  const add = (key: string) => {
    onChange({ ...value, [key]: '' })
    setTyped(null)
  }
  const isKey = typed !== null && readPriceKey(typed.trim()) !== null
  const left = Object.keys(plainPriceKeys).filter((key) => !(key in value))
  return (
    <>
      <NativeSelect
        label={t('add')}
        value={typed === null ? '' : otherKey}
        onChange={(event) => {
          const key = event.currentTarget.value
          if (key === otherKey) setTyped('')
          else if (key !== '') add(key)
        }}
        data={[
          { value: '', label: t('choose') },
          ...left.map((key) => {
            const { name, variant, unit } = words(key)
            return { value: key, label: `${name} ${variant ?? ''} (${unit})` }
          }),
          { value: otherKey, label: t('other') },
        ]}
      />
      {typed !== null && (
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={t('key')}
            placeholder="input_per_million_above_200k"
            dir="ltr"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Button variant="default" disabled={!isKey} onClick={() => add(typed.trim())}>
            {t('addNow')}
          </Button>
        </Group>
      )}
      <Text size="xs" className="soft">
        {t('exact')}
      </Text>
    </>
  )
}
