import { minus, showUsd } from '../../domain/money'
import type { RecordedCall, Reports } from '../../domain/reports/report'
import { AdminError } from '../operations/admin-error'

/** The past call of this id. @throws AdminError call_not_found */
export async function callIn(reports: Pick<Reports, 'call'>, id: string): Promise<RecordedCall> {
  const call = await reports.call(id, null)
  if (call === null) throw new AdminError('call_not_found', { request: id })
  return call
}

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
