import { InvalidArgumentError, type Command } from 'commander'
import { refundCall, type RefundedCall } from '../../admin/refund-call'
import { minus, showUsd, type NanoUsd } from '../../domain/money'
import { leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printJson, printLine } from '../kit/output'
import { reasonOf, withReason, type ReasonOptions } from '../kit/reason'

interface RefundOptions extends CommonOptions, ReasonOptions {
  readonly amount?: NanoUsd
}

/** `requests refund`: gives back what a call was charged. */
export function requestsRefundCommand(requests: Command): void {
  const refund = leaf(
    requests,
    'refund',
    'give back what a call was charged, once; its customer sees it on the call',
    'requests refund req_… --amount 0.02 --reason "answer was cut"',
  )
    .argument('<id>', 'id of the call, its X-Request-Id')
    .option('--amount <usd>', 'dollars to give back (default: all that was charged)', readAmount)
  withReason(refund).action(async (id: string, options: RefundOptions) => {
    const { amount = null } = options
    const request = { id, amount, ...reasonOf(options), by: operator() }
    tell(await withStorage(options, (storage) => refundCall(storage, request)), options)
  })
}

function tell({ call, refunded, borne, balance }: RefundedCall, options: RefundOptions): void {
  const { id, account, cost } = call
  if (options.json)
    return printJson({
      object: 'refund',
      request: id,
      account,
      refunded_usd: showUsd(refunded),
      borne_usd: showUsd(borne),
      charged_usd: showUsd(cost),
      usd: showUsd(minus(cost, refunded)),
      reason: reasonOf(options).note,
      by: operator(),
      balance: { usd: showUsd(balance) },
    })
  printLine(`$${showUsd(refunded)} of $${showUsd(cost)} given back for ${id}`)
  if (borne > 0)
    printLine(`$${showUsd(borne)} of it to the service, which bore as much of the charge`)
  printLine(`balance of account ${account}: $${showUsd(balance)}`)
}

function readAmount(text: string): NanoUsd {
  const amount = read.usd(text)
  if (amount === 0) throw new InvalidArgumentError('An amount of nothing moves nothing.')
  return amount
}
