import { offersTools } from '../../formats/chat/tool-options'
import { readWebSearch } from '../../formats/chat/web-search'
import { soldSearches } from '../../formats/hosted-tools'
import { isFields, type Fields } from '../../json/fields'
import { parseResponsesReply } from '../../formats/responses/parse-reply'
import { openResponsesStream } from '../../formats/responses/parse-stream'
import { renderResponsesRequest } from '../../formats/responses/render-request'
import { refuseEmbedded } from '../failure'
import type { HubAbility, Target } from '../vendor'
import { takesBreakpoints } from './cache-marks'
import { heedsTrait } from './dialects'
import { dialectOf } from './shape-request'

/**
 * Whether a chat call must go as a response: its model speaks nothing else, or no chat with tools (gpt-5.6
 * refuses function tools in chat unless its effort is `none`, as observed).
 */
export function needsResponses(body: Readonly<Fields>, { traits, config }: Target): boolean {
  if (traits.chat === undefined || !heedsTrait(config.dialect, 'chat')) return false
  return traits.chat === 'responses' || offersTools(body)
}

/** Chat with the models that only speak Responses, or speak chat without tools. */
export const responses: HubAbility = {
  path: () => '/responses',
  render(body, target, mark) {
    const { route, traits, sells, config } = target
    const { responses: rules, messages } = dialectOf(config.dialect)
    const requested = readWebSearch(body)
    const isSold = soldSearches(requested?.contextSize ?? null, sells).length > 0
    const search = isSold ? requested : null
    const breakpoints = takesBreakpoints(target)
    const model = route.vendorModel
    const role = traits.systemRole ?? (messages.developer ? 'developer' : 'system')
    const question = { body, traits, model, role, search, breakpoints, ...mark }
    const request = renderResponsesRequest(question)
    return JSON.stringify({
      ...request,
      [rules?.safetyField ?? 'safety_identifier']: mark.safetyId,
    })
  },
  readReply(text, { model }) {
    const reply: unknown = JSON.parse(text)
    if (!isFields(reply)) throw new Error('reply is not a JSON object')
    if (isFields(reply['error'])) refuseEmbedded(reply, model)
    return parseResponsesReply(reply)
  },
  openStream: ({ model }) =>
    openResponsesStream({ refuse: (event) => refuseEmbedded(event, model) }),
  sizesSearches: true,
}
