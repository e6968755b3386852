import { isBusy, type Connection } from './database'

/** Brings calls of before there was an index of accounts into it, the newest first. */
export interface CallIndexFill {
  close(): void
}

/** Calls in one commit: a few milliseconds. */
const callsInSlice = 500
const nextSliceMs = 15
/** Commands and starts of a moment leave it to the next process. */
const usualStartMs = 1000

/**
 * Goes on where an earlier process stopped, in short commits beside the calls of this one. Until it
 * is over, lists of those calls are read from among everybody's.
 * @param onFault told once when the database does not write; it is tried again
 */
export function openCallIndexFill(
  connection: Connection,
  onFault: (fault: unknown) => void,
  startMs = usualStartMs,
): CallIndexFill {
  const fill = openFillSlices(connection)
  let told = false
  let timer: ReturnType<typeof setTimeout> | null = null
  const after = (ms: number) => {
    timer = setTimeout(() => {
      try {
        if (fill(callsInSlice)) after(nextSliceMs)
        else timer = null
      } catch (thrown) {
        after(usualStartMs)
        if (told || isBusy(thrown)) return
        told = true
        onFault(thrown)
      }
    }, ms)
    timer.unref()
  }
  after(startMs)
  return {
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

interface Call {
  readonly id: string
  readonly account: number
  readonly status: string
}

/** @returns a slice: brings in so many calls, and tells whether there are more */
export function openFillSlices(connection: Connection): (calls: number) => boolean {
  const { raw } = connection
  const place = raw.prepare<{ before: string }, []>('SELECT before FROM account_calls_fill')
  const older = raw.prepare<Call, [string, number]>(
    'SELECT id, account, status FROM requests WHERE id < ? ORDER BY id DESC LIMIT ?',
  )
  const put = raw.prepare(
    'INSERT INTO account_calls (account, request) VALUES (?, ?) ON CONFLICT (account, request) DO NOTHING',
  )
  const move = raw.prepare('UPDATE account_calls_fill SET before = ?')
  const end = raw.prepare('DELETE FROM account_calls_fill')
  return (calls) => {
    const from = place.get()
    if (from === null) return false
    const found = older.all(from.before, calls)
    const last = found.at(-1)?.id
    // What runs comes in when it ends.
    const ended = found.filter(({ status }) => status !== 'pending')
    ended.sort((one, other) => one.account - other.account)
    connection.transaction(() => {
      for (const { account, id } of ended) put.run(account, id)
      if (last === undefined) end.run()
      else move.run(last)
    }, 'brief')
    return last !== undefined
  }
}
