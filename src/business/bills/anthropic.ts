import { Exact } from '../../gateway/metering/price-card'
import { allModels, type BillUnit, type BillUnits } from './bill'
import { amountCell, countCell, dayCell } from './cells'
import { has, type BillFormat } from './format'

/*
 * Anthropic tells tokens and costs apart, both by UTC days and without a number of calls.
 *
 * Sources: Admin API, "Get Messages Usage Report" and "Get Cost Report", platform.claude.com
 * (read 2026-11-23); the console's exports `claude_api_tokens_*.csv` and `claude_api_cost_*.csv`,
 * as published by users (2026-03 to 2026-08). The console rounds each row of costs to the cent, and
 * names models for people (`Claude Sonnet 4.5`).
 */

/** Kinds of tokens by their names in the cost report and the console's export. */
const tokenTypes: Readonly<Record<string, BillUnit>> = {
  uncached_input_tokens: 'input',
  input_no_cache: 'input',
  cache_read_input_tokens: 'cached_input',
  input_cache_read: 'cached_input',
  'cache_creation.ephemeral_5m_input_tokens': 'cache_write',
  input_cache_write_5m: 'cache_write',
  'cache_creation.ephemeral_1h_input_tokens': 'cache_write',
  input_cache_write_1h: 'cache_write',
  output_tokens: 'output',
  output: 'output',
}

export const anthropicUnit = (tokenType: string): BillUnit | undefined => tokenTypes[tokenType]

/** Half a cent. */
const halfCent = new Exact('0.005')

const tokens = 'usage_input_tokens_no_cache'

export const anthropicTokenExport: BillFormat = {
  name: 'Anthropic token export',
  zone: 'UTC',
  recognises: (columns) => has(columns, 'usage_date_utc', 'model_version', tokens),
  open: () => ({
    line: (row) => ({
      day: dayCell(row, 'usage_date_utc', 'UTC'),
      model: row.cell('model_version') || allModels,
      units: exportedUnits((name) => countCell(row, name) ?? 0),
    }),
  }),
}

const exportedUnits = (count: (column: string) => number): BillUnits => ({
  input: count(tokens),
  cached_input: count('usage_input_tokens_cache_read'),
  cache_write:
    count('usage_input_tokens_cache_write_5m') + count('usage_input_tokens_cache_write_1h'),
  output: count('usage_output_tokens'),
  tool: count('web_search_count'),
})

export const anthropicCostExport: BillFormat = {
  name: 'Anthropic cost export',
  zone: 'UTC',
  recognises: (columns) => has(columns, 'usage_date_utc', 'model', 'cost_usd'),
  open: () => ({
    line(row) {
      const usd = amountCell(row, 'cost_usd')
      if (usd === null) return null
      const day = dayCell(row, 'usage_date_utc', 'UTC')
      const model = row.cell('model')
      const cost = { usd, rounding: halfCent }
      return model === ''
        ? { day, model: null, charge: row.cell('cost_type') || row.cell('usage_type'), ...cost }
        : { day, model, usdFor: anthropicUnit(row.cell('token_type')), ...cost }
    },
  }),
}
