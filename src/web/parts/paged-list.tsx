import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Failed } from './failed'

interface Part<Item, Cursor> {
  readonly data: readonly Item[]
  readonly next: Cursor | null
}

interface PagedListProps<Item, Cursor> {
  /** What the server is asked is kept under. */
  readonly queryKey: readonly unknown[]
  readonly read: (cursor: Cursor | undefined) => Promise<Part<Item, Cursor>>
  readonly keyOf: (item: Item) => string | number
  readonly row: (item: Item) => ReactNode
  /** Instead of a list without a row. */
  readonly empty: ReactNode
  readonly head?: ReactNode
}

/** A list that comes in pages. */
export function PagedList<Item, Cursor>(props: PagedListProps<Item, Cursor>) {
  const { queryKey, read, keyOf, row, empty, head } = props
  const t = useTranslations('lists')
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam as Cursor | undefined),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  if (list.isError) return <Failed error={list.error} />
  if (list.data === undefined) return <Waiting />
  const items = list.data.pages.flatMap(({ data }) => data)
  if (items.length === 0 && !list.hasNextPage) return <section className="card">{empty}</section>
  return (
    <>
      <section className="card">
        {head}
        <ul className="list">
          {items.map((item) => (
            <li key={keyOf(item)}>{row(item)}</li>
          ))}
        </ul>
      </section>
      {list.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </Group>
      )}
    </>
  )
}

const Waiting = () => (
  <section className="card panel" aria-hidden="true">
    <Stack>
      <Skeleton h={36} />
      <Skeleton h={36} />
      <Skeleton h={36} />
    </Stack>
  </section>
)
