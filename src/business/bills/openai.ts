import type { Decimal } from 'decimal.js'
import { Exact } from '../../gateway/metering/price-card'
import { allModels, type BillLine, type BillUnit, type BillUnits } from './bill'
import { amountCell, checkCurrency, countCell, dayCell } from './cells'
import { has, type BillFormat } from './format'

/*
 * OpenAI tells usage and costs apart: usage by model with calls and tokens, costs by line item
 * (`gpt-5-2025-08-07, input`). Both bill UTC days.
 *
 * Sources: API reference "Usage" and "Costs", developers.openai.com, as typed by the official client
 * `openai` 7.55.0 (resources/admin/organization/usage); the dashboard's exports
 * `completions_usage_*.csv` and `cost_*.csv` have the members of the same results as columns, as
 * published by users (2025-10, 2026-03).
 */

/**
 * Counts of a usage result. `input_tokens` holds what was read from and written to a cache.
 * @param count of a member; undefined where it is absent
 */
export function openaiUnits(count: (member: string) => number | undefined): BillUnits {
  const units: Partial<Record<BillUnit, number>> = {}
  const input = count('input_tokens') ?? 0
  const cached = count('input_cached_tokens')
  const written = count('input_cache_write_tokens') ?? 0
  if (cached === undefined) units.all_input = input
  else {
    units.input = Math.max(0, input - cached - written)
    units.cached_input = cached
    units.cache_write = written
  }
  units.output = count('output_tokens') ?? 0
  units.image = count('images') ?? 0
  units.character = count('characters') ?? 0
  units.audio_second = count('seconds') ?? 0
  return units
}

/** A line item: a model and what of it, or a charge of no model. */
function openaiLineItem(item: string): Pick<BillLine, 'model' | 'charge' | 'usdFor'> {
  const [, named, rest] = /^(\S+), ?(.+)$/.exec(item) ?? []
  if (named !== undefined && rest !== undefined) return { model: named, usdFor: unitOf(rest) }
  return /^\S+$/.test(item) ? { model: item } : { model: null, charge: item }
}

function unitOf(words: string): BillUnit | undefined {
  const text = words.toLowerCase().replaceAll('_', ' ')
  if (/cached/.test(text)) return 'cached_input'
  if (/cache write/.test(text)) return 'cache_write'
  if (/input/.test(text)) return 'input'
  return /output/.test(text) ? 'output' : undefined
}

const dayColumns = ['start_time_iso', 'start_time'] as const
const dayColumn = (columns: ReadonlySet<string>): string =>
  dayColumns.find((name) => columns.has(name)) ?? dayColumns[0]

const counters = ['input_tokens', 'images', 'characters', 'seconds', 'num_model_requests']

export const openaiUsageExport: BillFormat = {
  name: 'OpenAI usage export',
  zone: 'UTC',
  recognises: (columns) =>
    has(columns, 'start_time', 'end_time') && counters.some((name) => columns.has(name)),
  open({ columns }) {
    const day = dayColumn(columns)
    return {
      line(row) {
        // Days without usage have a row with nothing in it.
        if (counters.every((name) => row.cell(name) === '')) return null
        const calls = countCell(row, 'num_model_requests')
        return {
          day: dayCell(row, day, 'UTC'),
          model: row.cell('model') || allModels,
          units: openaiUnits((name) => countCell(row, name)),
          ...(calls === undefined ? {} : { calls }),
        }
      },
    }
  },
}

export const openaiCostExport: BillFormat = {
  name: 'OpenAI cost export',
  zone: 'UTC',
  recognises: (columns) => has(columns, 'start_time', 'amount_value'),
  open({ columns }) {
    const day = dayColumn(columns)
    return {
      line(row) {
        const usd = amountCell(row, 'amount_value')
        if (usd === null) return null
        checkCurrency(row.cell('amount_currency'))
        return costLine(dayCell(row, day, 'UTC'), row.cell('line_item'), usd)
      },
    }
  },
}

/** Dollars of a line item, or of a whole day where costs are not grouped. */
export const costLine = (day: string, item: string, usd: Decimal): BillLine => ({
  day,
  ...(item === '' ? { model: allModels } : openaiLineItem(item)),
  usd: new Exact(usd),
})
