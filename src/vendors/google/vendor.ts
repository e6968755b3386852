import { GatewayError } from '../../errors/gateway-error'
import { parseGeminiReply } from '../../formats/gemini/parse-reply'
import { openGeminiStream, type GeminiStreamParts } from '../../formats/gemini/parse-stream'
import { renderGeminiRequest } from '../../formats/gemini/render-request'
import { readWebSearch } from '../../formats/chat/web-search'
import { VendorFailure } from '../failure'
import type { HubAbility, HubQuestion, Vendor } from '../vendor'
import { embeddings } from './embeddings'
import { videos } from './videos'
import { googleEmbeddedFailure, googleFailure } from './failure'

const reading = ({ model, requestId, traits }: HubQuestion): GeminiStreamParts => ({
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

const hub: HubAbility = {
  path({ route }, { stream }) {
    const name = route.vendorModel
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return `/${name.includes('/') ? name : `models/${name}`}:${method}`
  },
  render(body, { traits, maxOutputTokens, sells }, { recall }) {
    const search = sells('tool:web_search') && readWebSearch(body) !== null
    return JSON.stringify(renderGeminiRequest({ body, traits, maxOutputTokens, search, recall }))
  },
  readReply: (text, question) => parseGeminiReply(text, reading(question)),
  openStream: (question) => openGeminiStream(reading(question)),
  inlinesImages: true,
}

/** Google's own format, which tells more than its imitation of the reference. */
export const google: Vendor = {
  kind: 'google',
  abilities: { hub, embeddings, videos: () => videos },
  sign: (credential) => [['x-goog-api-key', credential]],
  failure: googleFailure,
  embeddedFailure: googleEmbeddedFailure,
}
