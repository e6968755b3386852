import { basename } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { checkBill } from '../../admin/bill-check'
import { billFromExports, fetchBill } from '../../admin/bill-sources'
import { isZone } from '../../bills/days'
import { parseColumns, type NamedColumns } from '../../bills/named-columns'
import { systemClock } from '../../domain/clock'
import { latinDigits } from '../../domain/digits'
import { getReport } from '../../outbound/get-report'
import { filePieces, isNamedFile, stdinPieces, stdinText } from '../kit/session'
import { branch, leaf, read, refusing } from '../kit/leaf'
import type { ListOptions } from '../kit/listing'
import { endProgress, printProgress } from '../kit/output'
import { showBill } from './bill-view'
import { withService, type CommandParts } from './with-service'

interface CheckOptions extends ListOptions {
  readonly vendor: readonly string[]
  readonly month: string
  readonly file?: readonly string[]
  readonly fetch?: true
  readonly keyStdin?: true
  readonly columns?: NamedColumns
  readonly zone?: string
  readonly tolerance: number
  readonly group: 'model' | 'day'
}

/** `bill`: what vendors bill, beside our records. */
export function billCommand(program: Command): void {
  const bill = branch(program, 'bill', 'Check vendors’ bills against our records')

  leaf(
    bill,
    'check',
    'compare a vendor’s bill with our records, by day and model; exits 1 where they differ by more than tolerated',
    'bill check --vendor openai --month 2026-10 --file cost.csv --file usage.csv\n  chapar bill check --vendor openai --month 2026-10 --fetch --key-stdin < admin-key',
  )
    .requiredOption(
      '--vendor <name>',
      'whose bill it is; several where they are keys of one organization',
      read.list,
    )
    .requiredOption('--month <month>', 'YYYY-MM', readMonth)
    .option(
      '--file <path>',
      'an export of the vendor (CSV), - for standard input; usage and costs may be files of their own',
      read.list,
    )
    .option('--fetch', 'ask the vendor: OpenAI, Anthropic, OpenRouter')
    .option('--key-stdin', 'read an admin key for --fetch from standard input; it is not kept')
    .option(
      '--columns <list>',
      'what columns of a CSV hold: day=Date,model=Model,amount=Cost; also calls, input, cached, cache_write, output, units, currency',
      (text) => refusing(() => parseColumns(text)),
    )
    .option(
      '--zone <name>',
      'time zone of days in a CSV of no known vendor (default: UTC)',
      readZone,
    )
    .option('--tolerance <percent>', 'difference that is tolerated', readPercent, 1)
    .addOption(
      new Option('--group <what>', 'one line for each').choices(['model', 'day']).default('model'),
    )
    .addOption(
      new Option('--csv', 'print comma-separated values, a row for each day and model').conflicts(
        'json',
      ),
    )
    .action(check)
}

function readMonth(typed: string): string {
  const text = latinDigits(typed)
  if (!/^20\d{2}-(?:0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('A month is needed, such as 2026-10.')
  return text
}

function readZone(text: string): string {
  if (!isZone(text))
    throw new InvalidArgumentError('A time zone is needed, such as UTC or Europe/Berlin.')
  return text
}

function readPercent(typed: string): number {
  const text = latinDigits(typed).replace(/%$/, '')
  if (!/^\d{1,3}(?:\.\d{1,6})?$/.test(text) || Number(text) > 100)
    throw new InvalidArgumentError('Percent are needed, from 0 to 100.')
  return Number(text)
}

async function check(options: CheckOptions, command: Command): Promise<void> {
  checkUse(options, command)
  const { vendor: vendors, month, tolerance } = options
  const now = systemClock.now()
  const result = await withService(options, async (parts) => {
    try {
      const bill = await (options.fetch ? fetched(parts, options) : fromFiles(options))
      return await checkBill(parts, bill, {
        vendors: [...new Set(vendors)],
        month,
        tolerance,
        now,
        onDay: (done, all) => printProgress(`reading our records: day ${done + 1} of ${all}`),
      })
    } finally {
      endProgress()
    }
  })
  if (!result.within) process.exitCode = 1
  await showBill(result, options)
}

/** Ends with exit code 2 where options do not go together. */
function checkUse(
  { file, fetch, keyStdin, vendor, columns }: CheckOptions,
  command: Command,
): void {
  if ((file === undefined) === (fetch === undefined))
    command.error('error: give the bill with --file, or have it fetched with --fetch')
  if (fetch && !keyStdin) command.error('error: --fetch wants an admin key: --key-stdin < file')
  if (keyStdin && !fetch) command.error('error: --key-stdin goes with --fetch')
  if (columns !== undefined && fetch) command.error('error: --columns goes with --file')
  if (fetch && new Set(vendor).size > 1)
    command.error('error: --fetch asks one vendor: give the others’ exports with --file')
  const missing = file?.find((path) => path !== '-' && !isNamedFile(path))
  if (missing !== undefined) command.error(`error: there is no file ${missing}`)
  if ((file?.filter((path) => path === '-').length ?? 0) > 1)
    command.error('error: standard input is read once')
}

async function fromFiles({ file = [], month, columns, zone = 'UTC' }: CheckOptions) {
  const exports = file.map((path) =>
    path === '-'
      ? { name: 'standard input', bytes: stdinPieces() }
      : { name: basename(path), bytes: filePieces(path) },
  )
  return await billFromExports(exports, month, {
    columns: columns ?? null,
    zone,
    onBytes: (count) => printProgress(`reading the bill: ${Math.floor(count / 1e6)} MB`),
  })
}

async function fetched(parts: CommandParts, { vendor, month }: CheckOptions) {
  const [name = ''] = vendor
  const key = (await stdinText()).trim()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new RangeError('standard input holds no key')
  return await fetchBill(parts, name, {
    month,
    key,
    now: systemClock.now(),
    get: getReport,
    wait: Bun.sleep,
    onPage: (pages) => printProgress(`asking the vendor: page ${pages}`),
  })
}
