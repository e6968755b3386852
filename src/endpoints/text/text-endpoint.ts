import { collectChat } from '../../formats/chat/collect-stream'
import { checkChatBody } from '../../formats/chat/schema'
import { wireUsage } from '../../formats/chat/usage'
import { editMembers } from '../../json/edit-members'
import { readJson, type JsonBody } from '../../http/json-body'
import { estimateChatInput, type ChatEstimate } from '../../metering/estimate-chat'
import { clientMark } from './client-mark'
import type { Endpoint } from '../../call/endpoint'
import { notSupported } from '../not-supported'
import { askHub, chatFormat } from './hub-answer'
import { memoryPlace } from '../../call/reasoning-memory'
import { chooseModels } from './model-choices'
import { promptBeginning } from './prompt-beginning'
import { suitsText } from './suits-text'
import { searchesFor, withSearchFee } from './search-fee'
import { sellerConditions } from '../seller-conditions'
import { readTextAnswer } from './text-answer'
import { bodyBelow, canLower } from './money-ceiling'
import {
  estimateText,
  learnInput,
  promptTokensOf,
  recountText,
  speaks,
  type CountedText,
} from './text-estimate'

/** A checked chat request, with the text it came in. */
export interface ChatCall extends CountedText {
  readonly text: string
}

function checkedCall(sent: JsonBody): ChatCall | Promise<ChatCall> {
  const { json, choices } = chooseModels(sent)
  const { text, value, bytes } = json
  const body = checkChatBody(value)
  const call = (input: ChatEstimate): ChatCall => ({
    model: body.model,
    stream: body.stream === true,
    text,
    body,
    input,
    bytes,
    ...(choices === undefined ? {} : { choices }),
  })
  const input = estimateChatInput(body)
  return input instanceof Promise ? input.then(call) : call(input)
}

export const chatEndpoint: Endpoint<ChatCall> = {
  name: 'chat',
  models: 'chat',
  read: (inbound, maxBytes) => readJson(inbound.request, maxBytes).then(checkedCall),
  estimate: (call, offer, parts) => estimateText(call, offer, parts),
  recount: (call, offer, parts) => recountText(call, offer, parts),
  ask(call, target, asked) {
    const { offer, memory, project } = asked
    const { chat: ability, hub } = target.vendor.abilities
    const { model, stream, text, body } = call
    const promptTokens = promptTokensOf(call, asked)
    const conditions = sellerConditions(body, target, { endpoint: 'chat', offer })
    if (hub !== undefined && (ability === undefined || hub.takes?.(body, target) === true)) {
      const question = { body, model, stream, promptTokens, format: chatFormat, conditions }
      return askHub(question, hub, target, asked)
    }
    if (ability === undefined) throw notSupported('chat', offer)
    const recall = (callId: string) => memory.recall(memoryPlace(project, target), callId)
    const mark = clientMark(asked, stream, recall, conditions)
    const edit = ability.shape(body, target, mark)
    const headers = ability.headers?.(target, mark) ?? []
    const set = { ...edit.set, model: target.route.vendorModel }
    return {
      request: {
        method: 'POST',
        path: ability.path,
        contentType: 'application/json',
        body: editMembers(text, { set, drop: edit.drop }),
        ...(headers.length > 0 ? { headers } : {}),
      },
      answer(reply) {
        const parts = { ability, target, call: asked, model, stream, promptTokens }
        const answer = readTextAnswer(reply, parts)
        return searchesFor(body, target, edit.drop)
          ? Promise.resolve(answer).then(withSearchFee)
          : answer
      },
    }
  },
  suits: suitsText,
  beginning: promptBeginning,
  learn: learnInput,
  tellUsage: wireUsage,
  lowers: {
    choices: ({ body }) => body.n ?? 1,
    can: ({ body }, traits) => canLower(body, traits),
    to: (call, tokens) => ({
      ...call,
      body: bodyBelow(call.body, tokens),
      text: editMembers(call.text, { set: { max_tokens: tokens }, drop: [] }),
    }),
  },
  collects: {
    // Sound comes in other forms in a stream.
    can: ({ body }) => !speaks(body),
    asStream: (call) => ({
      ...call,
      stream: true,
      body: { ...call.body, stream: true },
      text: editMembers(call.text, { set: { stream: true }, drop: [] }),
    }),
    open: collectChat,
  },
}
