import { Exact } from '../../gateway/metering/price-card'
import type { BillLine, BillUnit } from './bill'
import { amountCell, checkCurrency, countCell, dayCell } from './cells'
import { has, type BillFormat, type Heading } from './format'

/*
 * Google bills models as SKUs of a service, without a number of calls, by days of Pacific time.
 *
 * Sources: "View and download the cost details of your invoice or statement" and "Structure of
 * Standard data export", docs.cloud.google.com (read 2026-11-23); columns of the downloaded cost
 * table and texts of SKUs (`Generate content input token count gemini 3.7 flash text`) as published
 * by users (2026-07 to 2026-10).
 */

const zone = 'America/Los_Angeles'

/** Services that sell models; the rest of a cloud's bill is not ours to check. */
const modelServices = /^(?:gemini api|generative language api|vertex ai.*|gemini enterprise.*)$/i

const tokenCount =
  /^(?:generate ?content|embed ?content|\S+)?\s*(?:text |image |audio |video )?(cached input|cached content|input|output) token count (?:for )?(.+)$/i
const vertexText = /^(gemini \S+(?: \S+)*?) (.*\b(input|output)\b.*)$/i

/** A SKU's text: a model and what of it, or a charge of no model. */
function googleSku(text: string): Pick<BillLine, 'model' | 'charge'> & {
  readonly unit?: BillUnit
} {
  const sku = text.trim()
  const [, kind, named] = tokenCount.exec(sku) ?? []
  if (kind !== undefined && named !== undefined)
    return { model: modelName(named), unit: unitOf(kind) }
  const [, vertex, use] = vertexText.exec(sku.replace(/ - predictions$/i, '')) ?? []
  if (vertex !== undefined && use !== undefined)
    return { model: modelName(vertex), unit: unitOf(use) }
  return { model: null, charge: sku }
}

/** Kept with how it was used where a model may be called so: `gemini-2.5-flash-image`. */
const modelName = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, '-')

function unitOf(words: string): BillUnit {
  if (/cach/i.test(words)) return 'cached_input'
  return /output/i.test(words) ? 'output' : 'input'
}

/** The first of them that the file has. */
const oneOf = (columns: ReadonlySet<string>, names: readonly string[]): string | undefined =>
  names.find((name) => columns.has(name))

const days = ['usage_start_time', 'usage_start_date', 'date', 'usage_date', 'day']
/** The exact one first. */
const amounts = ['unrounded_subtotal', 'subtotal', 'cost']
const usages = ['usage_amount_in_pricing_units', 'usage_amount']

export const googleExport: BillFormat = {
  name: 'Google Cloud billing export',
  zone,
  recognises: (columns) =>
    has(columns, 'service_description', 'sku_description') &&
    oneOf(columns, days) !== undefined &&
    oneOf(columns, amounts) !== undefined,
  open(heading) {
    const { columns } = heading
    const day = oneOf(columns, days) ?? ''
    const amount = oneOf(columns, amounts) ?? ''
    const usage = oneOf(columns, usages.toReversed()) ?? ''
    const rounding = amount === 'subtotal' ? new Exact('0.005') : new Exact('0.0000005')
    checkCurrency(currencyOf(heading, amount))
    let others = 0
    let otherUsd = new Exact(0)
    return {
      line(row) {
        // Totals at the end repeat what stands above them.
        if (row.cell(day) === '') return null
        const usd = amountCell(row, amount) ?? new Exact(0)
        checkCurrency(row.cell('currency'))
        if (!modelServices.test(row.cell('service_description'))) {
          others++
          otherUsd = otherUsd.plus(usd)
          return null
        }
        const { unit, ...of } = googleSku(row.cell('sku_description'))
        const count = countCell(row, usage) ?? 0
        const counted = unit === undefined ? {} : { units: { [unit]: count }, usdFor: unit }
        return { day: dayCell(row, day, zone), ...of, usd, rounding, ...counted }
      },
      notes: () =>
        others === 0
          ? []
          : [`${others} lines of other Google services ($${otherUsd.toFixed(2)}) were left out`],
    }
  },
}

/** As its title tells: `Subtotal (€)`. */
const currencyOf = ({ titles }: Heading, amount: string): string =>
  titles
    .map((title) => /^(.*?)\s*\(([^)]+)\)\s*$/.exec(title))
    .find((found) => found?.[1]?.toLowerCase().replaceAll(' ', '_') === amount)?.[2] ?? ''
