import type { Offer } from '../../catalogue/catalogue'
import { endpoints } from '../../catalogue/endpoints'
import { defaultCredential, type Route } from '../../domain/model'
import type { Meter, Units } from '../../domain/usage'
import { fieldsOf, type Fields } from '../../json/fields'
import { readWebSearch } from '../../formats/chat/web-search'
import { unsupported } from '../../formats/schema-fault'
import { editMembers } from '../../json/edit-members'
import { readJson } from '../../http/json-body'
import { estimateChatInput } from '../../metering/estimate-chat'
import { chatHub } from '../../vendors/chat-hub'
import type { NativeAbility, Target } from '../../vendors/vendor'
import type { ClientFormat, NativeFormat, Unsealed } from './client-format'
import { clientMark } from './client-mark'
import type { EarlierAnswer } from '../../call/recorded-call'
import { sealFor } from '../../call/compaction-seal'
import type { Ask, AskParts, Endpoint } from '../../call/endpoint'
import { notSupported } from '../not-supported'
import { bodyBelow, canLower } from './money-ceiling'
import { askHub } from './hub-answer'
import { readNativeAnswer } from './native-answer'
import { chooseModels } from './model-choices'
import { promptBeginning } from './prompt-beginning'
import { suitsText } from './suits-text'
import { searchesFor, withSearchFee } from './search-fee'
import { sellerConditions, withoutConditions } from '../seller-conditions'
import {
  estimateText,
  learnInput,
  promptTokensOf,
  recountText,
  type CountedText,
  type TextBeside,
} from './text-estimate'

/** A checked request of a client's format, with the text it came in. */
export interface ClientCall<Raw extends Fields> extends CountedText {
  readonly text: string
  readonly raw: Raw
  /** Null where nothing in it was sealed. */
  readonly unsealed: Unsealed<Raw> | null
  /** The answer that it goes on from, where that is known. */
  readonly earlier: EarlierAnswer | null
}

/** The metered endpoint of a format that clients speak. */
export const clientEndpoint = <Raw extends Fields>(
  format: ClientFormat<Raw>,
): Endpoint<ClientCall<Raw>> => ({
  name: format.endpoint,
  models: 'chat',
  async read(inbound, maxBytes, { unseal, earlierAnswer }) {
    const { json, choices } = chooseModels(await readJson(inbound.request, maxBytes))
    const { text, value, bytes } = json
    const sent = format.check(value)
    const unsealed = format.unseal?.(sent, unseal) ?? null
    const raw = unsealed?.raw ?? sent
    const body = format.toChat(raw)
    const counting = estimateChatInput(body, format.leftOut?.(raw))
    const input = counting instanceof Promise ? await counting : counting
    const from = format.goesOnFrom?.(raw) ?? null
    const earlier = from === null ? null : await earlierAnswer(from)
    const call = { ...format.describe(raw), text, raw, unsealed, body, input, bytes, earlier }
    return choices === undefined ? call : { ...call, choices }
  },
  estimate: (call, offer, parts) => estimateText(call, offer, parts, besideOf(format, call, offer)),
  recount: (call, offer, parts) =>
    recountText(call, offer, parts, {
      ...besideOf(format, call, offer),
      read: format.leftOut?.(call.raw) ?? [],
    }),
  routes: (call, asked) => readersOf(format, call, routesFor(format, call, asked), asked),
  ask(call, target, asked) {
    const { native, endpoint } = format
    const { offer } = asked
    const conditions = sellerConditions(call.raw, target, { endpoint, offer })
    const { chat, hub, ...abilities } = target.vendor.abilities
    const passes = native === undefined ? undefined : abilities[native.ability]
    if (native !== undefined && passes !== undefined && passes.takes?.(call.raw, target) !== false)
      return askNative(call, { native, ability: passes }, target, asked)
    const through =
      chat === undefined || hub?.takes?.(call.body, target) === true ? hub : chatHub(chat, target)
    if (through === undefined) throw notSupported(endpoint, offer)
    const { model, stream, body, raw } = call
    const beyond = format.untranslatable?.(raw, target.sells('tool:web_search')) ?? null
    if (beyond !== null) throw unsupported(offer.model.id, endpoints[endpoint].path, beyond)
    const promptTokens = promptTokensOf(call, asked)
    const seal = sealFor(asked.vault, asked.project)
    const answer = format.answer(raw, seal)
    const question = { body, model, stream, promptTokens, format: answer, conditions }
    const ask = askHub(question, through, target, asked)
    if (chat === undefined || through === hub || readWebSearch(body) === null) return ask
    const mark = clientMark(asked, stream)
    const { drop } = chat.shape(body, target, mark)
    return searchesFor(body, target, drop) ? withFee(ask) : ask
  },
  suits: suitsText,
  beginning: promptBeginning,
  learn(call, ...learnt) {
    // What it goes on from was paid again, and is not in the prompt.
    if ((format.goesOnFrom?.(call.raw) ?? null) === null) learnInput(call, ...learnt)
  },
  tellUsage: format.tellUsage,
  lowers: {
    choices: ({ body }) => body.n ?? 1,
    can({ body, raw }, traits, tokens) {
      // Thinking that is bound by a number of its own needs a ceiling above it.
      const { budget_tokens: budget } = fieldsOf(raw['thinking'])
      return canLower(body, traits) && !(typeof budget === 'number' && budget >= tokens)
    },
    to: (call, tokens) => ({
      ...call,
      body: bodyBelow(call.body, tokens),
      text: textBelow(format, call.text, tokens),
    }),
  },
  collects: {
    can: () => true,
    asStream: (call) => ({
      ...call,
      stream: true,
      raw: { ...call.raw, stream: true },
      text: editMembers(call.text, { set: { stream: true }, drop: [] }),
    }),
    open: () => format.collect(),
  },
})

