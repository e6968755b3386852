import { parseGeminiReply } from '../../formats/gemini/parse-reply'
import { openGeminiStream } from '../../formats/gemini/parse-stream'
import { renderGeminiRequest } from '../../formats/gemini/render-request'
import { readWebSearch } from '../../formats/chat/web-search'
import { safetyHeader } from '../safety-header'
import type { HubAbility, Vendor } from '../vendor'
import { embeddings } from './embeddings'
import { videos } from './videos'
import { googleEmbeddedFailure, googleFailure } from './failure'
import { images } from './images'
import { contentMethod } from './method'
import { music } from './music'
import { reading } from './reading'
import { speech } from './speech'
import { transcribe } from './transcribe'

const hub: HubAbility = {
  path: (target, { stream }) => contentMethod(target, stream),
  render(body, { traits, maxOutputTokens, sells }, { recall, withoutSealed = false }) {
    const search = sells('tool:web_search') ? readWebSearch(body) : null
    return JSON.stringify(
      renderGeminiRequest({ body, traits, maxOutputTokens, search, recall, withoutSealed }),
    )
  },
  headers: (_, { safetyId }) => [safetyHeader(safetyId)],
  readReply: (text, question) => parseGeminiReply(text, reading(question)),
  openStream: (question) => openGeminiStream(reading(question)),
  inlinesImages: true,
}

/**
 * Google's own format, which tells more than its imitation of the reference: thoughts in usage, signatures.
 * The key goes as `x-goog-api-key`, since an address with it would be logged on the way.
 */
export const google: Vendor = {
  kind: 'google',
  abilities: {
    hub,
    embeddings,
    images,
    speak: speech,
    music,
    transcribe,
    videos: () => videos,
  },
  sign: (credential) => [['x-goog-api-key', credential]],
  failure: googleFailure,
  embeddedFailure: googleEmbeddedFailure,
}
