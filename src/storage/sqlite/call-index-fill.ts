import type { Connection } from './database'

interface Call {
  readonly id: string
  readonly account: number
  readonly status: string
}

/**
 * Brings calls of before there was an index of accounts into it, the newest first. Until it is over,
 * lists of those calls are read from among everybody's.
 * @returns a slice: brings in so many calls, and tells whether there are more
 */
export function openFillSlices(connection: Connection): (calls: number) => boolean {
  const { raw } = connection
  const place = raw.prepare<{ before: string }, []>('SELECT before FROM account_calls_fill')
  const older = raw.prepare<Call, [string, number]>(
    'SELECT id, account, status FROM requests WHERE id < ? ORDER BY id DESC LIMIT ?',
  )
  const put = raw.prepare('INSERT OR IGNORE INTO account_calls (account, request) VALUES (?, ?)')
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
