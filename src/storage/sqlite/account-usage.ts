import type { AccountReader, UsageDimension, UsageRow } from '../../domain/account-reader'
import { dayMs } from '../../domain/clock'
import type { KeyId, ProjectId } from '../../domain/ids'
import { nanoUsd } from '../../domain/money'
import { yieldToLoop } from '../../domain/yield-to-loop'
import type { Connection } from './database'
import { freshDaysOfProject } from './fresh-charges'
import type { Sums } from './sums'

interface SumRow {
  readonly day: number | null
  readonly model: string | null
  readonly key: number | null
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
}

type Bound = [project: number, from: number, to: number, key: number | null, model: string | null]

/** A column where it is asked for. */
const shown = (by: readonly UsageDimension[], name: UsageDimension): string =>
  by.includes(name) ? name : 'NULL'

const usageSql = (by: readonly UsageDimension[]): string => `
  SELECT ${shown(by, 'day')} AS day, ${shown(by, 'model')} AS model, ${shown(by, 'key')} AS key,
    sum(requests) AS requests, sum(errors) AS errors,
    sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens, sum(cost) AS cost
  FROM (
    ${freshDaysOfProject} AND created / ${dayMs} BETWEEN ?2 AND ?3
    UNION ALL SELECT * FROM usage_days WHERE project = ?1 AND day BETWEEN ?2 AND ?3
  ) WHERE (?4 IS NULL OR key = ?4) AND (?5 IS NULL OR model = ?5)
  GROUP BY 1, 2, 3 ORDER BY 1, cost DESC, 2, 3`

/** Days of an account, one project after the other: that is how they are kept. */
export function openAccountUsage(connection: Connection, sums: Sums): AccountReader['usage'] {
  const { raw } = connection
  const projectIds = raw.prepare<{ id: ProjectId }, [number]>(
    'SELECT id FROM projects WHERE account = ? ORDER BY id',
  )
  return async ({ account, project, key, model, fromDay, toDay, by }) => {
    const statement = raw.query<SumRow, Bound>(usageSql(by))
    const found = new Map<string, UsageRow>()
    for (const { id } of projectIds.all(account)) {
      if (project !== null && id !== project) continue
      sums.writeProject(id)
      for (const row of statement.all(id, fromDay, toDay, key, model))
        addTo(found, {
          ...row,
          key: row.key as KeyId | null,
          project: by.includes('project') ? id : null,
          cost: nanoUsd(row.cost),
        })
      await yieldToLoop()
    }
    return [...found.values()]
  }
}

/** The same model may be called in several projects. */
function addTo(found: Map<string, UsageRow>, row: UsageRow): void {
  const name = JSON.stringify([row.day, row.model, row.key, row.project])
  const sum = found.get(name)
  found.set(name, sum === undefined ? row : added(sum, row))
}

const added = (sum: UsageRow, row: UsageRow): UsageRow => ({
  ...sum,
  requests: sum.requests + row.requests,
  errors: sum.errors + row.errors,
  inputTokens: sum.inputTokens + row.inputTokens,
  outputTokens: sum.outputTokens + row.outputTokens,
  cost: nanoUsd(sum.cost + row.cost),
})
