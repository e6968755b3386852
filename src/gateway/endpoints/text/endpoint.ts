import { oneTurnBytes, yieldToLoop } from '../../../domain/yield-to-loop'
import { endpoints } from '../../catalogue/endpoints'
import { rejected } from '../../../domain/rejected-promise'
import type { GatewayError } from '../../../errors/gateway-error'
import { unknownTool } from '../../formats/hosted-tools'
import { listOf, type Fields } from '../../json/fields'
import { unsaidMember, type UnlistedMembers } from '../../formats/request-members'
import { unsupported } from '../../formats/schema-fault'
import { editMembers } from '../../json/edit-members'
import { readJson } from '../../http/json-body'
import { estimateChatInput } from '../../metering/estimate-chat'
import { chatHub } from '../../vendors/chat-hub'
import type {
  BodyEdit,
  ChatAbility,
  ClientMark,
  HubAbility,
  NativeAbility,
  Target,
} from '../../vendors/vendor'
import type { ClientFormat, NamedFields, NativeFormat, TextCall } from './client-format'
import { inClientWords } from './client-param'
import { clientMark } from '../client-mark'
import { conversationMembers, refusePrivateUrls } from '../fetched-urls'
import { sealFor } from '../../call/sealed-compaction'
import type { Ask, RequestParts, Endpoint } from '../../call/endpoint'
import { notSupported } from '../not-supported'
import { bodyBelow, canLower } from './text-ceiling'
import { answerTimeoutMs } from './answer-timeout'
import { besideOf } from './beside'
import { requestHub } from './hub-answer'
import { readNativeAnswer } from './native-answer'
import { openRecall, usesTools } from './turn-reasoning'
import { chooseModels } from './model-choices'
import { promptBeginning, suitsText } from './prompt'
import { textRoutes } from './text-routes'
import { unansweredStream } from './text-stream'
import { replyIdentity } from '../whole-reply'
import { searchFee, searchMeter, withSearchFee, withSizedSearches } from './search-fee'
import { sellerConditions, withoutConditions } from '../seller-conditions'
import { estimateText, learnInput, promptTokensOf, recountText, speaks } from './text-estimate'

/** The metered endpoint for text, as clients of one format see it. */
export const textEndpoint = (own: ClientFormat<NamedFields>): Endpoint<TextCall<NamedFields>> => ({
  name: own.endpoint,
  models: 'chat',
  async read(inbound, maxBytes, client) {
    const { json, choices } = chooseModels(await readJson(inbound.request, maxBytes))
    const { text, value, bytes } = json
    const format = own.alternative?.(value) ?? own
    const isLarge = bytes > oneTurnBytes
    const sent = format.check(value)
    if (isLarge) await yieldToLoop()
    refusePrivateUrls(sent, conversationMembers)
    if (isLarge) await yieldToLoop()
    const unsealed = format.unseal?.(sent, client.unseal) ?? null
    const raw = unsealed?.raw ?? sent
    const stream = format.neverStreams !== true && raw['stream'] === true
    const body = format.toChat(raw)
    if (isLarge) await yieldToLoop()
    const input = await estimateChatInput(body, format.droppedParts?.(raw))
    const from = format.goesOnFrom?.(raw) ?? null
    const earlier = from === null ? null : await client.earlierAnswer(from)
    const { model } = raw
    const call = { format, model, stream, text, raw, unsealed, body, input, bytes, earlier }
    return choices === undefined ? call : { ...call, choices }
  },
  estimate: (call, offer, parts) => estimateText(call, offer, parts, besideOf(call, offer)),
  recount: (call, offer, parts) =>
    recountText(call, offer, parts, {
      ...besideOf(call, offer),
      read: call.format.droppedParts?.(call.raw) ?? [],
    }),
  routes: textRoutes,
  ask,
  suits: suitsText,
  beginning: promptBeginning,
  learn(call, offer, usage, calibration) {
    const { format } = call
    if (format.readsLess?.(call.raw) === true) return
    // The earlier answer is paid again, and is not in the prompt; one that is made shorter is read twice.
    const isOnce = (format.compactsFrom?.(call.raw) ?? null) === null
    if (isOnce && (format.goesOnFrom?.(call.raw) ?? null) === null)
      learnInput(call, offer, usage, calibration)
  },
  tellUsage: own.tellUsage,
  unanswered(call, asked) {
    const { format, raw, model } = call
    const { openRenderer } = format.answer(raw, sealFor(asked.vault, asked.project))
    const identity = replyIdentity(asked, model)
    return unansweredStream(openRenderer(identity, promptTokensOf(call, asked)), asked)
  },
  lowers: {
    choices: ({ body }) => body.n ?? 1,
    can({ format, body, raw }, traits, tokens) {
      const budget = format.thinkingBudget?.(raw) ?? null
      return canLower(body, traits) && (budget === null || budget < tokens)
    },
    to: callBelow,
  },
  collects: {
    // Sound comes in other forms in a stream.
    can: ({ body }) => !speaks(body),
    asStream: collected,
    open: () => own.collect(),
  },
})

