import { InvalidArgumentError, type Command } from 'commander'
import { changeView } from '../../admin/price-change-view'
import { priceChange, priceChanges } from '../../admin/price-changes'
import { approvePrices, rejectPrices, type ProposalChoice } from '../../admin/price-proposals'
import type { Ms } from '../../domain/clock'
import type { Proposal } from '../../pricing/proposals'
import { branch, leaf, read, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { localTime } from '../kit/local-time'
import { printFields, printJson, printLine, printTable } from '../kit/output'
import { pricesCheckCommand } from './prices-check'
import { changeFields, changeRow } from './prices-view'
import { withService } from './with-service'

interface ChoiceOptions extends CommonOptions {
  readonly all?: true
}

interface ApproveOptions extends ChoiceOptions {
  readonly from?: Ms
}

/** `prices`: what public data tell of prices, and changes that wait for a decision. */
export function pricesCommand(program: Command): void {
  const prices = branch(program, 'prices', 'Check public prices, decide on price changes')

  pricesCheckCommand(prices)

  withCsv(leaf(prices, 'list', 'list changes that wait for a decision', 'prices list')).action(list)

  leaf(prices, 'show', 'show one change and what it comes to', 'prices show 12')
    .argument('<id>', 'number of the change', read.id)
    .action(show)

  withChoice(
    leaf(prices, 'approve', 'do what is proposed', 'prices approve 12 13 --from 2026-12-01'),
  )
    .option('--from <day>', 'a day or time from which on it holds (default: now)', dayOf)
    .action(approve)

  withChoice(leaf(prices, 'reject', 'leave prices as they are', 'prices reject 12')).action(reject)
}

const withChoice = (command: Command): Command =>
  command.argument('[id...]', 'numbers of changes', readIds).option('--all', 'all that wait')

function readIds(text: string, earlier: readonly number[] | undefined): readonly number[] {
  return [...(earlier ?? []), read.id(text)]
}

function dayOf(text: string): Ms {
  const time = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new InvalidArgumentError('A day (2026-12-01) or a time is needed.')
  return time as Ms
}

/** @throws RangeError where nothing is named */
function choiceOf(ids: readonly number[] | undefined, { all }: ChoiceOptions): ProposalChoice {
  if (all) return 'all'
  if (ids === undefined || ids.length === 0)
    throw new RangeError('say which: numbers of changes, or --all; see chapar prices list')
  return ids
}

async function list(options: ListOptions): Promise<void> {
  const changes = await withService(options, priceChanges)
  if (changes.length === 0 && !options.json && !options.csv)
    return printLine('no price change waits for a decision')
  await printList(options, changes.map(changeView), form)
}

const form: ListForm<ReturnType<typeof changeView>> = {
  columns: [
    'id',
    'kind',
    'model',
    'cause',
    'created',
    'vendor',
    'vendor_model',
    'sources',
    'cost',
    'cost_proposed',
    'pricing',
    'pricing_proposed',
    'margin_percent',
    'calls_30d',
  ],
  heading: ['ID', 'MODEL', 'CHANGE (USD)', 'MARKUP', 'CALLS 30D', 'CAUSE'],
  cells: changeRow,
}

async function show(id: number, options: CommonOptions): Promise<void> {
  const change = await withService(options, (parts) => priceChange(parts, id))
  if (options.json) return printJson(changeView(change))
  const { fields, prices, models } = changeFields(change)
  printFields(fields)
  for (const table of [prices, models])
    if (table.length > 1) {
      printLine()
      printTable(table)
    }
}

async function approve(ids: readonly number[] | undefined, options: ApproveOptions): Promise<void> {
  const choice = choiceOf(ids, options)
  const from = options.from ?? null
  const decided = await withService(options, (parts) =>
    approvePrices(parts, choice, { from, by: operator() }),
  )
  const when = from === null ? 'from now on' : `from ${localTime(from)} on`
  tell(decided, 'approved', when, options)
}

async function reject(ids: readonly number[] | undefined, options: ChoiceOptions): Promise<void> {
  const choice = choiceOf(ids, options)
  const decided = await withService(options, (parts) => rejectPrices(parts, choice, operator()))
  tell(decided, 'rejected', 'and not proposed again as they were', options)
}

function tell(
  decided: readonly Proposal[],
  status: 'approved' | 'rejected',
  rest: string,
  { json }: CommonOptions,
): void {
  if (json)
    return printJson({
      object: 'list',
      data: decided.map(({ id, kind, model }) => ({
        object: 'price.change',
        id,
        kind,
        model,
        status,
      })),
    })
  if (decided.length === 0) return printLine('no price change waits for a decision')
  for (const proposal of decided)
    printLine(`${decidedText(proposal)}: ${status}${rest === '' ? '' : `, ${rest}`}`)
}

function decidedText(proposal: Proposal): string {
  if (proposal.kind === 'cost') return `cost of ${proposal.vendor}:${proposal.vendorModel}`
  return proposal.kind === 'sale' ? proposal.model : `end of ${proposal.model}`
}
