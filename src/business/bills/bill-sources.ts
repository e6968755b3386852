import { BillCollector, type Bill } from './bill'
import { BillFault } from './fault'
import { readExport, type ExportOptions } from './read-export'
import type { GetReport } from './report-pages'
import { reportOf } from './reports'
import { daysOfMonth } from './days'
import type { Ms } from '../../domain/clock'
import type { ServiceParts } from '../data/service-parts'
import { vendorNamed } from '../catalogue/vendors'

/** A file or an upload. */
export interface BillExport {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * A bill from exports of a vendor: usage and costs may be files of their own.
 * @param month `YYYY-MM`
 * @throws BillFault
 */
export async function billFromExports(
  exports: readonly BillExport[],
  month: string,
  options: Omit<ExportOptions, 'name'>,
): Promise<Bill> {
  const collector = new BillCollector(month)
  for (const { name, bytes } of exports) await readExport(bytes, collector, { ...options, name })
  return collector.bill()
}

/** How a bill is fetched; what goes out is handed in. */
interface FetchOptions {
  readonly month: string
  /** An admin key: used and forgotten. */
  readonly key: string
  readonly now: Ms
  readonly get: GetReport
  readonly wait: (ms: number) => Promise<void>
}

/**
 * A bill as the vendor's own API tells it, at the address where its calls go.
 * @throws AdminError vendor_not_found
 * @throws BillFault
 */
export async function fetchBill(
  parts: ServiceParts,
  name: string,
  { month, now, ...ways }: FetchOptions,
): Promise<Bill> {
  const vendor = await vendorNamed(parts, name)
  const report = reportOf(vendor)
  if (report === null)
    throw new BillFault(
      'no_report',
      `${name} (${vendor.dialect}) tells no bill by its API; OpenAI, Anthropic and OpenRouter do: export it there, and give it with --file`,
    )
  const days = daysOfMonth(month, 'UTC', now)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined)
    throw new BillFault('other_month', `no day of ${month} is over yet`)
  const collector = new BillCollector(month)
  await report.collect(
    { ...ways, baseUrl: vendor.baseUrl },
    { from: first.from, to: last.to, now },
    collector,
  )
  return collector.bill()
}
