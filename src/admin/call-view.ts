import { minus, showUsd } from '../domain/money'
import type { RecordedCall } from '../domain/report'

/** A past call as operators see it, dollars as decimal strings. */
export const callView = (call: RecordedCall) => ({
  id: call.id,
  created: new Date(call.created).toISOString(),
  account: call.account,
  project: call.project,
  key: call.key,
  address: call.address,
  endpoint: call.endpoint,
  model: call.model,
  status: call.status,
  error: call.error,
  streamed: call.streamed,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  cached_tokens: call.cachedTokens,
  usd: showUsd(minus(call.cost, call.refunded)),
  refunded_usd: showUsd(call.refunded),
  vendor: call.vendor,
  vendor_model: call.vendorModel,
  latency_ms: call.latencyMs,
  first_byte_ms: call.firstByteMs,
})
