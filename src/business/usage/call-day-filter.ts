import { dayMs, type Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import type { CallFilter } from '../../domain/reports/report'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshDays, freshDaysOfAccount } from '../../ledger/sums/unaggregated'

/** UTC days on which there may be calls that a filter asks for, newest first; null where nobody knows. */
export type CallDays = (filter: CallFilter) => readonly number[] | null

/** A call's id is made in the moment in which it begins, or very near. */
const marginMs = 60_000

const startOf = (day: number): string => firstRequestIdAt((day * dayMs - marginMs) as Ms)
const endOf = (day: number): string => firstRequestIdAt(((day + 1) * dayMs + marginMs) as Ms)

/** Where calls of these days go on below an id; null where there are none. */
export function callsGoOn(days: readonly number[], before: string): string | null {
  for (const day of days)
    if (startOf(day) < before) return endOf(day) < before ? endOf(day) : before
  return null
}

/** What runs is in no sum yet. */
const running = `SELECT created / ${dayMs} AS day FROM requests WHERE status = 'pending'`

/**
 * From the sums of days: a day that they do not have was looked at for nothing, and of a model that
 * nobody asks for there are years of them.
 */
export function openCallDays({ raw }: ReadConnection): CallDays {
  return (filter) => {
    const { account, project, key, model } = filter
    if (isOfMostDays(filter)) return null
    const summed =
      account === null
        ? 'SELECT u.day FROM usage_service_days u WHERE'
        : `SELECT u.day FROM projects p
            CROSS JOIN ${key === null ? 'usage_model_days' : 'usage_days'} u
            WHERE u.project = p.id AND p.account = $account AND`
    const conditions = [
      'in_time(u.day)',
      ...(project === null ? [] : ['u.project = $project']),
      ...(key === null ? [] : ['u.key = $key']),
      ...(model === null ? [] : ['u.model = $model']),
      countOf(filter),
    ]
    const fresh = account === null ? freshDays('utc') : freshDaysOfAccount('utc')
    const parameters = { account, project, key, model }
    return raw
      .query<{ day: number }, [Record<string, number | string>]>(
        `${summed} ${conditions.join(' AND ')}
        UNION SELECT day FROM (${fresh}) f UNION ${running} ORDER BY day DESC`,
      )
      .all(
        Object.fromEntries(
          Object.entries(parameters).flatMap(([name, value]) =>
            value === null ? [] : [[name, value] as const],
          ),
        ),
      )
      .map(({ day }) => day)
  }
}

/** Nearly every day has calls that did well: days need not be looked for. */
const isOfMostDays = ({ project, key, model, status }: CallFilter): boolean =>
  project === null && key === null && model === null && status !== 'error'

/** What the sums of a day have where it has a call of that status. */
function countOf({ status }: CallFilter): string {
  if (status === 'error') return 'u.errors > 0'
  return status === null ? 'u.requests > 0' : 'u.requests > u.errors'
}
