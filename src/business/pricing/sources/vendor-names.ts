/** Names of a vendor in public price sources. */
export interface VendorNames {
  /** Our dialect or kind of vendor. */
  readonly name: string
  readonly litellm: readonly string[]
  readonly modelsDev: string
  /** Name of its file. */
  readonly portkey?: string
}

/** In the order in which plain ids are given: makers first, then those who serve others' models. */
export const vendorNames = [
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
  { name: 'groq', litellm: ['groq'], modelsDev: 'groq', portkey: 'groq' },
  { name: 'cerebras', litellm: ['cerebras'], modelsDev: 'cerebras' },
  { name: 'together', litellm: ['together_ai'], modelsDev: 'togetherai', portkey: 'together-ai' },
  { name: 'fireworks', litellm: ['fireworks_ai'], modelsDev: 'fireworks-ai' },
  { name: 'deepinfra', litellm: ['deepinfra'], modelsDev: 'deepinfra' },
  { name: 'openrouter', litellm: ['openrouter'], modelsDev: 'openrouter', portkey: 'openrouter' },
] as const satisfies readonly VendorNames[]
