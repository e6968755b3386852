import { SQL } from 'bun'

/** What sessions of a process did at the same moment. */
interface BusySessions {
  /** Sessions of one process, at most. */
  readonly most: number
  /** Names of the sessions that were busy then, by their work. */
  readonly busiest: readonly string[]
  /** Sessions of one process with the same work, at most. */
  readonly mostAlike: number
  readonly samples: number
}

const everyMs = 20

/** Looks again and again at what the sessions of a server do, until it is told to end. */
export function watchBusySessions(url: string): { end(): Promise<BusySessions> } {
  const seen = { most: 0, busiest: [] as readonly string[], mostAlike: 0, samples: 0 }
  const state = { isOver: false }
  const look = async (sql: SQL): Promise<void> => {
    const rows: { names: readonly string[] }[] = await sql.unsafe(
      `SELECT json_agg(regexp_replace(application_name, ' \\S+$', '')) AS names FROM pg_stat_activity
        WHERE state = 'active' AND application_name LIKE 'chapar %'
        GROUP BY substring(application_name FROM '\\d+@')`,
    )
    seen.samples++
    for (const { names } of rows) {
      if (names.length > seen.most) Object.assign(seen, { most: names.length, busiest: names })
      const alike = Object.values(Object.groupBy(names, (name) => name)).map(
        (same) => same?.length ?? 0,
      )
      seen.mostAlike = Math.max(seen.mostAlike, ...alike)
    }
  }
  const run = async (): Promise<void> => {
    await using sql = new SQL(url, { max: 1 })
    while (!state.isOver) {
      // The server may be down for a moment.
      await look(sql).catch(() => {})
      await Bun.sleep(everyMs)
    }
  }
  const running = run()
  return {
    async end() {
      state.isOver = true
      await running
      return seen
    },
  }
}