/** A call whose stream is put together to the whole answer that its client waits for. */
const collected = <Raw extends Fields>(call: TextCall<Raw>): TextCall<Raw> => ({
  ...call,
  stream: true,
  isCollected: true,
  body: { ...call.body, stream: true },
  raw: { ...call.raw, stream: true },
  text: editMembers(call.text, { set: { stream: true }, drop: [] }),
})

/** A call whose answer ends after so many tokens, also where a vendor gets its own text. */
function callBelow<Raw extends Fields>(call: TextCall<Raw>, tokens: number): TextCall<Raw> {
  const lowered = { ...call, body: bodyBelow(call.body, tokens) }
  const name = call.format.native?.ceiling
  if (name === undefined) return lowered
  const raw = { ...call.raw, [name]: tokens }
  return { ...lowered, raw, text: editMembers(call.text, { set: { [name]: tokens }, drop: [] }) }
}

/**
 * Asks a vendor in the client's format where it speaks that, through the middle otherwise.
 * @throws endpoint_not_supported for options that this vendor lacks
 */
function ask<Raw extends Fields>(
  call: TextCall<Raw>,
  target: Target,
  asked: RequestParts,
): Promise<Ask> {
  try {
    return requestEither(call, target, asked)
  } catch (thrown) {
    return rejected(thrown)
  }
}

function requestEither<Raw extends Fields>(
  call: TextCall<Raw>,
  target: Target,
  asked: RequestParts,
): Promise<Ask> {
  const { format, raw } = call
  const { native, endpoint } = format
  const { offer } = asked
  const conditions = sellerConditions(raw, target, { endpoint, offer })
  const { abilities } = target.vendor
  const ability = native === undefined ? undefined : abilities[native.ability]
  if (native !== undefined && ability !== undefined && ability.takes?.(raw, target) !== false)
    return requestInFormat(call, { native, ability, conditions }, target, asked)
  return requestTranslated(call, conditions, target, asked)
}

/** Asks through the middle. A function of its own: a closure costs each call that makes its scope. */
function requestTranslated<Raw extends Fields>(
  call: TextCall<Raw>,
  conditions: Fields | null,
  target: Target,
  asked: RequestParts,
): Promise<Ask> {
  const { format, body, raw } = call
  const { endpoint } = format
  const { offer } = asked
  const { chat, hub } = target.vendor.abilities
  const passes = chat !== undefined && chat.takes?.(body, target) !== false ? chat : null
  const through = passes === null ? hub : chatHub(passes, target)
  if (through === undefined) throw notSupported(endpoint, offer)
  const unlisted: UnlistedMembers = new Set()
  const beyond =
    unsaidMember(format.members, raw, unlisted) ??
    format.untranslatable?.(raw, target.sells('tool:web_search'), unlisted) ??
    null
  if (beyond !== null)
    throw beyondTranslation(raw, beyond, offer.model.id, endpoints[endpoint].path)
  const asking = requestThrough({ call, through, passes, conditions }, target, asked)
  if (unlisted.size === 0) return asking
  return asking.then((made) => ({ ...made, ignored: [...unlisted] }))
}

/** Refusal of a member that no translation says. */
function beyondTranslation(raw: Fields, param: string, model: string, path: string): GatewayError {
  const [, at] = /^tools\[(\d+)\]/.exec(param) ?? []
  const tool = at === undefined ? undefined : listOf(raw['tools'])[Number(at)]
  return unknownTool(tool, path, param) ?? unsupported(model, path, param)
}

