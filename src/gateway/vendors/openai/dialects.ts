import { callIdForms } from '../../formats/call-ids'
import type { ThinkingMember } from '../../formats/reasoning'
import type { MessageRules, ReasoningRule } from './message-rules'

/** Deviations of one vendor from the reference chat format. Data, so that a new one is a row. */
export interface Dialect {
  /** For people. */
  readonly title: string
  /** The vendor's own address; null where there is none of its own. */
  readonly baseUrl: string | null
  /** Hosts by which an address is recognised, besides that of `baseUrl`; their subdomains too. */
  readonly hosts: readonly string[]
  /** The port by which a server of unknown host is recognised. */
  readonly port: number | null
  /** Where its key is found in the environment; null where it needs more than a key. */
  readonly keyVariable: string | null
  readonly auth: 'bearer' | 'api-key'
  /** Whether a stream's usage must be asked for; a vendor that refuses unknown fields must not be. */
  readonly streamOptions: 'usage' | 'usage-plain' | 'none'
  /** The field for our opaque id of the client; null where it would be refused. */
  readonly safetyField: 'safety_identifier' | 'user' | 'user_id' | null
  /** How it takes requests of the Responses format; null where it has no such endpoint, or a partial one. */
  readonly responses: ResponsesRules | null
  /** The format in which it is asked for videos. */
  readonly videos: 'reference' | 'xai' | 'alibaba'
  /** The name of the output ceiling; null passes the client's own. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens' | null
  /** The only fields it takes, besides those we set ourselves; null: it takes what it does not know. */
  readonly allow: readonly string[] | null
  /** Fields it refuses, or that would buy more than tokens. */
  readonly drop: readonly string[]
  /** Fields by which it is asked for thinking, the plainest first; null: whichever the client sends. */
  readonly thinking: readonly ThinkingMember[] | null
  /** Fields that ask for thinking beyond its output ceiling. */
  readonly thinkingBeyond?: readonly string[]
  /** Fields it knows by another name. */
  readonly rename: Readonly<Record<string, string>>
  /** Above this `temperature` it refuses. */
  readonly maxTemperature: number | null
  /** The forms of `tool_choice` it takes; null: all. */
  readonly toolChoices: readonly ToolChoiceForm[] | null
  /** It hands calls on to sellers, and keeps conditions of a client on which of them. */
  readonly choosesSellers?: true
  /**
   * Its form of marks of caches (formats/chat/cache-marks). Null for a server of unknown kind, which may be a
   * gateway itself.
   */
  readonly cacheMarks: CacheMarkForm | null
  /** Rules for members inside messages. */
  readonly messages: MessageRules
}

/** Rules for requests of the Responses format. */
export interface ResponsesRules {
  /**
   * Which requests of clients pass as they are: all; those of models that are said to be served so (the traits `chat`
   * and `responses`) and those that a translation cannot serve; or those of models of the trait `responses` alone.
   */
  readonly passes: 'all' | 'untranslatable' | 'declared'
  /** The field for our opaque id of the client; null for none. */
  readonly safetyField: 'safety_identifier' | 'user' | null
  /** Keeps answers, so that `previous_response_id` can go on from them. */
  readonly keeps: boolean
  /** Reads sealed reasoning (`encrypted_content`). */
  readonly seals: boolean
  /** Members that it does not take. */
  readonly drop: readonly string[]
  /** Takes `stream_options`. */
  readonly streamOptions: boolean
  /** Makes conversations shorter by itself (`/responses/compact`). */
  readonly compacts: boolean
}

/** Form of marks of caches; `none` takes them off: many vendors refuse members that they do not know. */
export type CacheMarkForm =
  'cache_control' | 'cache_control_parts' | 'prompt_cache_breakpoint' | 'none'

export type ToolChoiceForm = 'none' | 'auto' | 'required' | 'named'

const asContent: ReasoningRule = { member: 'reasoning_content' }

/**
 * Of vendors that have the endpoint, by its older fields.
 * @see https://learn.microsoft.com/azure/foundry/openai/how-to/responses and
 *   https://docs.x.ai/developers/model-capabilities/text/comparison, November 2026
 */
const partly: ResponsesRules = {
  passes: 'untranslatable',
  safetyField: 'user',
  keeps: true,
  seals: true,
  drop: [],
  streamOptions: false,
  compacts: false,
}

/** Of vendors whose endpoint keeps nothing, and is asked where the operator says so (the trait `responses`). */
const stateless: ResponsesRules = {
  ...partly,
  passes: 'declared',
  safetyField: null,
  keeps: false,
}

const promptCacheMembers = ['prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention']

