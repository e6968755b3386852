import { InvalidArgumentError, type Command } from 'commander'
import {
  approvePrices,
  pendingPrice,
  pendingPrices,
  rejectPrices,
  type PriceChange,
  type ProposalChoice,
} from '../../admin/price-proposals'
import type { Ms } from '../../domain/clock'
import { pricingView } from '../../metering/pricing-view'
import type { Proposal } from '../../pricing/store'
import { branch, leaf, read, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printFields, printJson, printLine, printTable } from '../kit/output'
import { withService } from './with-service'

interface ChoiceOptions extends CommonOptions {
  readonly all?: true
}

interface ApproveOptions extends ChoiceOptions {
  readonly from?: Ms
}

/** `prices`: price changes that wait for a decision. */
export function pricesCommand(program: Command): void {
  const prices = branch(program, 'prices', 'Decide on price changes')

  leaf(prices, 'list', 'list price changes that wait for a decision', 'prices list').action(list)

  leaf(prices, 'show', 'show one price change', 'prices show 12')
    .argument('<id>', 'number of the change', read.id)
    .action(show)

  withChoice(
    leaf(prices, 'approve', 'sell by what is proposed', 'prices approve 12 13 --from 2026-12-01'),
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

const changeView = ({ id, model, cause, created, lines, sold }: PriceChange) => ({
  object: 'price.change',
  id,
  model,
  cause,
  created: new Date(created).toISOString(),
  pricing: pricingView({ version: '', validFrom: created, lines: sold }),
  pricing_proposed: pricingView({ version: '', validFrom: created, lines }),
})

/** What would move, `2.5 → 3` by key. */
function movesOf(change: PriceChange): string {
  const { pricing, pricing_proposed: proposed } = changeView(change)
  return [...new Set([...Object.keys(pricing), ...Object.keys(proposed)])]
    .filter((key) => pricing[key] !== proposed[key])
    .map((key) => `${key} ${pricing[key] ?? '–'} → ${proposed[key] ?? '–'}`)
    .join(' · ')
}

async function list(options: CommonOptions): Promise<void> {
  const changes = await withService(options, pendingPrices)
  if (options.json) return printJson({ object: 'list', data: changes.map(changeView) })
  if (changes.length === 0) return printLine('no price change waits for a decision')
  printTable([
    ['ID', 'MODEL', 'PRICES (USD)', 'CAUSE'],
    ...changes.map((change) => [String(change.id), change.model, movesOf(change), change.cause]),
  ])
}

async function show(id: number, options: CommonOptions): Promise<void> {
  const change = await withService(options, (parts) => pendingPrice(parts, id))
  if (options.json) return printJson(changeView(change))
  printFields(changeView(change))
}

async function approve(ids: readonly number[] | undefined, options: ApproveOptions): Promise<void> {
  const choice = choiceOf(ids, options)
  const from = options.from ?? null
  const decided = await withService(options, (parts) =>
    approvePrices(parts, choice, { from, by: operator() }),
  )
  const when = from === null ? 'from now on' : `from ${new Date(from).toISOString()} on`
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
      data: decided.map(({ id, model }) => ({ object: 'price.change', id, model, status })),
    })
  if (decided.length === 0) return printLine('no price change waits for a decision')
  for (const { model } of decided) printLine(`${model}: ${status}, ${rest}`)
}
