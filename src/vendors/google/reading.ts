import { GatewayError } from '../../errors/gateway-error'
import type { GeminiStreamParts } from '../../formats/gemini/parse-stream'
import { VendorFailure } from '../failure'
import type { HubQuestion } from '../vendor'
import { googleEmbeddedFailure } from './failure'

/** What an answer of Google's must be read with, whatever was asked. */
export const reading = ({
  model,
  requestId,
  traits,
}: Pick<HubQuestion, 'model' | 'requestId' | 'traits'>): GeminiStreamParts => ({
  traits,
  callId: (choice, tool) => `call_${requestId.slice(-20)}${choice}${tool}`,
  refuse(event) {
    const failure = googleEmbeddedFailure(event, model)
    if (failure !== null) throw failure
  },
  blocked(reason) {
    const cause = new VendorFailure(200, `blocked: ${reason}`, null)
    throw new GatewayError('upstream_rejected', { said: `blocked: ${reason}` }, { cause })
  },
  brokenDown(reason) {
    const cause = new VendorFailure(200, `finishReason ${reason}`, null)
    throw new GatewayError('upstream_error', { model }, { cause })
  },
})