/**
 * The routes to the vendor that keeps the answer a request goes on from, by the credential that it is
 * kept for; all where there are none, since they know best what to say then.
 */
function routesFor<Raw extends Fields>(
  { endpoint }: ClientFormat<Raw>,
  { earlier }: ClientCall<Raw>,
  { offer, project, isFallback }: AskParts,
): readonly Route[] {
  if (earlier === null || earlier.project !== project) return offer.routes
  const { vendor, credential = defaultCredential } = earlier
  const kept = offer.routes.filter((route) => route.vendor === vendor)
  if (kept.length > 0) return kept.map((route) => ({ ...route, credential }))
  if (isFallback !== true) return offer.routes
  // No model of another vendor can go on from it.
  throw unsupported(offer.model.id, endpoints[endpoint].path, 'previous_response_id')
}

/**
 * Those of the routes whose vendor can read what is sealed in a request.
 * @throws endpoint_not_supported where none can
 */
function readersOf<Raw extends Fields>(
  format: ClientFormat<Raw>,
  { unsealed }: ClientCall<Raw>,
  routes: readonly Route[],
  { offer }: AskParts,
): readonly Route[] {
  const only = unsealed?.only ?? null
  if (only === null) return routes
  const readers = routes.filter(({ vendor }) => vendor === only.vendor)
  if (readers.length === 0)
    throw unsupported(offer.model.id, endpoints[format.endpoint].path, only.param)
  return readers
}

const withFee = async (asking: Ask | Promise<Ask>): Promise<Ask> => {
  const ask = await asking
  return { ...ask, answer: async (...replies) => withSearchFee(await ask.answer(...replies)) }
}

/** The earlier answer, which is paid again, and the tools that the vendor runs. */
function besideOf<Raw extends Fields>(
  format: ClientFormat<Raw>,
  call: ClientCall<Raw>,
  offer: Offer,
): TextBeside {
  const writes = format.writesCache?.(call.text)
  const sells = (meter: Meter): boolean => offer.rates.base[meter] !== undefined
  const tools = format.vendorTools?.(call.raw, sells) ?? {}
  return {
    ...(writes === null || writes === undefined ? {} : { writes }),
    earlierTokens: call.earlier?.tokens ?? 0,
    tools: noMoreThan(mostToolCalls, tools),
  }
}

/** A request as its client sent it, with the ceiling, for a vendor that speaks its format. */
function textBelow<Raw extends Fields>(
  { native }: ClientFormat<Raw>,
  text: string,
  tokens: number,
): string {
  const name = native?.ceiling
  return name === undefined ? text : editMembers(text, { set: { [name]: tokens }, drop: [] })
}

/** Calls of one tool that money is held for, whatever a client allows. */
const mostToolCalls = 1000

const noMoreThan = (most: number, units: Units): Units =>
  Object.fromEntries(
    Object.entries(units).map(([meter, count = 0]) => [meter, Math.min(count, most)]),
  )

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
  const { project, inbound } = asked
  const { text, raw, stream, unsealed, earlier } = call
  const isKept = earlier?.vendor === target.config.name && earlier.project === project
  const recall = () => (isKept ? earlier.name : undefined)
  const edit = ability.shape(raw, target, clientMark(asked, stream, recall))
  const set = { ...unsealed?.set, ...edit.set, model: target.route.vendorModel }
  const headers = ability.headers?.(inbound.headers, target) ?? []
  return {
    request: {
      method: 'POST',
      path: ability.path(target),
      contentType: 'application/json',
      body: editMembers(text, { set, drop: [...edit.drop, ...withoutConditions(raw)] }),
      ...(headers.length > 0 ? { headers } : {}),
    },
    answer: (reply) => readNativeAnswer(reply, { native, call, target, asked }),
  }
}
