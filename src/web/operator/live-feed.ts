import { useEffect, useRef, useState } from 'react'
import { requestOperatorAgain } from './me'
import { operate, searchOf, type Result } from './operate'

export type LiveRow = Result<'GET /live'>['data'][number]

/** Filters of the live calls. */
export interface LiveSearch {
  readonly account?: string
  readonly key?: string
  readonly model?: string
  readonly vendor?: string
  readonly code?: string
  readonly status?: LiveRow['status'] | null
}

/** Live calls on screen, and whether the stream is connected. */
export interface LiveFeed {
  /** Newest first; null until the first ones are there. */
  readonly rows: readonly LiveRow[] | null
  /** `lost`: the browser connects again by itself. */
  readonly state: 'waiting' | 'open' | 'lost'
  /** Changes that did not reach this browser. */
  readonly dropped: number
  readonly fault: unknown
}

const maxRows = 200
const firstRows = 100

const newestFirst = (one: LiveRow, other: LiveRow): number =>
  Date.parse(other.began) - Date.parse(one.began)

/** Rows with what changed of them; a row that is no longer searched for goes. */
function mergedRows(
  rows: readonly LiveRow[],
  changed: readonly LiveRow[],
  status: LiveSearch['status'],
): readonly LiveRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const row of changed) byId.set(row.id, row)
  return [...byId.values()]
    .filter((row) => !status || row.status === status)
    .toSorted(newestFirst)
    .slice(0, maxRows)
}

const nothing: LiveFeed = { rows: null, state: 'waiting', dropped: 0, fault: null }

/** Live calls as they go by. @param isPaused what is on screen stays as it is */
export function useLiveFeed(search: LiveSearch, isPaused: boolean): LiveFeed {
  const [feed, setFeed] = useState<LiveFeed>(nothing)
  const { status: shown, ...others } = search
  // Whoever looks for one state must hear of those that leave it.
  const query = searchOf(others)
  const status = shown ?? null
  const paused = useRef(isPaused)
  paused.current = isPaused
  useEffect(() => {
    setFeed(nothing)
    let isOver = false
    const merge = (changed: readonly LiveRow[], more: Partial<LiveFeed>) => {
      if (isOver) return
      setFeed((feed) => ({
        ...feed,
        ...more,
        rows: paused.current ? feed.rows : mergedRows(feed.rows ?? [], changed, status),
      }))
    }
    const read = async () => {
      try {
        const sent = Object.fromEntries(new URLSearchParams(query)) as {}
        const { data } = await operate('GET /live', {
          query: { ...sent, max: firstRows, ...(status === null ? {} : { status }) },
        })
        merge(data, { fault: null })
      } catch (fault) {
        if (!isOver) setFeed((feed) => ({ ...feed, fault }))
      }
    }
    const source = new EventSource(`/app/api/operator/live/events${query}`)
    source.addEventListener('open', () => {
      setFeed((feed) => ({ ...feed, state: 'open' }))
      void read()
    })
    source.addEventListener('error', () => {
      setFeed((feed) => ({ ...feed, state: 'lost' }))
      // It was refused: mostly the session is over.
      if (source.readyState === EventSource.CLOSED) requestOperatorAgain()
    })
    source.addEventListener('calls', ({ data }: MessageEvent<string>) => {
      const { data: changed, dropped } = JSON.parse(data) as { data: LiveRow[]; dropped: number }
      merge(changed, { dropped })
    })
    return () => {
      isOver = true
      source.close()
    }
  }, [query, status])
  return feed
}