interface Native<Raw extends Fields> {
  readonly native: NativeFormat<Raw>
  readonly ability: NativeAbility
  readonly conditions: Fields | null
}

function requestInFormat<Raw extends Fields>(
  call: TextCall<Raw>,
  parts: Native<Raw>,
  target: Target,
  asked: RequestParts,
): Promise<Ask> {
  if ((parts.ability.wantsReasoning?.(target) ?? null) === null || !usesTools(call.body))
    return Promise.resolve(requestNative(call, parts, target, asked))
  const { body, bytes, raw } = call
  const recall = openRecall({ body, bytes, raw, target, asked })
  return recall instanceof Promise
    ? recall.then((known) => requestNative(call, parts, target, asked, known))
    : Promise.resolve(requestNative(call, parts, target, asked, recall))
}

/** The client's own text, edited where it must be. @param recall of a vendor that wants reasoning back */
function requestNative<Raw extends Fields>(
  call: TextCall<Raw>,
  { native, ability, conditions }: Native<Raw>,
  target: Target,
  asked: RequestParts,
  recall?: ClientMark['recall'],
): Ask {
  const { project, inbound } = asked
  const { text, raw, stream, unsealed, earlier } = call
  const isKept = earlier?.vendor === target.config.name && earlier.project === project
  const mark = clientMark(asked, {
    stream,
    ...(recall === undefined ? {} : { recall }),
    answerName: () => (isKept ? earlier.name : undefined),
    conditions,
  })
  const edit = ability.shape(raw, target, mark)
  const headers = ability.headers?.(target, mark, inbound.headers) ?? []
  const parts = { native, ability, call, target, asked }
  const fee = native.tellsNoSearch === true ? searchFee(raw, target, edit.drop) : null
  const asking: Ask = {
    request: {
      method: 'POST',
      path: ability.path(target),
      contentType: 'application/json',
      body: editMembers(text, editFor(target, raw, edit, unsealed?.set)),
      timeoutMs: answerTimeoutMs(call, target, asked),
      ...(headers.length > 0 ? { headers } : {}),
    },
    answer: (reply) => readNativeAnswer(reply, parts),
  }
  const named = edit.ignored === undefined ? asking : { ...asking, ignored: edit.ignored }
  return fee === null ? named : withSearchFee(named, fee)
}

function editFor(
  { route }: Target,
  raw: Fields,
  { set, drop }: BodyEdit,
  unsealed: Fields | undefined,
): BodyEdit {
  const conditions = withoutConditions(raw)
  const changed: Fields = { ...unsealed, ...set, model: route.vendorModel }
  // What the vendor does not take is left out in either form.
  if (unsealed !== undefined) for (const name of drop) delete changed[name]
  return { set: changed, drop: conditions.length === 0 ? drop : [...drop, ...conditions] }
}

interface Through<Raw extends Fields> {
  readonly call: TextCall<Raw>
  readonly through: HubAbility
  /** Of a vendor of the reference format; null where that is not what it is asked in. */
  readonly passes: ChatAbility | null
  readonly conditions: Fields | null
}

async function requestThrough<Raw extends Fields>(
  { call, through, passes, conditions }: Through<Raw>,
  target: Target,
  asked: RequestParts,
): Promise<Ask> {
  const { format, model, stream, body, bytes, raw } = call
  const promptTokens = promptTokensOf(call, asked)
  const answer = format.answer(raw, sealFor(asked.vault, asked.project))
  const timeoutMs = answerTimeoutMs(call, target, asked)
  const told = { family: format.endpoint, model, stream, promptTokens, timeoutMs, conditions }
  const question = { body, bytes, raw, format: answer, ...told }
  const asking = await requestHub(question, through, target, asked).catch((thrown: unknown) => {
    throw inClientWords(thrown, { endpoint: format.endpoint, members: format.members, raw, body })
  })
  const meter = searchMeter(body, target)
  if (meter === null) return asking
  if (passes === null)
    return through.sizesSearches === true ? withSizedSearches(asking, meter) : asking
  const goesOut = through.searches?.(body, target, clientMark(asked, { stream })) !== false
  return goesOut ? withSearchFee(asking, meter) : asking
}
