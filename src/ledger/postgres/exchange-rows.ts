import type { NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../../domain/record'
import { cachedTokens, inputTokens, outputTokens, type Units } from '../../domain/usage'
import type { DayIn } from '../../domain/zone-days'
import type { VideoOutcome } from '../../domain/video-job'
import type { ExchangedCalls, LimitScope, Line } from '../leased/exchange'
import { wholeCount } from '../sums/day-sums'

/** A row of `requests` as an exchange brings it; what is absent is null, or left as it is. */
type CallRow = Record<string, string | number | boolean | null | undefined>

/** Rows of one exchange, for `exchangeSql`. */
interface ExchangeRows {
  readonly calls: string
  readonly videos: string
}

const noRows: ExchangeRows = { calls: '[]', videos: '[]' }

/** One row for each call, whatever the exchange says of it. @param zoneDay the day in which a call began */
export function exchangeRowsOf(calls: ExchangedCalls | null, zoneDay: DayIn): ExchangeRows {
  if (calls === null) return noRows
  const { opened, reopened = [], owed = [], ended } = calls
  const rows = new Map<string, CallRow>()
  const rowOf = (opening: CallOpening, begins: boolean): CallRow => {
    let row = rows.get(opening.id)
    if (row === undefined) rows.set(opening.id, (row = openingOf(opening, zoneDay, begins)))
    return row
  }
  for (const opening of opened) rowOf(opening, true)
  for (const opening of reopened) {
    const { model, cardVersion } = opening
    Object.assign(rowOf(opening, false), { model, card_version: cardVersion })
  }
  for (const { opening, owed: due, held } of owed)
    Object.assign(rowOf(opening, false), measured(due, held), { owed: due.cost })
  const videos: object[] = []
  for (const { opening, ending, held, wasOpened, carried } of ended) {
    Object.assign(rowOf(opening, !wasOpened), endingOf(ending, held))
    if (carried) videos.push(videoOf(carried))
  }
  return { calls: JSON.stringify([...rows.values()]), videos: JSON.stringify(videos) }
}

const openingOf = (opening: CallOpening, zoneDay: DayIn, begins: boolean): CallRow => ({
  id: opening.id,
  account: opening.account,
  project: opening.project,
  key: opening.key,
  endpoint: opening.endpoint,
  model: opening.model,
  streamed: Number(opening.streamed),
  address: opening.address,
  created: opening.created,
  zone_day: zoneDay(opening.created),
  card_version: opening.cardVersion,
  status: 'pending',
  begins,
  notes: false,
  ends: false,
})

/** What is measured of a call, by now or in all. */
const measured = (
  { usage, vendor, vendorModel, vendorCost }: Omit<AccruedCost, 'cost'>,
  held: NanoUsd,
): CallRow => ({
  notes: true,
  vendor,
  vendor_model: vendorModel,
  input_tokens: wholeCount(inputTokens(usage)),
  output_tokens: wholeCount(outputTokens(usage)),
  cached_tokens: wholeCount(cachedTokens(usage)),
  reasoning_tokens: wholeCount(usage.reasoning),
  units: otherUnits(usage.units),
  estimated: Number(usage.estimated),
  held,
  vendor_cost: vendorCost?.amount,
  cost_card: vendorCost?.card,
  vendor_cost_estimated: Number(vendorCost?.estimated ?? false),
})

const endingOf = (ending: CallEnding, held: NanoUsd): CallRow => ({
  ...measured(ending, held),
  ends: true,
  status: ending.status,
  vendor_answer: ending.vendorAnswer,
  cost: ending.cost,
  unpaid: ending.unpaid === undefined ? null : JSON.stringify(ending.unpaid),
  error: ending.error,
  latency_ms: ending.latencyMs,
  first_byte_ms: ending.firstByteMs,
})

/** JSON of the units when the token counts do not say it all. */
function otherUnits(units: Units): string | null {
  for (const meter in units)
    if (meter !== 'input' && meter !== 'output' && meter !== 'cached_input')
      return JSON.stringify(units)
  return null
}

function videoOf({ to, row }: { readonly to: string; readonly row: object }): object {
  if (to !== 'videos') throw new Error(`nobody writes rows of ${to}`)
  const { id, accepted, due } = row as VideoOutcome
  if (accepted === null) return { id, accepted: false }
  const { status, progress, cost, vendor, vendorModel, vendorJob, vendorCredential } = accepted
  const maker = { vendor, vendor_model: vendorModel, vendor_job: vendorJob }
  return {
    id,
    accepted: true,
    status,
    progress,
    cost,
    ...maker,
    vendor_credential: vendorCredential,
    due: due ?? accepted.created,
  }
}

/** Limits of a minute; concurrency is only held. */
const minuteKinds: ReadonlySet<string> = new Set<LimitScope['kind']>([
  'requests',
  'counts',
  'operator-requests',
])
const steps = { open: 1, again: 2, done: 3 } as const

/** A line as a row. @param sold it takes part in slices, and is not only counted */
export const lineRow = (line: Line, sold: boolean, node: number): CallRow => {
  const { scope: name, limit, ask, ...rest } = line
  const [kind = '', id, period = ''] = name.split(' ')
  return {
    ...rest,
    name,
    account: kind === 'balance' ? Number(id) : null,
    cap: limit,
    sold,
    minute: minuteKinds.has(kind),
    ask: ask === null ? 0 : steps[ask],
    // All nodes count what the service spends: each in a row of its own, where nobody leases from it.
    part: kind === 'service-day' && !sold ? `service-day-of-${node} ${id} ${period}` : null,
  }
}
