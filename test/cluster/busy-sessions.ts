import { SQL } from 'bun'

/** Sessions of one process that worked at the same moment, at most. */
export interface BusySessions {
  /** By process id. */
  readonly all: ReadonlyMap<string, number>
  /** Of those, sessions that run exchanges. */
  readonly exchanges: ReadonlyMap<string, number>
  readonly samples: number
}

const everyMs = 20

/** Looks again and again at what the sessions of a server do, until it is told to end. */
export function watchBusySessions(url: string): { end(): Promise<BusySessions> } {
  const all = new Map<string, number>()
  const exchanges = new Map<string, number>()
  let samples = 0
  let isOver = false
  const look = async (sql: SQL): Promise<void> => {
    const rows: { process: string; busy: number; exchanging: number }[] = await sql.unsafe(
      `SELECT split_part(substring(application_name FROM '\\d+@'), '@', 1) AS process, count(*)::int AS busy,
          (count(*) FILTER (WHERE application_name LIKE 'chapar exchanges %'))::int AS exchanging
        FROM pg_stat_activity WHERE state = 'active' AND application_name LIKE 'chapar %' GROUP BY 1`,
    )
    samples++
    for (const { process, busy, exchanging } of rows) {
      all.set(process, Math.max(busy, all.get(process) ?? 0))
      exchanges.set(process, Math.max(exchanging, exchanges.get(process) ?? 0))
    }
  }
  const run = async (): Promise<void> => {
    await using sql = new SQL(url, { max: 1 })
    while (!isOver) {
      // The server may be down for a moment.
      await look(sql).catch(() => {})
      await Bun.sleep(everyMs)
    }
  }
  const running = run()
  return {
    async end() {
      isOver = true
      await running
      return { all, exchanges, samples }
    },
  }
}
