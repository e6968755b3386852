import type { Offer } from '../catalogue/catalogue'
import { inputTokens } from '../domain/usage'
import { GatewayError } from '../errors/gateway-error'
import { outputCeilingOf } from '../formats/chat/ceiling'
import { checkChatBody, type ChatBody } from '../formats/chat/schema'
import { thinkingRoom } from '../formats/reasoning'
import { editMembers } from '../formats/splice'
import { readJson } from '../http/json-body'
import type { Calibration } from '../metering/calibration'
import { estimateChatInput, type ChatEstimate } from '../metering/estimate-chat'
import type { Endpoint, EstimateParts, TextBody } from './endpoint'
import { askHub, chatFormat } from './hub-answer'
import { memoryPlace } from './reasoning-memory'
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
    const tokens = input.tokens * factorOf(offer, parts.calibration)
    const times = promptsOf(body, offer)
    return {
      low: { input: Math.ceil(tokens) * times, output: 1 },
      high: {
        input: Math.ceil(tokens * safetyFactor + safetyTokens) * times,
        output: outputCeiling(body, offer, parts) * (body.n ?? 1),
      },
    }
  },
  ask(call, target, asked) {
    const { offer, safetyId, calibration, memory, project } = asked
    const { chat: ability, hub } = target.vendor.abilities
    const { model, stream, text, body, input } = call
    const promptTokens = Math.ceil(input.tokens * factorOf(offer, calibration))
    if (hub !== undefined && (ability === undefined || hub.takes?.(body, target) === true))
      return askHub({ body, model, stream, promptTokens, format: chatFormat }, hub, target, asked)
    if (ability === undefined) {
      const facts = { model: offer.model.id, endpoint: '/v1/chat/completions' }
      throw new GatewayError('endpoint_not_supported', facts)
    }
    const place = memoryPlace(project, target)
    const recall = (callId: string) => memory.recall(place, callId)
    const edit = ability.shape(body, target, { safetyId, stream, recall })
    const set = { ...edit.set, model: target.route.vendorModel }
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
  learn({ input, body }, offer, usage, calibration) {
    if (usage.estimated || !input.textOnly) return
    const { id, traits } = offer.model
    const actual = inputTokens(usage) / promptsOf(body, offer)
    calibration.learn(id, input.tokens, actual, traits.tokenFactor)
  },
}

/** What the model's vendor counts over our estimate. */
const factorOf = ({ model }: Offer, calibration: Calibration): number =>
  calibration.factor(model.id, model.traits.tokenFactor)

/** How often the prompt is paid: where a choice is a call of its own, for each. */
const promptsOf = (body: ChatBody, { model }: Offer): number =>
  model.traits.oneChoice === true ? (body.n ?? 1) : 1

/** What one choice may put out: the client's ceiling, or what the operator holds for by default. */
function outputCeiling(body: ChatBody, offer: Offer, { settings }: EstimateParts): number {
  const asked = outputCeilingOf(body)
  const most = offer.model.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const { traits, capabilities } = offer.model
  const reasons = traits.reasoning === true || capabilities.reasoning === true
  const expected = reasons ? settings.reasoningAllowance : settings.outputAllowance
  if (asked === null) return Math.min(expected, most)
  return Math.min(asked + thinkingRoom(body.reasoning_effort, traits), most)
}
