import type { Offer } from '../../catalogue/catalogue'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import type { Units } from '../../../domain/usage'
import { isFields, listOf } from '../../json/fields'
import {
  checkModerationsBody,
  judgedIn,
  moderatedText,
  type ModerationsBody,
} from '../../formats/moderations/schema'
import { editMembers } from '../../json/edit-members'
import { readJson } from '../../http/json-body'
import { estimateTokensInSlices } from '../../metering/estimate-text'
import { exactCeiling } from '../../metering/usage-ceiling'
import type { Target } from '../../vendors/vendor'
import { clientMark } from '../client-mark'
import { refusePrivateUrls } from '../fetched-urls'
import type { RequestParts, CallBody, Endpoint } from '../../call/endpoint'
import { notSupported } from '../not-supported'
import { replyText } from '../whole-reply'

/** A checked request to judge, with the text it came in. */
interface ModerationsCall extends CallBody {
  readonly text: string
  readonly body: ModerationsBody
  readonly tokens: number
}

/** By what went in where that has a price, beside one per call or without; by the call alone otherwise. */
const unitsOf = ({ tokens }: ModerationsCall, { rates }: Offer): Units =>
  rates.base['input'] === undefined ? { request: 1 } : { input: Math.max(1, tokens) }

/** The endpoint of moderations. */
export const moderationsEndpoint: Endpoint<ModerationsCall> = {
  name: 'moderations',
  models: 'moderation',
  async read(inbound, maxBytes) {
    const { text, value } = await readJson(inbound.request, maxBytes)
    const body = checkModerationsBody(value)
    refusePrivateUrls(body)
    const tokens = await estimateTokensInSlices(moderatedText(body))
    return { model: body.model ?? null, stream: false, text, body, tokens }
  },
  estimate(call, offer) {
    const units = unitsOf(call, offer)
    return { low: units, usual: units, possible: exactCeiling(units) }
  },
  async ask(call, target, asked) {
    const { offer } = asked
    const { text, body } = call
    const { moderate } = target.vendor.abilities
    if (moderate === undefined) throw notSupported('moderations', offer)
    const edit = moderate.shape(body, target, clientMark(asked, { stream: false }))
    const set = { ...edit.set, model: target.route.vendorModel }
    return {
      request: {
        method: 'POST',
        path: moderate.path(target),
        contentType: 'application/json',
        body: editMembers(text, { set, drop: edit.drop }),
      },
      async answer(answered) {
        const reply = await replyText(answered, maxAnswerBytes('moderations'))
        const judged = judgement(reply, call, target, asked)
        const usage = { units: unitsOf(call, offer), reasoning: 0, estimated: true }
        return { kind: 'whole', contentType: 'application/json', body: judged, usage: () => usage }
      },
    }
  },
}

/** The vendor's text, but for id and model. @throws Error when it judges something else */
function judgement(
  text: string,
  { body }: ModerationsCall,
  { vendor }: Target,
  { inbound, offer }: RequestParts,
): string {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('reply is not a JSON object')
  const results = listOf(reply['results'])
  if (results.length === 0) {
    const failure = vendor.embeddedFailure(reply, offer.model.id)
    if (failure !== null) throw failure
  }
  if (results.length !== judgedIn(body)) throw new Error('result count mismatch')
  const set = { id: inbound.requestId, model: body.model ?? offer.model.id }
  return editMembers(text, { set, drop: [] })
}
