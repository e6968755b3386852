import { useSearchParams } from 'wouter'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'

/** Filters of a page, kept in its address: a link and the way back say the same. */
export function useFilters() {
  const [params, setParams] = useSearchParams()
  return {
    get: (name: string): string | null => params.get(name),
    /**
     * @param value null takes it out
     * @param replaces leaves no step of its own behind: of what is being typed
     */
    set: (name: string, value: string | null, { replaces = false } = {}): void =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: replaces },
      ),
    clear: (): void => setParams(new URLSearchParams()),
  }
}

/** A number of a filter; null where there is none. */
export const numberOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

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
