import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { numberOf, type useFilters } from './search-filters'

/** Active filters of a page as chips; each goes away by a click. */
export function FilterChips({ filters }: { readonly filters: ReturnType<typeof useFilters> }) {
  const t = useTranslations('filters')
  const [model, key] = [filters.get('model'), numberOf(filters.get('key'))]
  const name = useQuery({
    queryKey: ['key', String(key)],
    queryFn: () => ask(api.keys({ id: key ?? 0 }).get()),
    enabled: key !== null,
  })
  const chips = [
    ...(model === null ? [] : [{ field: 'model', text: t('ofModel', { name: model }) }]),
    ...(key === null
      ? []
      : [{ field: 'key', text: t('ofKey', { name: name.data?.name ?? String(key) }) }]),
  ]
  if (chips.length === 0) return null
  return (
    <Group gap="xs">
      {chips.map(({ field, text }) => (
        <Button
          key={field}
          size="compact-sm"
          variant="light"
          rightSection={<IconX size={14} />}
          aria-label={t('remove', { filter: text })}
          onClick={() => filters.set(field, null)}
        >
          <bdi>{text}</bdi>
        </Button>
      ))}
    </Group>
  )
}
