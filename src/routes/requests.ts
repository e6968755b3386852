import { answerKeyed } from '../call/keyed'
import type { Caller } from '../domain/caller'
import { unixSeconds } from '../domain/clock'
import { showUsd } from '../domain/money'
import type { RecordedCall } from '../domain/report'
import { recordedType } from '../errors/codes'
import { GatewayError } from '../errors/gateway-error'
import { receiptOf } from '../metering/receipt'
import type { Route, RouteParts } from './route'

const listPath = '/v1/requests'

/** One call of the key's project, with the receipt of its charge. */
export const request: Route = {
  method: 'GET',
  path: `${listPath}/*`,
  serve: (parts, inbound) =>
    answerKeyed(parts, inbound, (caller) =>
      statusOf(parts, find(parts, caller, inbound.path.slice(listPath.length + 1))),
    ),
}

/** @throws request_not_found */
function find({ reports, ledger }: RouteParts, { project }: Caller, id: string): RecordedCall {
  const found = reports.call(id, project.id)
  if (found !== null && found.status !== 'pending') return found
  // It may still be on its way into the database.
  ledger.flush()
  const call = reports.call(id, project.id)
  if (call === null) throw new GatewayError('request_not_found', { id }, { param: 'id' })
  return call
}

function statusOf({ clock, cardOf }: RouteParts, call: RecordedCall) {
  const { inputTokens, outputTokens } = call
  return {
    id: call.id,
    object: 'request',
    created: unixSeconds(call.created),
    model: call.model,
    endpoint: call.endpoint,
    status: call.status,
    streamed: call.streamed,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cached_tokens: call.cachedTokens,
      total_tokens: inputTokens + outputTokens,
      reasoning_tokens: call.reasoningTokens,
      estimated: call.estimated,
    },
    usd: showUsd(call.cost),
    latency_ms: call.latencyMs ?? clock.now() - call.created,
    first_byte_ms: call.firstByteMs,
    error: call.error === null ? null : { type: recordedType(call.error), code: call.error },
    receipt:
      call.status === 'pending' ? null : receiptOf(call, cardOf(call.model, call.cardVersion)),
  }
}