const plain: Dialect = {
  title: 'OpenAI-compatible server',
  baseUrl: null,
  hosts: [],
  port: null,
  keyVariable: null,
  auth: 'bearer',
  streamOptions: 'usage',
  safetyField: null,
  responses: null,
  videos: 'reference',
  maxTokensName: null,
  allow: null,
  drop: [],
  thinking: null,
  rename: {},
  maxTemperature: null,
  toolChoices: null,
  messages: { developer: false, reasoning: { member: 'as-sent' } },
  cacheMarks: 'none',
}

/**
 * A vendor's row is also the owner of its models in the public prices.
 * @see each vendor's published interface, November 2026
 */
export const dialects = {
  openai: {
    ...plain,
    title: 'OpenAI',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    streamOptions: 'usage-plain',
    // Of answers that are kept, which none is.
    drop: ['metadata'],
    safetyField: 'safety_identifier',
    responses: {
      passes: 'all',
      safetyField: 'safety_identifier',
      keeps: true,
      seals: true,
      drop: [],
      streamOptions: true,
      compacts: true,
    },
    maxTokensName: 'max_completion_tokens',
    messages: { developer: true, callIds: callIdForms.openaiChat, reasoning: null },
    cacheMarks: 'prompt_cache_breakpoint',
  },
  azure: {
    ...plain,
    title: 'Azure OpenAI',
    thinking: ['reasoning_effort'],
    hosts: ['openai.azure.com', 'services.ai.azure.com', 'cognitiveservices.azure.com'],
    auth: 'api-key',
    drop: ['metadata'],
    safetyField: 'user',
    responses: partly,
    maxTokensName: 'max_completion_tokens',
    messages: { developer: true, callIds: callIdForms.openaiChat, reasoning: null },
    cacheMarks: 'prompt_cache_breakpoint',
  },
  deepseek: {
    ...plain,
    title: 'DeepSeek',
    thinking: ['reasoning_effort', 'thinking'],
    baseUrl: 'https://api.deepseek.com',
    keyVariable: 'DEEPSEEK_API_KEY',
    safetyField: 'user_id',
    // For Codex, and keeps nothing (api-docs.deepseek.com/api/create-response, 2026). Which members it lacks is by
    // others' reading of its guide, not by an interface that says so.
    responses: { ...stateless, seals: false, drop: ['store', 'include', 'truncation'] },
    maxTokensName: 'max_tokens',
    drop: ['presence_penalty', 'frequency_penalty', 'seed', 'n'],
    // @see https://api-docs.deepseek.com/guides/thinking_mode, November 2026
    messages: { developer: false, reasoning: { ...asContent, required: 'turns' } },
  },
  mistral: {
    ...plain,
    title: 'Mistral',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    streamOptions: 'none',
    maxTokensName: 'max_tokens',
    // Its schema forbids every other field.
    allow: [
      'model',
      'messages',
      'stream',
      'temperature',
      'top_p',
      'max_tokens',
      'stop',
      'n',
      'response_format',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'presence_penalty',
      'frequency_penalty',
      'prediction',
      'prompt_mode',
      'reasoning_effort',
      'prompt_cache_key',
      'metadata',
      'safe_prompt',
      'random_seed',
    ],
    rename: { seed: 'random_seed' },
    maxTemperature: 1.5,
    // Members by mistralai/client-ts 2.7.0, `AssistantMessage` and `UserMessage`. A user after a tool is refused
    // with code 3230, as reported until May 2026.
    messages: {
      developer: false,
      dropName: true,
      callIds: callIdForms.mistral,
      assistant: new Set(['role', 'content', 'tool_calls', 'prefix']),
      assistantAfterTool: true,
      reasoning: { member: 'thinking-part', own: true },
    },
  },
  xai: {
    ...plain,
    title: 'xAI',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.x.ai/v1',
    keyVariable: 'XAI_API_KEY',
    videos: 'xai',
    safetyField: 'user',
    responses: partly,
    // A deferred answer would come to nobody.
    drop: ['deferred'],
    // Its chat has no member for what was thought (docs.x.ai, Best Practices Guide, November 2026).
    messages: { developer: false, reasoning: null },
  },
  groq: {
    ...plain,
    title: 'Groq',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    safetyField: 'user',
    // A beta without `previous_response_id`, `store`, `truncation`, `include`, `safety_identifier`, `prompt_cache_key`
    // and `prompt` (console.groq.com/docs/responses-api, "Unsupported Features", 2026). The newer members of prompt
    // caching are not named there, and go with the older one.
    responses: {
      ...stateless,
      safetyField: 'user',
      seals: false,
      drop: ['store', 'include', 'truncation', ...promptCacheMembers],
    },
    drop: ['logprobs', 'top_logprobs', 'logit_bias', 'n'],
    // It refuses `reasoning_content`, and `reasoning` at models that do not think (groq-python,
    // `ChatCompletionAssistantMessageParam`, November 2026).
    messages: {
      developer: false,
      dropName: true,
      assistant: new Set(['role', 'content', 'tool_calls', 'function_call', 'reasoning']),
      reasoning: { member: 'reasoning', own: true },
    },
  },
  together: {
    ...plain,
    title: 'Together',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.together.ai/v1',
    hosts: ['api.together.xyz'],
    keyVariable: 'TOGETHER_API_KEY',
    maxTokensName: 'max_tokens',
  },
  openrouter: {
    ...plain,
    title: 'OpenRouter',
    thinking: ['reasoning_effort', 'reasoning'],
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    safetyField: 'user',
    // A beta that keeps nothing: `store: true` and `previous_response_id` are refused with 400
    // (openrouter.ai/docs/api_reference/responses/overview, 2026). Its request has `user`, `safety_identifier`,
    // `include` with sealed reasoning, `truncation` and `prompt_cache_key` (OpenRouterTeam/typescript-sdk,
    // `ResponsesRequest`, 2026), and neither `stream_options` nor the newer members of prompt caching; what becomes of
    // members that it does not name is not documented.
    responses: { ...stateless, safetyField: 'user' },
    maxTokensName: 'max_tokens',
    // Billed by the search, on top of tokens.
    drop: ['web_search_options'],
    choosesSellers: true,
    // @see https://openrouter.ai/docs/guides/best-practices/reasoning-tokens, November 2026
    messages: { developer: true, reasoning: { member: 'reasoning', details: true } },
    // For models of any seller (openrouter.ai/docs, prompt caching).
    cacheMarks: 'cache_control',
  },
  cohere: {
    ...plain,
    title: 'Cohere',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    hosts: ['api.cohere.com'],
    keyVariable: 'COHERE_API_KEY',
    maxTokensName: 'max_tokens',
    drop: ['n', 'logit_bias', 'top_logprobs', 'parallel_tool_calls'],
    toolChoices: ['none', 'auto', 'required'],
    messages: { developer: false, reasoning: null },
  },
  alibaba: {
    ...plain,
    title: 'Qwen',
    thinking: ['enable_thinking', 'thinking_budget'],
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    hosts: ['dashscope.aliyuncs.com', 'dashscope-us.aliyuncs.com'],
    keyVariable: 'DASHSCOPE_API_KEY',
    videos: 'alibaba',
    maxTokensName: 'max_tokens',
    // Some models cost several times as much while they think (qwen-plus, qwen-turbo).
    thinkingBeyond: ['enable_thinking', 'thinking_budget'],
    // In messages alone (alibabacloud.com/help/en/model-studio/context-cache).
    cacheMarks: 'cache_control_parts',
    toolChoices: ['none', 'auto', 'named'],
    // @see https://www.alibabacloud.com/help/en/model-studio/deep-thinking, June 2026 (`preserve_thinking`)
    messages: { developer: false, reasoning: asContent },
  },
  moonshot: {
    ...plain,
    title: 'Moonshot',
    thinking: ['thinking', 'reasoning_effort'],
    baseUrl: 'https://api.moonshot.ai/v1',
    hosts: ['api.moonshot.cn'],
    keyVariable: 'MOONSHOT_API_KEY',
    maxTokensName: 'max_completion_tokens',
    drop: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'n'],
    toolChoices: ['none', 'auto'],
    messages: { developer: false, reasoning: { ...asContent, required: 'calls' } },
  },
  zhipu: {
    ...plain,
    title: 'Zhipu GLM',
    thinking: ['thinking'],
    baseUrl: 'https://api.z.ai/api/paas/v4',
    hosts: ['open.bigmodel.cn'],
    keyVariable: 'ZHIPU_API_KEY',
    streamOptions: 'none',
    maxTokensName: 'max_tokens',
    drop: ['presence_penalty', 'frequency_penalty', 'seed', 'n', 'logprobs', 'top_logprobs'],
    maxTemperature: 1,
    toolChoices: ['auto'],
    // @see https://docs.z.ai/guides/capabilities/thinking-mode, November 2026
    messages: { developer: false, dropName: true, reasoning: asContent },
  },
  perplexity: {
    ...plain,
    title: 'Perplexity',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.perplexity.ai',
    keyVariable: 'PERPLEXITY_API_KEY',
    streamOptions: 'none',
    maxTokensName: 'max_tokens',
    // A search that costs twice as much.
    drop: ['search_type'],
    messages: { developer: false, reasoning: null },
  },
  /** It refuses `reasoning`. @see https://docs.fireworks.ai/guides/reasoning, November 2026 */
  fireworks: {
    ...plain,
    title: 'Fireworks',
    thinking: ['reasoning_effort', 'thinking'],
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariable: 'FIREWORKS_API_KEY',
    safetyField: 'user',
    maxTokensName: 'max_tokens',
    messages: { developer: false, reasoning: asContent },
  },
  cerebras: {
    ...plain,
    title: 'Cerebras',
    thinking: ['reasoning_effort'],
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariable: 'CEREBRAS_API_KEY',
    safetyField: 'user',
    maxTokensName: 'max_completion_tokens',
    drop: ['presence_penalty', 'frequency_penalty', 'logit_bias'],
    // It refuses `reasoning_content` and takes `reasoning`, as reported in September 2026.
    messages: { developer: false, reasoning: { member: 'reasoning', own: true } },
  },
  deepinfra: {
    ...plain,
    title: 'DeepInfra',
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    keyVariable: 'DEEPINFRA_API_KEY',
    safetyField: 'user',
    maxTokensName: 'max_tokens',
  },
  /** @see https://docs.sambanova.ai/docs/en/features/openai-compatibility, November 2026 */
  sambanova: {
    ...plain,
    title: 'SambaNova',
    baseUrl: 'https://api.sambanova.ai/v1',
    keyVariable: 'SAMBANOVA_API_KEY',
    safetyField: 'user',
    maxTokensName: 'max_tokens',
    drop: ['presence_penalty', 'frequency_penalty', 'logit_bias'],
  },
  /** @see https://docs.tokenfactory.nebius.com, November 2026 */
  nebius: {
    ...plain,
    title: 'Nebius',
    baseUrl: 'https://api.tokenfactory.nebius.com/v1',
    hosts: ['api.studio.nebius.com', 'api.studio.nebius.ai'],
    keyVariable: 'NEBIUS_API_KEY',
    safetyField: 'user',
    maxTokensName: 'max_tokens',
  },
  /** Served by vLLM. @see https://docs.nvidia.com/nim/large-language-models, November 2026 */
  nvidia: {
    ...plain,
    title: 'NVIDIA NIM',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyVariable: 'NVIDIA_API_KEY',
    maxTokensName: 'max_tokens',
  },
  // These two sell vectors only.
  voyage: {
    ...plain,
    title: 'Voyage AI',
    baseUrl: 'https://api.voyageai.com/v1',
    keyVariable: 'VOYAGE_API_KEY',
  },
  jina: {
    ...plain,
    title: 'Jina AI',
    baseUrl: 'https://api.jina.ai/v1',
    keyVariable: 'JINA_API_KEY',
  },
  ollama: {
    ...plain,
    title: 'Ollama',
    port: 11434,
    maxTokensName: 'max_tokens',
    drop: ['n', 'logit_bias', 'logprobs', 'top_logprobs'],
    toolChoices: [],
    cacheMarks: null,
    // @see ollama/ollama, `openai/openai.go`, November 2026
    messages: { developer: false, reasoning: { member: 'reasoning' } },
  },
  lmstudio: {
    ...plain,
    title: 'LM Studio',
    port: 1234,
    maxTokensName: 'max_tokens',
    cacheMarks: null,
  },
  vllm: {
    ...plain,
    title: 'vLLM',
    // By vllm-project/vllm, `entrypoints/openai/responses/protocol.py` (`ResponsesRequest`), 2026: `store` and
    // `include` are read, `prompt_cache_key` is ignored and `prompt` refused. Answers are kept, and sealed reasoning is
    // its own state, only where a server is set up so: neither is relied on.
    responses: { ...stateless, seals: false },
    maxTokensName: 'max_tokens',
    cacheMarks: null,
    // It reads no other member of a request (docs.vllm.ai, Interleaved Thinking, 0.17.1).
    messages: { developer: false, reasoning: { member: 'reasoning' } },
  },
  generic: { ...plain, responses: stateless, cacheMarks: null },
} as const satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects

/** Whether a name is a dialect. */
export const isDialect = (name: string): name is DialectName => Object.hasOwn(dialects, name)

/** Whether a trait that names the Responses endpoint means anything at vendors of a dialect. */
export function heedsTrait(name: string, trait: 'chat' | 'responses'): boolean {
  const rules = isDialect(name) ? dialects[name].responses : null
  return rules !== null && (trait === 'responses' || rules.passes !== 'declared')
}

/**
 * The dialect spoken at an address; `generic` where it is not known.
 * @throws TypeError when it is no URL
 */
export function dialectFor(baseUrl: string): DialectName {
  const { hostname, port } = new URL(baseUrl)
  const found = Object.entries<Dialect>(dialects).find(([, dialect]) => {
    const own = dialect.baseUrl === null ? [] : [new URL(dialect.baseUrl).hostname]
    return [...own, ...dialect.hosts].some(
      (host) => hostname === host || hostname.endsWith(`.${host}`),
    )
  })
  const byPort = Object.entries<Dialect>(dialects).find(
    ([, dialect]) => dialect.port !== null && String(dialect.port) === port,
  )
  const name = (found ?? byPort)?.[0] ?? 'generic'
  return isDialect(name) ? name : 'generic'
}
