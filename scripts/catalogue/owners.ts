import type { ModelType } from '../../src/domain/model'
import { vendorNames, type VendorNames } from '../../src/business/pricing/sources/vendor-names'

/** A vendor of the catalogue, and what the sources call it. */
export interface Owner extends VendorNames {
  /** Take only what the second source lists too: the first keeps what is no longer served. */
  readonly onlyListed: boolean
}

const listedOnly: ReadonlySet<string> = new Set(['groq', 'cerebras', 'fireworks'])

/** In the order in which plain ids are given. */
export const owners: readonly Owner[] = vendorNames.map((names) => ({
  ...names,
  onlyListed: listedOnly.has(names.name),
}))

/** Models that are not for the catalogue whatever their price, and why. The first match counts. */
export const exclusions: readonly {
  readonly why: string
  readonly ids: RegExp
  readonly of?: string
  readonly type?: ModelType
}[] = [
  { why: 'fine-tuned', ids: /^ft:/ },
  // The released form of the realtime channel is spoken by these alone.
  {
    why: 'realtime',
    ids: /^(?!gpt-realtime(?!-whisper)).*(?:realtime|native-audio|-live-|livetranslate|-omni-flash)/,
  },
  { why: 'also charged per search', ids: /search|deep-research/ },
  { why: 'also charged per search', ids: /^(?!pplx-embed)/, of: 'perplexity' },
  { why: 'also charged per search', ids: /^perplexity\//, of: 'openrouter' },
  { why: 'another endpoint', ids: /computer-use|container|-asr-|guard/ },
  { why: 'another endpoint', ids: /-tts(?:-|$)|lyria/, type: 'chat' },
  { why: 'no model of its own', ids: /^together-ai-|ada-002-v2|-high-res$|\/models\/$|^~|^baai\// },
  { why: 'no model of its own', ids: /^gemini-gemma|^gpt-5-chat$|^claude-4-/ },
  {
    why: 'ended',
    ids: /^(?:chatgpt-4o-latest|o1-preview|o1-mini|gpt-image-1|dall-e-\d|text-moderation-\w+|gpt-4-turbo-preview|gpt-3\.5-turbo-(?:0301|0613|16k.*))$/,
  },
  // Other names of models whose own row says that they ended.
  { why: 'ended', ids: /^claude-opus-4-[01]$|^claude-sonnet-4-0$/, of: 'anthropic' },
  { why: 'ended', ids: /^grok-(?:2|3|beta|vision|code|4$|4-latest|4-1-)/, of: 'xai' },
  { why: 'ended', ids: /^gemini-2\.0/, of: 'google' },
  {
    why: 'no longer listed by its vendor',
    ids: /^voyage-(?:2$|3$|3-lite$|large-2$|lite-0)/,
    of: 'voyage',
  },
  { why: 'another endpoint', ids: /^voyage-(?:context|multimodal)/, of: 'voyage' },
  { why: 'another endpoint', ids: /^imagen-/, of: 'google' },
  { why: 'ended', ids: /^command-(?:light|r|r-plus)$|-v2\.0$/, of: 'cohere' },
  // Their thinking costs several times their answer, which one price for output cannot say.
  { why: 'thinking has another price', ids: /^qwen-(?:plus|turbo)(?:-|$)/, of: 'alibaba' },
]
