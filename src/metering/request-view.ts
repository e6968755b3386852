import { unixSeconds, type Ms } from '../domain/clock'
import type { PriceCard } from '../domain/model'
import { minus, showUsd } from '../domain/money'
import type { RecordedCall } from '../domain/report'
import { receiptOf } from './receipt'

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
