import { previewView } from '../../admin/operations/price-preview'
import { previewPrices, type ThoughtPrices } from '../../admin/price-preview'
import { pricingOf } from '../../admin/price-change-view'
import { Option, type Command } from 'commander'
import type { TypedPrices } from '../../admin/edit-model'
import { showUsd } from '../../domain/money'
import { leaf, read, type CommonOptions } from '../kit/leaf'
import { printJson, printLine, printTable } from '../kit/output'
import { readPrice } from './model-options'
import { typedRule, typedScope, withRule, withScope, type RuleOptions } from './rule-options'
import { withService } from './with-service'

interface PreviewOptions extends RuleOptions {
  readonly price?: TypedPrices
  readonly onlyPrices?: true
  readonly remove?: true
  readonly proposal?: readonly number[]
}

/** `price preview`: what the calls of the last 30 days would have cost. */
export function pricePreviewCommand(price: Command): void {
  withRule(
    withScope(
      leaf(
        price,
        'preview',
        'charge the calls of the last 30 days once more by other prices; nothing changes',
        'price preview --vendor openai --markup 20\n  chapar price preview --model gpt-4o --price output_per_million=12',
      ),
    ),
  )
    .option(
      '--price <key=usd>',
      'a price of --model, as in chapar model set; repeatable, KEY=none, or default',
      readPrice,
    )
    .option('--only-prices', 'the prices given are all it has')
    .option('--remove', 'as if the rule of this scope were removed')
    .addOption(
      new Option(
        '--proposal <id>',
        'as if a change that waits were approved; repeatable',
      ).argParser((text, earlier: readonly number[] | undefined) => [
        ...(earlier ?? []),
        read.id(text),
      ]),
    )
    .action(preview)
}

/** @throws RangeError where it is not one change */
function thoughtOf(options: PreviewOptions): ThoughtPrices {
  const { price, proposal, remove, model } = options
  if ([price, proposal, remove].filter((each) => each !== undefined).length > 1)
    throw new RangeError('preview one change: --price, --proposal, --remove, or a rule')
  if (proposal !== undefined) return { proposals: proposal }
  if (remove) return { removedRule: typedScope(options) }
  if (price === undefined) return { rule: typedRule(options) }
  if (model === undefined) throw new RangeError('say whose prices: --model ID')
  return { model, price, onlyPrices: options.onlyPrices === true }
}

async function preview(options: PreviewOptions & CommonOptions): Promise<void> {
  const thought = thoughtOf(options)
  const found = await withService(options, (parts) => previewPrices(parts, thought))
  if (options.json) return printJson({ object: 'price.preview', ...previewView(found) })
  if (found.models.length === 0) return printLine('no price would move')
  printTable([
    ['MODEL', 'CALLS', 'COST NOW', 'WOULD COST', 'PRICES (USD)'],
    ...found.models.map(({ model, repriced, lines }) => [
      model,
      String(repriced.calls),
      `$${showUsd(repriced.before)}`,
      `$${showUsd(repriced.after)}`,
      Object.entries(pricingOf(lines))
        .map((each) => each.join(' '))
        .join(' · '),
    ]),
  ])
  printLine()
  const since = found.since ?? found.from
  printLine(
    `calls since ${new Date(since).toISOString()}: $${showUsd(found.before)} now, $${showUsd(found.after)} then`,
  )
  const unpriced = found.models.reduce((sum, { repriced }) => sum + repriced.unpriced, 0)
  if (unpriced > 0) printLine(`! ${unpriced} of them have units without a price then: left out`)
}
