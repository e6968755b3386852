import type { Offer } from '../catalogue/catalogue'
import { GatewayError } from '../errors/gateway-error'
import { checkChatBody, type ChatBody } from '../formats/chat/schema'
import { editMembers } from '../formats/splice'
import { readJson } from '../http/json-body'
import { estimateChatInput, type ChatEstimate } from '../metering/estimate-chat'
import type { Endpoint, EstimateParts, TextBody } from './endpoint'
import { readTextAnswer } from './text-answer'

/** A checked chat request, with the text it came in. */
export interface ChatCall extends TextBody {
  readonly text: string
  readonly body: ChatBody
  /** Uncalibrated; counted once. */
  readonly input: ChatEstimate
}

/** Room for what the estimate of a prompt may lack. */
const safetyFactor = 1.1
const safetyTokens = 20

export const chatEndpoint: Endpoint<ChatCall> = {
  name: 'chat',
  models: 'chat',
  async read(inbound, maxBytes) {
    const { text, value } = await readJson(inbound.request, maxBytes)
    const body = checkChatBody(value)
    const input = estimateChatInput(body)
    return { model: body.model, stream: body.stream === true, text, body, input }
  },
  estimate({ body, input }, offer, parts) {
    const tokens = input.tokens * parts.calibration.factor(offer.model.id)
    return {
      low: { input: Math.ceil(tokens), output: 1 },
      high: {
        input: Math.ceil(tokens * safetyFactor + safetyTokens),
        output: outputCeiling(body, offer, parts) * (body.n ?? 1),
      },
    }
  },
  ask(call, target, asked) {
    const { offer, safetyId, calibration } = asked
    const ability = target.vendor.abilities.chat
    if (ability === undefined) {
      const facts = { model: offer.model.id, endpoint: '/v1/chat/completions' }
      throw new GatewayError('endpoint_not_supported', facts)
    }
    const { model, stream, text, body, input } = call
    const edit = ability.shape(body, target, { safetyId, stream })
    const set = { ...edit.set, model: target.route.vendorModel }
    const promptTokens = Math.ceil(input.tokens * calibration.factor(offer.model.id))
    return {
      request: {
        method: 'POST',
        path: ability.path,
        contentType: 'application/json',
        body: editMembers(text, { set, drop: edit.drop }),
      },
      answer: (reply) =>
        readTextAnswer(reply, { ability, target, call: asked, model, stream, promptTokens }),
    }
  },
  learn({ input }, offer, usage, calibration) {
    if (usage.estimated || !input.textOnly) return
    const actual = (usage.units.input ?? 0) + (usage.units.cached_input ?? 0)
    calibration.learn(offer.model.id, input.tokens, actual)
  },
}

/** What one choice may put out: the client's ceiling, or what the operator holds for by default. */
function outputCeiling(body: ChatBody, offer: Offer, { settings }: EstimateParts): number {
  const asked = Math.min(
    body.max_tokens ?? Number.POSITIVE_INFINITY,
    body.max_completion_tokens ?? Number.POSITIVE_INFINITY,
  )
  const most = offer.model.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const { traits, capabilities } = offer.model
  const reasons = traits.reasoning === true || capabilities.reasoning === true
  const expected = reasons ? settings.reasoningAllowance : settings.outputAllowance
  return Math.min(Number.isFinite(asked) ? asked : expected, most)
}
