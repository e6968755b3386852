import { unixSeconds, type Ms } from '../../domain/clock'
import type { PriceCard } from '../../domain/model'
import { minus, showUsd } from '../../domain/money'
import type { RecordedCall } from '../../domain/reports/report'
import { priceLines } from './price'
import { compileCard } from './price-card'

/**
 * A call as its customer sees it, but for its error. What it cost is what it was charged less what
 * was refunded, as in the sums of `GET /usage`.
 * @param card of the version it was charged by
 * @param now for how long it has run, as long as it runs
 */
export const requestView = (call: RecordedCall, card: PriceCard | null, now: Ms) => ({
  id: call.id,
  object: 'request',
  created: unixSeconds(call.created),
  model: call.model,
  endpoint: call.endpoint,
  status: call.status,
  streamed: call.streamed,
  usage: {
    input_tokens: call.inputTokens,
    output_tokens: call.outputTokens,
    cached_tokens: call.cachedTokens,
    total_tokens: call.inputTokens + call.outputTokens,
    reasoning_tokens: call.reasoningTokens,
    estimated: call.estimated,
  },
  usd: showUsd(minus(call.cost, call.refunded)),
  refunded_usd: showUsd(call.refunded),
  latency_ms: call.latencyMs ?? now - call.created,
  first_byte_ms: call.firstByteMs,
  receipt: call.status === 'pending' ? null : receiptOf(call, card),
})

/** How a charge came about: units × unit price = amount, by the prices of that day. */
interface Receipt {
  readonly card_version: string
  /** Null when the prices of that version are not known any more. */
  readonly lines: readonly ReceiptLine[] | null
  /** Set aside before and while the call ran. */
  readonly hold_usd: string
  /** Sum of the lines, rounded up once to the next nano-dollar: what was charged. */
  readonly charged_usd: string
  /** Set aside and not needed. */
  readonly released_usd: string
  /** Given back later, because what was paid was not made. */
  readonly refunded_usd: string
}

/** Line of a receipt: units × price = amount. */
interface ReceiptLine {
  readonly meter: string
  readonly units: number
  readonly unit_price_usd: string
  readonly amount_usd: string
}

/** Receipt of a call. @param card of the version that the call was charged by */
function receiptOf(call: RecordedCall, card: PriceCard | null): Receipt {
  const charged = call.cost > 0
  return {
    card_version: call.cardVersion,
    lines: card === null ? null : charged ? linesOf(call, card) : [],
    hold_usd: showUsd(call.held),
    charged_usd: showUsd(call.cost),
    released_usd: showUsd(Math.max(0, call.held - call.cost) as typeof call.cost),
    refunded_usd: showUsd(call.refunded),
  }
}

const linesOf = (call: RecordedCall, card: PriceCard): readonly ReceiptLine[] =>
  priceLines(call.units, compileCard(card), call.cost).map(
    ({ meter, units, unitPrice, amount }) => ({
      meter,
      units,
      unit_price_usd: unitPrice,
      amount_usd: amount,
    }),
  )
