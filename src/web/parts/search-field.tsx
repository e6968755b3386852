import { TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { useFilters } from './search-filters'

/** Filters of a page, kept in its address. */
export type Filters = ReturnType<typeof useFilters>

const typingMs = 250

interface SearchFieldProps {
  readonly filters: Filters
  readonly label: string
  readonly placeholder: string
  readonly maxLength?: number
}

/** Text filter, which asks once typing pauses. The slash key goes to it. */
export function SearchField({ filters, label, placeholder, maxLength = 100 }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(filters.get('text') ?? '')
  const find = useDebouncedCallback(
    (text: string) => filters.set('text', text.trim(), { replaces: true }),
    typingMs,
  )
  useHotkeys([['/', () => input.current?.focus()]])
  return (
    <TextInput
      ref={input}
      type="search"
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      value={typed}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        find(event.currentTarget.value)
      }}
    />
  )
}
