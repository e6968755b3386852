/** How one vendor deviates from the reference chat format. Data, so that a new one is a row. */
export interface Dialect {
  /** The vendor's own address; null where there is none of its own. */
  readonly baseUrl: string | null
  /** Hosts by which an address is recognised, besides that of `baseUrl`. */
  readonly hosts: readonly string[]
  /** Where its key is found in the environment. */
  readonly keyVariable: string | null
  readonly auth: 'bearer' | 'api-key'
  /** Whether a stream's usage must be asked for; a vendor that refuses unknown fields must not be. */
  readonly streamOptions: 'usage' | 'usage-plain' | 'none'
  /** The field for our opaque id of the client; null where it would be refused. */
  readonly safetyField: 'safety_identifier' | 'user' | 'user_id' | null
  /** The name of the output ceiling; null passes the client's own. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens' | null
  /** Fields it refuses. */
  readonly drop: readonly string[]
  /** Fields it knows by another name. */
  readonly rename: Readonly<Record<string, string>>
}

const plain: Dialect = {
  baseUrl: null,
  hosts: [],
  keyVariable: null,
  auth: 'bearer',
  streamOptions: 'usage',
  safetyField: null,
  maxTokensName: null,
  drop: [],
  rename: {},
}

/** @see each vendor's published interface, November 2026 */
export const dialects = {
  openai: {
    ...plain,
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    streamOptions: 'usage-plain',
    safetyField: 'safety_identifier',
    maxTokensName: 'max_completion_tokens',
  },
  azure: {
    ...plain,
    hosts: ['openai.azure.com', 'services.ai.azure.com'],
    auth: 'api-key',
    maxTokensName: 'max_completion_tokens',
    safetyField: 'user',
  },
  deepseek: {
    ...plain,
    baseUrl: 'https://api.deepseek.com',
    keyVariable: 'DEEPSEEK_API_KEY',
    safetyField: 'user_id',
    maxTokensName: 'max_tokens',
    drop: ['presence_penalty', 'frequency_penalty', 'seed', 'n'],
  },
  mistral: {
    ...plain,
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    streamOptions: 'none',
    maxTokensName: 'max_tokens',
    drop: ['logprobs', 'top_logprobs', 'logit_bias', 'verbosity', 'modalities', 'audio'],
    rename: { seed: 'random_seed' },
  },
  xai: {
    ...plain,
    baseUrl: 'https://api.x.ai/v1',
    keyVariable: 'XAI_API_KEY',
    safetyField: 'user',
    drop: ['search_parameters'],
  },
  groq: {
    ...plain,
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    safetyField: 'user',
    drop: ['logprobs', 'top_logprobs', 'logit_bias'],
  },
  together: {
    ...plain,
    baseUrl: 'https://api.together.ai/v1',
    hosts: ['api.together.xyz'],
    keyVariable: 'TOGETHER_API_KEY',
    maxTokensName: 'max_tokens',
  },
  openrouter: {
    ...plain,
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    safetyField: 'user',
    maxTokensName: 'max_tokens',
  },
  cohere: {
    ...plain,
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    hosts: ['api.cohere.com'],
    keyVariable: 'COHERE_API_KEY',
    maxTokensName: 'max_tokens',
    drop: ['n', 'logit_bias', 'top_logprobs', 'parallel_tool_calls'],
  },
  alibaba: {
    ...plain,
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    hosts: ['dashscope.aliyuncs.com'],
    keyVariable: 'DASHSCOPE_API_KEY',
    maxTokensName: 'max_tokens',
  },
  moonshot: {
    ...plain,
    baseUrl: 'https://api.moonshot.ai/v1',
    hosts: ['api.moonshot.cn'],
    keyVariable: 'MOONSHOT_API_KEY',
    maxTokensName: 'max_completion_tokens',
    drop: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'n'],
  },
  zhipu: {
    ...plain,
    baseUrl: 'https://api.z.ai/api/paas/v4',
    hosts: ['open.bigmodel.cn'],
    keyVariable: 'ZHIPU_API_KEY',
    streamOptions: 'none',
    maxTokensName: 'max_tokens',
    drop: ['presence_penalty', 'frequency_penalty', 'seed', 'n', 'logprobs', 'top_logprobs'],
  },
  perplexity: {
    ...plain,
    baseUrl: 'https://api.perplexity.ai',
    keyVariable: 'PERPLEXITY_API_KEY',
    streamOptions: 'none',
    maxTokensName: 'max_tokens',
  },
  fireworks: {
    ...plain,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariable: 'FIREWORKS_API_KEY',
    maxTokensName: 'max_tokens',
  },
  cerebras: {
    ...plain,
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariable: 'CEREBRAS_API_KEY',
    maxTokensName: 'max_completion_tokens',
  },
  deepinfra: {
    ...plain,
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    keyVariable: 'DEEPINFRA_API_KEY',
    maxTokensName: 'max_tokens',
  },
  ollama: {
    ...plain,
    maxTokensName: 'max_tokens',
    drop: ['tool_choice', 'n', 'logit_bias', 'logprobs', 'top_logprobs'],
  },
  lmstudio: { ...plain, maxTokensName: 'max_tokens' },
  generic: plain,
} as const satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects

export const isDialect = (name: string): name is DialectName => Object.hasOwn(dialects, name)

/** The dialect spoken at an address; `generic` where it is not known. */
export function dialectFor(baseUrl: string): DialectName {
  const { hostname, port } = new URL(baseUrl)
  for (const [name, { baseUrl: own, hosts }] of Object.entries<Dialect>(dialects)) {
    if (!isDialect(name)) continue
    if (own !== null && new URL(own).hostname === hostname) return name
    if (hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return name
  }
  if (port === '11434') return 'ollama'
  return port === '1234' ? 'lmstudio' : 'generic'
}
