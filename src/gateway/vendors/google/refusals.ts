import { GatewayError } from '../../../errors/gateway-error'
import { messageOnly, VendorFailure } from '../../../errors/vendor-failure'
import type { Fields } from '../../json/fields'
import { googleEmbeddedFailure } from './failure'

/**
 * Failures that come inside a success, in our codes: `promptFeedback.blockReason`, and finish reasons such as
 * `MALFORMED_FUNCTION_CALL` (googleapis/js-genai `src/types.ts` of 2026-08-21, `BlockedReason`,
 * `FinishReason`).
 * @param model as the client asked for it
 */
export const refusalsFor = (model: string) => ({
  /** @throws GatewayError for an error event */
  refuse(event: Fields): void {
    const failure = googleEmbeddedFailure(event, model)
    if (failure !== null) throw failure
  },
  /** @throws upstream_rejected always: the prompt or the answer was refused */
  blocked(reason: string): never {
    const cause = new VendorFailure(200, messageOnly(`blocked: ${reason}`), null)
    throw new GatewayError('upstream_rejected', { said: `blocked: ${reason}` }, { cause })
  },
  /** @throws upstream_error always: the model broke down before it said anything */
  brokenDown(reason: string): never {
    const cause = new VendorFailure(200, messageOnly(`finishReason ${reason}`), null)
    throw new GatewayError('upstream_error', { model }, { cause })
  },
})
