import type { ModelType } from '../../src/domain/model'

/** A vendor of the catalogue, and what the sources call it. */
export interface Owner {
  /** Our dialect or kind of vendor. */
  readonly name: string
  readonly litellm: readonly string[]
  readonly modelsDev: string
  readonly portkey?: string
  /** Take only what the second source lists too: the first keeps what is no longer served. */
  readonly onlyListed?: true
}

/** In the order in which plain ids are given: makers first, then those who serve others' models. */
export const owners: readonly Owner[] = [
  { name: 'openai', litellm: ['openai'], modelsDev: 'openai', portkey: 'openai' },
  { name: 'anthropic', litellm: ['anthropic'], modelsDev: 'anthropic', portkey: 'anthropic' },
  { name: 'google', litellm: ['gemini'], modelsDev: 'google', portkey: 'google' },
  { name: 'deepseek', litellm: ['deepseek'], modelsDev: 'deepseek', portkey: 'deepseek' },
  { name: 'mistral', litellm: ['mistral'], modelsDev: 'mistral', portkey: 'mistral-ai' },
  { name: 'xai', litellm: ['xai'], modelsDev: 'xai', portkey: 'x-ai' },
  { name: 'moonshot', litellm: ['moonshot'], modelsDev: 'moonshotai' },
  { name: 'alibaba', litellm: ['dashscope'], modelsDev: 'alibaba', portkey: 'dashscope' },
  { name: 'zhipu', litellm: ['zai'], modelsDev: 'zai' },
  { name: 'elevenlabs', litellm: ['elevenlabs'], modelsDev: 'elevenlabs' },
  { name: 'deepgram', litellm: ['deepgram'], modelsDev: 'deepgram', portkey: 'deepgram' },
  { name: 'cohere', litellm: ['cohere_chat', 'cohere'], modelsDev: 'cohere', portkey: 'cohere' },
  { name: 'voyage', litellm: ['voyage'], modelsDev: 'voyage' },
  { name: 'perplexity', litellm: ['perplexity'], modelsDev: 'perplexity' },
  { name: 'groq', litellm: ['groq'], modelsDev: 'groq', portkey: 'groq', onlyListed: true },
  { name: 'cerebras', litellm: ['cerebras'], modelsDev: 'cerebras', onlyListed: true },
  { name: 'together', litellm: ['together_ai'], modelsDev: 'togetherai', portkey: 'together-ai' },
  { name: 'fireworks', litellm: ['fireworks_ai'], modelsDev: 'fireworks-ai', onlyListed: true },
  { name: 'deepinfra', litellm: ['deepinfra'], modelsDev: 'deepinfra' },
  { name: 'openrouter', litellm: ['openrouter'], modelsDev: 'openrouter', portkey: 'openrouter' },
]

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
