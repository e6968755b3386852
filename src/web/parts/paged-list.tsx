import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Failed } from './failed'

interface Part<Item, Cursor> {
  readonly data: readonly Item[]
  readonly next: Cursor | null
}

/** The pages of a list that were read so far. */
export type PagesRead<Page> = UseInfiniteQueryResult<InfiniteData<Page>>

/**
 * Pages of a list, read one after the other.
 * @param queryKey cache key of the request
 * @param keeps what was read by another key stays on screen meanwhile
 */
export const usePages = <Cursor, Page extends Part<unknown, Cursor>>(
  queryKey: readonly unknown[],
  read: (cursor: Cursor | undefined) => Promise<Page>,
  { keeps = false } = {},
): PagesRead<Page> =>
  useInfiniteQuery({
    queryKey,
    ...(keeps ? { placeholderData: keepPreviousData } : {}),
    queryFn: ({ pageParam }) => read(pageParam as Cursor | undefined),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

interface RowsProps<Item> {
  readonly keyOf: (item: Item) => string | number
  readonly row: (item: Item) => ReactNode
  /** Instead of a list without a row. */
  readonly empty: ReactNode
  readonly head?: ReactNode
}

interface PageRowsProps<Item, Cursor> extends RowsProps<Item> {
  readonly pages: PagesRead<Part<Item, Cursor>>
}

/** Rows of a list that comes in pages: the next one comes when the end of the last is in sight. */
export function PageRows<Item, Cursor>(props: PageRowsProps<Item, Cursor>) {
  const { pages, keyOf, row, empty, head } = props
  const retry = () => void (pages.data === undefined ? pages.refetch() : pages.fetchNextPage())
  if (pages.data === undefined)
    return pages.isError ? <Failed error={pages.error} onRetry={retry} /> : <Waiting />
  const items = pages.data.pages.flatMap(({ data }) => data)
  if (items.length === 0 && !pages.hasNextPage) return <section className="card">{empty}</section>
  return (
    <>
      {items.length > 0 && (
        <section className="card">
          {head}
          <ul className="list">
            {items.map((item) => (
              <li key={keyOf(item)}>{row(item)}</li>
            ))}
          </ul>
        </section>
      )}
      {pages.isError ? (
        <Failed error={pages.error} onRetry={retry} />
      ) : (
        pages.hasNextPage && <More pages={pages} />
      )}
    </>
  )
}

/** Asks for the next page by itself, once it is in sight. */
function More<Page>({ pages }: { readonly pages: PagesRead<Page> }) {
  const t = useTranslations('lists')
  const { ref, entry } = useIntersection({ rootMargin: '400px' })
  const { isFetchingNextPage, fetchNextPage } = pages
  const isInSight = entry?.isIntersecting === true
  useEffect(() => {
    if (isInSight && !isFetchingNextPage) void fetchNextPage()
  }, [isInSight, isFetchingNextPage, fetchNextPage])
  return (
    <Group justify="center" ref={ref} className="unprinted">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t('more')}
      </Button>
    </Group>
  )
}

interface PagedListProps<Item, Cursor> extends RowsProps<Item> {
  readonly queryKey: readonly unknown[]
  readonly read: (cursor: Cursor | undefined) => Promise<Part<Item, Cursor>>
}

/** A list that comes in pages. */
export function PagedList<Item, Cursor>({ queryKey, read, ...rows }: PagedListProps<Item, Cursor>) {
  return <PageRows {...rows} pages={usePages(queryKey, read)} />
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
