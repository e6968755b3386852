import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import type { Offer } from '../../catalogue/catalogue'
import type { Caller } from '../../../domain/caller'
import type { ProjectId } from '../../../domain/ids'
import type { VendorConfig } from '../../../domain/model'
import { parseMessagesRequest } from '../../formats/messages/parse-request'
import { checkMessagesBody, type MessagesBody } from '../../formats/messages/schema'
import { editMembers } from '../../json/edit-members'
import { readJson } from '../../http/json-body'
import type { Inbound } from '../../http/inbound'
import { checkModel } from '../../identity/access'
import { estimateChatInput } from '../../metering/estimate-chat'
import type { CountAbility, Target } from '../../vendors/vendor'
import { candidatesOf } from '../../call/candidates'
import type { CallBody } from '../../call/endpoint'
import { stagedRefusal } from '../../call/forced-error'
import { targetOf } from '../../call/try-routes'
import { clientMark } from '../client-mark'
import { conversationMembers, refusePrivateUrls } from '../fetched-urls'
import { chooseModels } from './model-choices'
import type { CallParts } from '../../call/run'
import type { Exchange } from '../../outbound/send'
import { promptTokensOf } from './text-estimate'
import { replyText } from '../whole-reply'

/**
 * The tokens of a prompt in the Messages format, as we estimate them: nothing is held, charged or
 * recorded, and no vendor is asked unless the operator wants that.
 * @throws 400 codes, request_too_large, 403 and 404 codes of the model
 */
export async function countPromptTokens(
  parts: CallParts,
  inbound: Inbound,
  caller: Caller,
): Promise<number> {
  const sent = await readJson(inbound.request, caller.account.maxRequestKb * 1024)
  const { json, choices } = chooseModels(sent)
  const { text, value } = json
  const raw = checkMessagesBody(value)
  refusePrivateUrls(raw, conversationMembers)
  const body = { model: raw.model, stream: false, ...(choices === undefined ? {} : { choices }) }
  const offer = firstAllowed(parts, caller, body)
  if (offer.refusal !== undefined)
    throw stagedRefusal(offer.refusal, parts, { caller, inbound, offer, endpoint: 'messages' })
  if (parts.settings.vendorCount) {
    const told = await countAtVendor(parts, { raw, text, offer, inbound, caller })
    if (told !== null) return told
  }
  const input = await estimateChatInput(parseMessagesRequest(raw))
  return promptTokensOf({ input }, { offer, calibration: parts.calibration })
}

/** Of the models that may answer, the first that the key may use. @throws 403 and 404 codes of the model */
function firstAllowed({ catalogue }: CallParts, caller: Caller, body: CallBody): Offer {
  let refusal: unknown
  for (const { offer, param, needs } of candidatesOf(
    catalogue.of(caller.account.group),
    served,
    body,
  ))
    try {
      checkModel(caller, offer.model, param)
      return offer
    } catch (thrown) {
      if (needs !== 'nothing') throw thrown
      refusal ??= thrown
    }
  throw refusal
}

const served = { name: 'messages', models: 'chat' } as const

interface Counted {
  readonly raw: MessagesBody
  readonly text: string
  readonly offer: Offer
  readonly inbound: Inbound
  readonly caller: Caller
}

/** Longer than this a client does not wait for a number that we can tell ourselves. */
const patienceMs = 2000

/** @returns null when the vendor has no counter, or did not count: our own number is there */
async function countAtVendor(parts: CallParts, counted: Counted): Promise<number | null> {
  const found = counterOf(parts, counted.offer, counted.caller.project.id)
  if (found === null) return null
  const { ability, target } = found
  const { raw, text, offer, inbound, caller } = counted
  const project = caller.project.id
  const { settings } = parts
  const mark = clientMark({ safetyId: parts.safetyId(project), settings }, { stream: false })
  const { set, drop } = ability.shape(raw, target, mark)
  const body = editMembers(text, { set: { ...set, model: target.route.vendorModel }, drop })
  const headers = target.vendor.abilities.messages?.headers?.(target, mark, inbound.headers) ?? []
  const request = {
    method: 'POST',
    path: ability.path(target),
    contentType: 'application/json',
    body,
    headers,
  } as const
  let exchange: Exchange | null = null
  try {
    exchange = await parts.send(request, target, inbound.signal, offer.model.id)
    const { ok } = exchange.reply
    const maxBytes = maxAnswerBytes('token count')
    return ok ? ability.read(await exchange.inTime(replyText(exchange.reply, maxBytes))) : null
  } catch {
    return null
  } finally {
    exchange?.end()
  }
}

function counterOf(
  parts: CallParts,
  offer: Offer,
  project: ProjectId,
): { readonly ability: CountAbility; readonly target: Target } | null {
  for (const route of parts.routeOrder.order(offer.routes)) {
    const target = targetOf(parts, route, offer)
    const ability = target?.vendor.abilities.count
    if (target === null || ability === undefined) continue
    const [config = target.config] = parts.vendorHealth.order(target.config, { project })
    return { ability, target: { ...target, config: impatient(config) } }
  }
  return null
}

/** Vendor configurations with a shorter timeout; made once each, since connections hang on them. */
const hurried = new WeakMap<VendorConfig, VendorConfig>()

function impatient(config: VendorConfig): VendorConfig {
  let short = hurried.get(config)
  if (short === undefined) {
    short = { ...config, timeoutMs: Math.min(config.timeoutMs, patienceMs) }
    hurried.set(config, short)
  }
  return short
}
