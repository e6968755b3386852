import type { ListShape } from '../../business/operations/command'
import type { Operation } from '../../business/operations/operation'
import { csvLine } from '../../domain/csv-line'
import { printWithCaps } from '../local/caps-view'
import { limitOf, printList, printShown, shownOf, type LongListOptions } from '../kit/listing'
import { withLocalTimes } from '../../domain/local-time'
import {
  printError,
  printFields,
  printJson,
  printLine,
  printStream,
  printTable,
} from '../kit/output'
import type { RunOperation } from '../kit/place'
import type { Sent } from '../remote/over-http'
import type { AnyForm } from './field-options'

/** Runs the operation of a command, and prints its answer. */
export async function printAnswer(
  run: RunOperation,
  row: Operation,
  form: AnyForm,
  sent: Sent,
  options: LongListOptions,
): Promise<void> {
  const { list, said, object, formerNames = () => ({}) } = form
  const view = (each: object) => ({ ...each, object, ...formerNames(each) })
  if (list === undefined) {
    const query = options.csv === true ? { ...form.fileQuery, ...sent.query } : sent.query
    const answer = (await run(row, { ...sent, query })) as Readonly<Record<string, unknown>>
    if (form.fails?.(answer) === true) process.exitCode = 1
    if (options.csv === true && form.file !== undefined)
      return await printStream(form.file(answer).map(csvLine))
    const subject = form.subject === undefined ? answer : form.subject(answer)
    if (options.json) return printJson(subject === null ? null : view(subject))
    if (said !== undefined) return printSaid(said(answer, { ...options }))
    if ('caps' in answer) return printWithCaps(answer as never, { data: options.data })
    return printFields({ ...subject })
  }
  if (list.pages === null) {
    const whole = (await run(row, sent)) as RowsPage
    if (form.fails?.(whole) === true) process.exitCode = 1
    const all = whole.data.map(view)
    const isSaid = list.none !== undefined && all.length === 0 && !options.json && !options.csv
    if (isSaid) return printLine(list.none)
    if (list.isNewestFirst === true) await printShown(options, shownOf(all, options), list)
    else await printList(options, all, list)
    if (!options.json && said !== undefined) printSaid(said(whole, { ...options }))
    return
  }
  const pages = pagesOf(run, row, list.pages, sent)
  if (form.aroundRows !== undefined && options.csv !== true)
    return printWhole(await Array.fromAsync(pages), form, options)
  const rows = rowsOf(pages)
  if (list.isNewestFirst !== true) {
    // Answers that go backwards are shown by number.
    const all = list.pages === 'before' ? (await Array.fromAsync(rows)).toReversed() : rows
    return await printList(options, mapped(all, view), list)
  }
  const isWhole = list.isWhole === true || (options.csv === true && options.limit === undefined)
  if (isWhole) return await printList(options, mapped(rows, view), list)
  const limit = limitOf(options)
  // One more tells whether there are more.
  const most = list.isUntold === true ? limit : limit + 1
  const some = await taken(rows, list.isCounted === true ? Number.MAX_SAFE_INTEGER : most)
  if (list.countBy !== undefined && some.length > limit) {
    const query = { ...sent.query, [list.countBy]: 'true', max: '1' }
    const { count } = (await run(row, { ...sent, query })) as { readonly count: number }
    return await printShown(
      options,
      { rows: some.slice(0, limit).map(view), more: count - limit },
      list,
    )
  }
  await printShown(options, shownOf(some.map(view), options), list)
}

function printSaid({ fields, stdout, stderr = [] }: ReturnType<NonNullable<AnyForm['said']>>) {
  if (fields !== undefined) printFields(fields)
  for (const line of stdout)
    if (typeof line === 'string') printLine(withLocalTimes(line))
    else printTable(line)
  for (const line of stderr) printError(line)
}

interface RowsPage {
  readonly data: readonly object[]
  readonly next?: string | number | null
}

const maxInPage = '200'

/** All pages of a list as one answer. */
function printWhole(pages: readonly RowsPage[], form: AnyForm, options: LongListOptions): void {
  const { list, said, object, aroundRows } = form
  const data = pages.flatMap((page) => page.data)
  const whole = { object, ...aroundRows?.(pages), data }
  if (options.json) return printJson(whole)
  if (list !== undefined) printTable([list.heading, ...data.map(list.cells)])
  if (said !== undefined) printSaid(said(whole, { ...options }))
}

/** Pages of a list as they are taken. */
async function* pagesOf(
  run: RunOperation,
  row: Operation,
  pages: NonNullable<ListShape<object>['pages']>,
  sent: Sent,
): AsyncGenerator<RowsPage> {
  let next: RowsPage['next'] = undefined
  do {
    const at: Readonly<Record<string, string>> = next === undefined ? {} : { [pages]: String(next) }
    const query = { ...sent.query, ...at, max: maxInPage }
    const page = (await run(row, { ...sent, query })) as RowsPage
    yield page
    next = page.next ?? null
  } while (next !== null)
}

async function* rowsOf(pages: AsyncIterable<RowsPage>): AsyncGenerator<object> {
  for await (const { data } of pages) yield* data
}

async function* mapped<From, To>(
  rows: Iterable<From> | AsyncIterable<From>,
  of: (row: From) => To,
): AsyncGenerator<To> {
  for await (const row of rows) yield of(row)
}

async function taken<Row>(rows: AsyncIterable<Row>, max: number): Promise<readonly Row[]> {
  const some: Row[] = []
  for await (const row of rows) if (some.push(row) >= max) break
  return some
}
