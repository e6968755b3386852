import { Type } from '@sinclair/typebox'
import { isZone } from '../../bills/days'
import { findingKinds } from '../../bills/explain'
import { parseColumns } from '../../bills/named-columns'
import { AdminError } from '../admin-error'
import { checkBill } from '../bill-check'
import { usableBill } from '../bill-fault'
import { billLines, billReport } from '../bill-report'
import { billFromExports } from '../bill-sources'
import { uploadedExports, type UploadedFile } from '../uploaded-exports'
import { textForms } from '../refusals/text-forms'
import { allOf, oneOrMore, orNull, said } from './fields'
import { operation } from './operation'
import { cataloguePartsOf } from './parts'

const text = Type.String()
const count = orNull(Type.Number())

const comparison = {
  calls: count,
  billed_calls: count,
  usd: orNull(text),
  billed_usd: orNull(text),
  /** Billed less ours. */
  difference_usd: orNull(text),
  difference_percent: orNull(text),
  units: Type.Record(Type.String(), Type.Object({ ours: count, billed: count })),
  beyond_tolerance: Type.Boolean(),
}

const BillView = Type.Object({
  vendors: Type.Array(text),
  month: text,
  zone: text,
  sources: Type.Array(text),
  from: text,
  to: text,
  tolerance_percent: Type.Number(),
  within_tolerance: Type.Boolean(),
  total: Type.Object(comparison),
  models: Type.Array(Type.Object({ model: text, ...comparison })),
  days: Type.Array(Type.Object({ day: text, model: text, ...comparison })),
  /** What makes up the difference, the dearest first. */
  findings: Type.Array(
    Type.Object({
      kind: Type.Union(findingKinds.map((kind) => Type.Literal(kind))),
      model: orNull(text),
      charge: orNull(text),
      days: Type.Array(text),
      usd: orNull(text),
      calls: count,
      units: Type.Record(Type.String(), Type.Number()),
      prices: Type.Array(
        Type.Object({
          unit: orNull(text),
          per: Type.Number(),
          charged: text,
          ours: orNull(text),
        }),
      ),
      /** How many calls of ours may be the reason. */
      suspects: Type.Integer(),
      requests: Type.Array(
        Type.Object({
          id: text,
          status: text,
          error: orNull(text),
          vendor_cost_usd: orNull(text),
        }),
      ),
    }),
  ),
  notes: Type.Array(text),
  /** Days as lines of CSV, as `bill check --csv` prints them. */
  csv: text,
})

const VendorNames = Type.String({ minLength: 1, maxLength: 64 })
const FileText = Type.String({ minLength: 1, maxLength: 250 })

const maxTolerance = 100

/** `NAME` or `NAME:BYTES`. */
function fileOf(text: string): UploadedFile {
  const [, name = text, bytes] = /^(.+):(\d{1,12})$/s.exec(text) ?? []
  return { name, bytes: bytes === undefined ? null : Number(bytes) }
}

/** @throws AdminError input_invalid where nobody can tell where a file ends */
function filesOf(named: readonly string[]): readonly UploadedFile[] {
  const files = named.map(fileOf)
  if (files.slice(0, -1).some(({ bytes }) => bytes === null))
    throw new AdminError('input_invalid', { field: 'file', rule: 'bad_form', form: 'bill_files' })
  return files
}

export const billOperations = [
  operation({
    name: 'bill.check',
    method: 'POST',
    path: '/bills/check',
    role: 'staff',
    about:
      'Compare a vendor’s bill with our records: the body is its export (CSV), or several in a row',
    query: {
      /** Whose bill it is; repeated where they are keys of one organization. */
      vendor: oneOrMore(VendorNames),
      month: Type.String({ pattern: textForms.month }),
      /** `NAME`, or `NAME:BYTES` for each file of a body that has several. */
      file: Type.Optional(oneOrMore(FileText)),
      /** What columns hold: `day=Date,model=Model,amount=Cost`. */
      columns: Type.Optional(Type.String({ maxLength: 1000 })),
      /** Of days in a CSV of no known vendor. */
      zone: Type.String({ maxLength: 60, default: 'UTC' }),
      /** Percent, from 0 to 100. */
      tolerance: Type.String({ pattern: textForms.tolerance, default: '1' }),
    },
    maxUploadMb: 256,
    result: BillView,
    async run(parts, { query, upload }) {
      const { month, zone } = query
      const tolerance = Number(query.tolerance)
      if (tolerance > maxTolerance)
        throw new AdminError('input_invalid', {
          field: 'tolerance',
          rule: 'too_large',
          limit: maxTolerance,
        })
      if (!isZone(zone))
        throw new AdminError('input_invalid', {
          field: 'zone',
          rule: 'bad_form',
          form: 'time_zone',
        })
      const columns =
        query.columns === undefined
          ? null
          : said('columns', { rule: 'bad_form', form: 'bill_columns' }, () =>
              parseColumns(query.columns ?? ''),
            )
      const files = filesOf(allOf(query.file ?? 'export.csv'))
      await parts.service.flush()
      return await usableBill(async () => {
        const exports = uploadedExports(upload, files)
        const bill = await billFromExports(exports, month, { columns, zone })
        const vendors = [...new Set(allOf(query.vendor))]
        const now = parts.service.clock.now()
        const check = await checkBill(await cataloguePartsOf(parts), bill, {
          vendors,
          month,
          tolerance,
          now,
        })
        return { ...billReport(check), csv: [...billLines(check), ''].join('\r\n') }
      })
    },
  }),
] as const
