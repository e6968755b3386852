import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import type { Family } from '../model-families'

const typingMs = 200
const maxOptions = 40

interface ModelQuery {
  readonly keyId: number
  readonly family: Family
  readonly text: string
}

/** Models that a key may use, the cheapest first. */
const useAllowed = ({ keyId, family, text }: ModelQuery) =>
  useQuery({
    queryKey: ['catalogue', 'allowed', keyId, family, text],
    queryFn: () =>
      ask(
        api.catalogue.get({
          query: { key: keyId, family, text, order: 'cheapest', max: maxOptions },
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** The cheapest model of a family that a key may use; null for none, or as long as nobody knows. */
export const useCheapest = (keyId: number, family: Family): string | null =>
  useAllowed({ keyId, family, text: '' }).data?.data[0]?.id ?? null

interface ModelChoiceProps {
  readonly keyId: number
  readonly family: Family
  readonly label: string
  readonly value: string | null
  readonly onChange: (id: string) => void
}

/** One of the models that a key may use; there may be thousands: the server finds them. */
export function ModelChoice({ keyId, family, label, value, onChange }: ModelChoiceProps) {
  const t = useTranslations('playground')
  const [typed, setTyped] = useState('')
  // What is chosen stands in the field, and is no search.
  const [text] = useDebouncedValue(typed === value ? '' : typed, typingMs)
  const found = useAllowed({ keyId, family, text: text.trim() })
  const ids = found.data?.data.map(({ id }) => id) ?? []
  return (
    <Select
      label={label}
      placeholder={t('findModel')}
      searchable
      allowDeselect={false}
      value={value}
      onChange={(id) => id !== null && onChange(id)}
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...new Set([...(value === null ? [] : [value]), ...ids])]}
      filter={({ options }) => options}
      nothingFoundMessage={t('noModel')}
      comboboxProps={{ withinPortal: true }}
      classNames={{ input: 'id-input', option: 'model-option' }}
      maxDropdownHeight={320}
    />
  )
}
