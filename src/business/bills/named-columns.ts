import { allModels, type BillLine, type BillUnit } from './bill'
import { amountCell, checkCurrency, countCell, dayCell, type ExportRow } from './cells'
import { BillFault, quoted } from './fault'
import { columnName, type Heading, type OpenedFormat } from './format'

/** Roles of CSV columns, with the names they usually have. */
const columnRoles = {
  day: [
    'day',
    'date',
    'usage_date',
    'start_date',
    'start_time',
    'time',
    'timestamp',
    'created_at',
    'created',
    'period',
    'datetime',
  ],
  model: [
    'model',
    'model_name',
    'model_id',
    'model_version',
    'model_slug',
    'slug',
    'sku',
    'product',
    'resource',
    'line_item',
    'description',
    'item',
    'name',
  ],
  calls: [
    'calls',
    'requests',
    'request_count',
    'num_requests',
    'num_model_requests',
    'api_requests',
    'call_count',
    'count',
  ],
  input: ['input_tokens', 'prompt_tokens', 'input', 'tokens_in', 'context_tokens', 'tokens_prompt'],
  cached: [
    'cached_input_tokens',
    'cached_tokens',
    'cache_read_tokens',
    'input_cached_tokens',
    'cache_hit_tokens',
    'tokens_cached',
  ],
  cache_write: ['cache_write_tokens', 'cache_creation_tokens', 'cache_creation_input_tokens'],
  output: [
    'output_tokens',
    'completion_tokens',
    'output',
    'tokens_out',
    'generated_tokens',
    'tokens_completion',
  ],
  units: [
    'units',
    'quantity',
    'usage',
    'usage_amount',
    'total_tokens',
    'tokens',
    'characters',
    'seconds',
  ],
  amount: [
    'amount',
    'cost',
    'cost_usd',
    'amount_usd',
    'usd',
    'total_cost',
    'cost_total',
    'total',
    'price',
    'spend',
    'charge',
    'amount_value',
  ],
  currency: ['currency', 'amount_currency', 'currency_code'],
} as const satisfies Record<string, readonly string[]>

type ColumnRole = keyof typeof columnRoles

/** Which column holds what, as somebody says it. */
export type NamedColumns = Readonly<Partial<Record<ColumnRole, string>>>

/** `day=Date,model=Model name,amount=Cost` @throws RangeError */
export function parseColumns(text: string): NamedColumns {
  const named: Partial<Record<ColumnRole, string>> = {}
  for (const pair of text.split(',')) {
    const [role = '', ...rest] = pair.split('=')
    const title = rest.join('=').trim()
    if (!(role.trim() in columnRoles) || title === '')
      throw new RangeError(
        `columns are named as day=Date,model=Model,amount=Cost; there are: ${Object.keys(columnRoles).join(', ')}`,
      )
    named[role.trim() as ColumnRole] = title
  }
  return named
}

/**
 * A CSV whose columns somebody named, or that go by usual names.
 * @param zone whose days they are
 * @throws BillFault unknown_columns
 */
export function openNamedColumns(
  heading: Heading,
  named: NamedColumns,
  zone: string,
): OpenedFormat {
  const columns = columnsOf(heading, named)
  const { decimalComma } = heading
  const count = (row: ExportRow, role: ColumnRole) => {
    const column = columns[role]
    return column === undefined ? undefined : countCell(row, column, decimalComma)
  }
  // Amounts may be told without the zeroes of their cents.
  let decimals = 2
  return {
    line(row) {
      const { day, model, amount, currency } = columns
      // A total below the rows has no day.
      if (day === undefined || row.cell(day) === '') return null
      if (currency !== undefined) checkCurrency(row.cell(currency))
      const usd = amount === undefined ? null : amountCell(row, amount, decimalComma)
      if (usd !== null) decimals = Math.max(decimals, usd.decimalPlaces())
      const calls = count(row, 'calls')
      return {
        day: dayCell(row, day, zone),
        ...modelOf(model === undefined ? '' : row.cell(model)),
        units: unitsOf((role) => count(row, role), columns.cached !== undefined),
        ...(calls === undefined ? {} : { calls }),
        ...(usd === null ? {} : { usd }),
      }
    },
    // Cents everywhere are cents that were rounded.
    rounding: () => (decimals <= 4 ? `5e-${decimals + 1}` : null),
  }
}

const modelOf = (name: string): Pick<BillLine, 'model'> => ({ model: name || allModels })

function unitsOf(
  count: (role: ColumnRole) => number | undefined,
  reportsCached: boolean,
): Partial<Record<BillUnit, number>> {
  const input = count('input') ?? 0
  const cached = count('cached') ?? 0
  const written = count('cache_write') ?? 0
  const output = count('output') ?? 0
  const units: Partial<Record<BillUnit, number>> = { output }
  if (reportsCached) {
    units.input = Math.max(0, input - cached - written)
    units.cached_input = cached
    units.cache_write = written
  } else units.all_input = input + written
  // Beside tokens a total of them would count them twice.
  if (input + output === 0) units.unit = count('units') ?? 0
  return units
}

function columnsOf(heading: Heading, named: NamedColumns): NamedColumns {
  const byTitle = new Map(heading.titles.map((title) => [title.trim().toLowerCase(), title]))
  const found: Partial<Record<ColumnRole, string>> = {}
  for (const role of Object.keys(columnRoles) as ColumnRole[]) {
    const told = named[role]
    if (told !== undefined) {
      const title = byTitle.get(told.toLowerCase())
      if (title === undefined)
        throw new BillFault(
          'unknown_columns',
          `the file has no column “${quoted(told)}”: ${listOf(heading)}`,
        )
      found[role] = columnName(title)
    } else {
      const usual = columnRoles[role].find((name) => heading.columns.has(name))
      if (usual !== undefined && !Object.values(found).includes(usual)) found[role] = usual
    }
  }
  const counts = (['amount', 'calls', 'input', 'output', 'units'] as const).some(
    (role) => role in found,
  )
  if (found.day === undefined || !counts)
    throw new BillFault(
      'unknown_columns',
      `no export that is known has these columns: name them with --columns day=…,model=…,amount=… (and calls, input, cached, cache_write, output, units, currency); ${listOf(heading)}`,
    )
  return found
}

const maxListed = 12

function listOf({ titles }: Heading): string {
  const shown = titles.slice(0, maxListed).map(quoted).join(', ')
  return `it has ${shown}${titles.length > maxListed ? ` and ${titles.length - maxListed} more` : ''}`
}
