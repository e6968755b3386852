import { useSearchParams } from 'wouter'

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
