import type { Offer } from '../catalogue/catalogue'
import { endpoints } from '../catalogue/endpoints'
import { GatewayError } from '../errors/gateway-error'
import type { Route } from '../domain/model'
import { fieldsOf, isCount, isFields, type Fields } from '../formats/chat/wire'
import { readWebSearch } from '../formats/chat/web-search'
import { editMembers } from '../formats/splice'
import { readJson } from '../http/json-body'
import { estimateChatInput } from '../metering/estimate-chat'
import { chatHub } from '../vendors/chat-hub'
import type { NativeAbility, Target } from '../vendors/vendor'
import type { ClientFormat, NativeFormat } from './client-format'
import type { Ask, AskParts, Endpoint, Estimate, EstimateParts } from './endpoint'
import { askHub } from './hub-answer'
import { earlierAnswers, earlierAnswersOf, readNativeAnswer } from './native-answer'
import { searchesFor, withSearchFee } from './search-fee'
import { estimateText, learnInput, promptTokensOf, type CountedText } from './text-estimate'

/** A checked request of a client's format, with the text it came in. */
export interface ClientCall<Raw extends Fields> extends CountedText {
  readonly text: string
  readonly raw: Raw
}

/** The metered endpoint of a format that clients speak. */
export const clientEndpoint = <Raw extends Fields>(
  format: ClientFormat<Raw>,
): Endpoint<ClientCall<Raw>> => ({
  name: format.endpoint,
  models: 'chat',
  async read(inbound, maxBytes) {
    const { text, value } = await readJson(inbound.request, maxBytes)
    const raw = format.check(value)
    const body = format.toChat(raw)
    return { ...format.describe(raw), text, raw, body, input: estimateChatInput(body) }
  },
  estimate: (call, offer, parts) => estimateClient(format, call, offer, parts),
  routes: (call, asked) => routesFor(format.goesOnFrom?.(call.raw) ?? null, asked),
  ask(call, target, asked) {
    const { native } = format
    const { chat, hub, ...abilities } = target.vendor.abilities
    const passes = native === undefined ? undefined : abilities[native.ability]
    if (native !== undefined && passes !== undefined && passes.takes?.(call.raw, target) !== false)
      return askNative(call, { native, ability: passes }, target, asked)
    const through =
      chat === undefined || hub?.takes?.(call.body, target) === true ? hub : chatHub(chat, target)
    if (through === undefined) {
      const facts = { model: asked.offer.model.id, endpoint: endpoints[format.endpoint].path }
      throw new GatewayError('endpoint_not_supported', facts)
    }
    const { model, stream, body, raw } = call
    const beyond = format.untranslatable?.(raw, target.sells('tool:web_search')) ?? null
    if (beyond !== null) throw untranslatable(asked.offer.model.id, format, beyond)
    const promptTokens = promptTokensOf(call, asked)
    const question = { body, model, stream, promptTokens, format: format.answer(raw) }
    const ask = askHub(question, through, target, asked)
    if (chat === undefined || through === hub || readWebSearch(body) === null) return ask
    const mark = { safetyId: asked.safetyId, stream, recall: () => undefined }
    const { drop } = chat.shape(body, target, mark)
    return searchesFor(body, target, drop) ? withFee(ask) : ask
  },
  learn(call, ...learnt) {
    // What it goes on from was paid again, and is not in the prompt.
    if ((format.goesOnFrom?.(call.raw) ?? null) === null) learnInput(call, ...learnt)
  },
})

/**
 * The routes to the vendor that keeps the answer a request goes on from; all where nothing is known
 * of it, since they know best what to say then.
 * @throws request_not_found when the model is not to be had of that vendor
 */
function routesFor(earlier: string | null, { offer, memory, project }: AskParts): readonly Route[] {
  if (earlier === null) return offer.routes
  const { vendor } = fieldsOf(memory.recall(earlierAnswersOf(project), earlier))
  if (vendor === undefined) return offer.routes
  const kept = offer.routes.filter((route) => route.vendor === vendor)
  if (kept.length > 0) return kept
  throw new GatewayError('request_not_found', { id: earlier }, { param: 'previous_response_id' })
}

const withFee = async (asking: Ask | Promise<Ask>): Promise<Ask> => {
  const ask = await asking
  return { ...ask, answer: async (...replies) => withSearchFee(await ask.answer(...replies)) }
}

const untranslatable = <Raw extends Fields>(
  model: string,
  { endpoint }: ClientFormat<Raw>,
  param: string,
) => {
  const facts = { model, endpoint: `${endpoints[endpoint].path} (${param})` }
  return new GatewayError('endpoint_not_supported', facts, { param })
}

/** With the earlier answer, which is paid again, and the tools that the vendor runs. */
function estimateClient<Raw extends Fields>(
  format: ClientFormat<Raw>,
  call: ClientCall<Raw>,
  offer: Offer,
  parts: EstimateParts,
): Estimate {
  const { low, high } = estimateText(call, offer, parts)
  const earlier = format.goesOnFrom?.(call.raw) ?? null
  const kept = earlier === null ? undefined : parts.memory.recall(earlierAnswers, earlier)
  const tokens = isFields(kept) && isCount(kept['tokens']) ? kept['tokens'] : 0
  const sold = Object.entries(format.vendorTools?.(call.raw) ?? {}).filter(
    ([meter]) => offer.rates.base[meter] !== undefined,
  )
  return {
    low,
    high: { ...high, input: (high.input ?? 0) + tokens, ...Object.fromEntries(sold) },
  }
}

interface Native<Raw extends Fields> {
  readonly native: NativeFormat<Raw>
  readonly ability: NativeAbility
}

/** The client's own text, edited where it must be. */
function askNative<Raw extends Fields>(
  call: ClientCall<Raw>,
  { native, ability }: Native<Raw>,
  target: Target,
  asked: AskParts,
): Ask {
  const { safetyId, memory, project, inbound } = asked
  const { text, raw, stream } = call
  const recall = (id: string) => memory.recall(earlierAnswersOf(project), id)
  const edit = ability.shape(raw, target, { safetyId, stream, recall })
  const set = { ...edit.set, model: target.route.vendorModel }
  const headers = ability.headers?.(inbound.headers, target) ?? []
  return {
    request: {
      method: 'POST',
      path: ability.path(target),
      contentType: 'application/json',
      body: editMembers(text, { set, drop: edit.drop }),
      ...(headers.length > 0 ? { headers } : {}),
    },
    answer: (reply) => readNativeAnswer(reply, { native, call, target, asked }),
  }
}
