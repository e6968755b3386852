import { dayMs } from '../../domain/clock'
import type { Batch } from '../../ledger/store'
import { cachedTokens, inputTokens, outputTokens } from '../../domain/usage'
import type { Connection } from './database'

type Sums = [
  requests: number,
  errors: number,
  input: number,
  output: number,
  cached: number,
  cost: number,
]

const insert = `
  INSERT INTO usage_days (project, day, key, model, requests, errors, input_tokens, output_tokens,
    cached_tokens, cost)`
const add = `
  ON CONFLICT (project, day, key, model) DO UPDATE SET requests = requests + excluded.requests,
    errors = errors + excluded.errors, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cached_tokens = cached_tokens + excluded.cached_tokens, cost = cost + excluded.cost`

/** Adds the calls of a group to their days, a row for all of one key and model. */
export function openUsageDays({ raw }: Connection): (ended: Batch['ended']) => void {
  const write = raw.prepare(`${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ${add}`)
  return (ended) => {
    const days = new Map<string, { readonly place: Place; readonly sums: Sums }>()
    for (const { opening, ending } of ended) {
      const place = placeOf(opening)
      const name = place.join(' ')
      let one = days.get(name)
      if (one === undefined) days.set(name, (one = { place, sums: [0, 0, 0, 0, 0, 0] }))
      const { sums } = one
      sums[0]++
      if (ending.status === 'error') sums[1]++
      sums[2] += whole(inputTokens(ending.usage))
      sums[3] += whole(outputTokens(ending.usage))
      sums[4] += whole(cachedTokens(ending.usage))
      sums[5] += ending.cost
    }
    for (const { place, sums } of days.values()) write.run(...place, ...sums)
  }
}

type Place = readonly [project: number, day: number, key: number, model: string]

const placeOf = ({ project, created, key, model }: Batch['ended'][number]['opening']): Place => [
  project,
  Math.floor(created / dayMs),
  key,
  model,
]

const whole = (count: number): number => (Number.isFinite(count) ? Math.round(count) : 0)

/** Calls that are pending now and are about to become errors. */
export const addPendingAsErrors = `
  ${insert}
  SELECT project, created / ${dayMs}, key, model, count(*), count(*), 0, 0, 0, 0
  FROM requests INDEXED BY requests_pending WHERE status = 'pending' GROUP BY 1, 2, 3, 4
  ${add}`
