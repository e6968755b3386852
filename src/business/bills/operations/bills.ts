import { Type } from '@sinclair/typebox'
import type { Bill } from '../bill'
import { isZone } from '../days'
import { parseColumns } from '../named-columns'
import { csvLine } from '../../../domain/csv-line'
import { latinDigits } from '../../../domain/digits'
import { AdminError } from '../../operations/admin-error'
import { checkBill } from '../bill-check'
import { usableBill } from '../bill-fault'
import { billReport, dayLines } from '../bill-report'
import { billFromExports, fetchBill } from '../bill-sources'
import { uploadedExports, type UploadedFile } from '../uploaded-exports'
import { textForms } from '../../operations/refusals/text-forms'
import { billCheckCommand } from './bill-commands'
import { BillView, type CheckedBill } from './bill-fields'
import { allOf, oneOrMore, said } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { cataloguePartsOf, type KeptParts } from '../../operations/parts'

const VendorName = Type.String({ minLength: 1, maxLength: 64 })
/** A file's name and its length. */
const FileText = Type.String({ minLength: 1, maxLength: 300 })

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

function readMonth(typed: string): string {
  const text = latinDigits(typed)
  if (!new RegExp(textForms.month).test(text))
    throw new RangeError('A month is needed, such as 2026-10.')
  return text
}

function readZone(text: string): string {
  if (!isZone(text)) throw new RangeError('A time zone is needed, such as UTC or Europe/Berlin.')
  return text
}

function readTolerance(typed: string): string {
  const text = latinDigits(typed).replace(/%$/, '')
  if (!new RegExp(textForms.tolerance).test(text) || Number(text) > maxTolerance)
    throw new RangeError('Percent are needed, from 0 to 100.')
  return text
}

function readColumns(text: string): string {
  parseColumns(text)
  return text
}

const month = asOption(Type.String({ pattern: textForms.month }), 'YYYY-MM', {
  option: 'month <month>',
  read: readMonth,
})

const tolerance = asOption(
  Type.String({ pattern: textForms.tolerance, default: '1' }),
  'difference that is tolerated, in percent from 0 to 100',
  { option: 'tolerance <percent>', read: readTolerance },
)

/** @throws AdminError input_invalid */
function toleranceOf(text: string): number {
  const percent = Number(text)
  if (percent > maxTolerance)
    throw new AdminError('input_invalid', {
      field: 'tolerance',
      rule: 'too_large',
      limit: maxTolerance,
    })
  return percent
}

interface CheckQuery {
  readonly vendor: string | readonly string[]
  readonly month: string
  readonly tolerance: string
}

/** @throws AdminError bill_unusable | vendor_not_found */
async function checked(
  parts: KeptParts,
  query: CheckQuery,
  read: (catalogue: Awaited<ReturnType<typeof cataloguePartsOf>>) => Promise<Bill>,
): Promise<CheckedBill> {
  const percent = toleranceOf(query.tolerance)
  await parts.service.flush()
  return await usableBill(async () => {
    const catalogue = await cataloguePartsOf(parts)
    const report = billReport(
      await checkBill(catalogue, await read(catalogue), {
        vendors: [...new Set(allOf(query.vendor))],
        month: query.month,
        tolerance: percent,
        now: parts.service.clock.now(),
      }),
    )
    return { ...report, csv: [...dayLines(report.days).map(csvLine), ''].join('\r\n') }
  })
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
      vendor: asOption(
        oneOrMore(VendorName),
        'whose bill it is; several where they are keys of one organization',
        { option: 'vendor <name>', isRepeated: true },
      ),
      month,
      /** `NAME`, or `NAME:BYTES` for each file of a body that has several. */
      file: Type.Optional(
        asOption(
          oneOrMore(FileText),
          'an export of the vendor (CSV), - for standard input; usage and costs may be files of their own',
          { option: 'file <path>', isRepeated: true },
        ),
      ),
      columns: Type.Optional(
        asOption(
          Type.String({ maxLength: 1000 }),
          'what columns of a CSV hold: day=Date,model=Model,amount=Cost; also calls, input, cached, cache_write, output, units, currency',
          { option: 'columns <list>', read: readColumns },
        ),
      ),
      zone: asOption(
        Type.String({ maxLength: 60, default: 'UTC' }),
        'time zone of days in a CSV of no known vendor',
        { option: 'zone <name>', read: readZone },
      ),
      tolerance,
    },
    maxUploadMb: 256,
    commands: [billCheckCommand],
    result: BillView,
    async run(parts, { query, upload }) {
      const { zone } = query
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
      return await checked(parts, query, () =>
        billFromExports(uploadedExports(upload, files), query.month, { columns, zone }),
      )
    },
  }),
  operation({
    name: 'bill.fetch',
    method: 'POST',
    path: '/bills/fetch',
    role: 'staff',
    about: 'Compare the bill that a vendor tells by its API with our records',
    query: {
      /** OpenAI, Anthropic or OpenRouter. */
      vendor: oneOrMore(VendorName, 1),
      month,
      tolerance,
    },
    body: {
      key: asOption(
        Type.String({ minLength: 1, maxLength: 1000, pattern: textForms.vendor_key }),
        'read an admin key for --fetch from standard input; it is not kept',
        { fromStdin: true },
      ),
    },
    result: BillView,
    async run(parts, { query, body }) {
      const { clock, getReport } = parts.service
      const [vendor = ''] = allOf(query.vendor)
      return await checked(parts, query, (catalogue) =>
        fetchBill(catalogue, vendor, {
          month: query.month,
          key: body.key,
          now: clock.now(),
          get: getReport,
          wait: Bun.sleep,
        }),
      )
    },
  }),
] as const
