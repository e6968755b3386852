import type { Command } from 'commander'
import { priceMaker, soldCard, type PriceMaker } from '../../admin/priced-catalogue'
import { systemClock } from '../../domain/clock'
import { showUsd } from '../../domain/money'
import type { Unpaid } from '../../domain/record'
import type { ReceiptLine } from '../../metering/receipt'
import { requestView } from '../../metering/request-view'
import { branch, leaf, withStorage, type CommonOptions } from '../kit/leaf'
import { requestsListCommand } from './requests-list'
import { requestsRefundCommand } from './requests-refund'
import { printFields, printJson, printLine, printTable } from '../kit/output'

export function requestsCommand(program: Command): void {
  const requests = branch(program, 'requests', 'Look up and refund calls')

  requestsListCommand(requests)
  requestsRefundCommand(requests)

  leaf(requests, 'show', 'show one call, with the receipt of its charge', 'requests show req_…')
    .argument('<id>', 'what the answer carried as X-Request-Id')
    .action(async (id: string, options: CommonOptions) => {
      const view = await withStorage(options, async (storage) => {
        const call = await storage.reports.call(id, null)
        if (call === null)
          throw new RangeError(`there is no request ${id}, or it is not written yet`)
        const { account, project, key, address, vendor, vendorModel, error, unpaid } = call
        const card = await soldCard(storage, call.model, call.cardVersion)
        const maker = await priceMaker(storage, call.model, call.cardVersion)
        const shown = requestView(call, card, systemClock.now())
        const billed = {
          vendor_cost_usd: call.vendorCost === null ? null : showUsd(call.vendorCost),
          vendor_cost_estimated: call.vendorCostEstimated,
          cost_card: call.costCard,
        }
        return {
          ...shown,
          created: new Date(call.created).toISOString(),
          error,
          account,
          project,
          key,
          address,
          vendor,
          vendor_model: vendorModel,
          vendor_counted: unpaid === null ? null : countedView(unpaid),
          ...billed,
          price: maker,
        }
      })
      if (options.json) return printJson(view)
      const { receipt, vendor_counted: counted, price, ...fields } = view
      printFields(fields)
      if (receipt === null) return
      printLine()
      printLines(receipt.lines ?? [])
      if (view.usage.estimated)
        printLine('the vendor counted nothing: these units are our own count of what was delivered')
      const back = Number(receipt.refunded_usd) > 0 ? `, $${receipt.refunded_usd} given back` : ''
      printLine(
        `$${receipt.charged_usd} charged of $${receipt.hold_usd} held${back}, card ${receipt.card_version}`,
      )
      if (price?.rule !== undefined && price.rule !== null) printLine(priceLine(price.rule, price))
      if (counted !== null)
        printLine(
          `the vendor counted ${JSON.stringify(counted.units)}, which comes to $${counted.usd}: what was not charged is yours`,
        )
    })
}

/** Cards of earlier programs do not tell their rule: their receipts stay as they were. */
const priceLine = (rule: string, { group }: Pick<PriceMaker, 'group'>): string =>
  `its prices: rule${group === null ? '' : ` of group ${group}`}, ${rule}`

/** Lines of a receipt; nothing where nothing was charged. */
function printLines(lines: readonly ReceiptLine[]): void {
  if (lines.length === 0) return
  printTable([
    ['METER', 'UNITS', 'UNIT PRICE', 'AMOUNT'],
    ...lines.map((line) => [
      line.meter,
      String(line.units),
      `$${line.unit_price_usd}`,
      `$${line.amount_usd}`,
    ]),
  ])
}

/** Units that the vendor counted beyond what could be charged. */
const countedView = ({ units, cost, isBeyondPossible }: Unpaid) => ({
  units,
  usd: showUsd(cost),
  possible: !isBeyondPossible,
})
