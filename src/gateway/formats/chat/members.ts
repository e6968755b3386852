import type { Fields } from '../../json/fields'
import {
  requestsNothing,
  omitted,
  ownHint,
  refusedAlways,
  ruleOf,
  unless,
  translated,
  type RequestMembers,
  identityMembers,
  routingMembers,
} from '../request-members'
import { isOnlyEffort, thinkingMembers } from '../reasoning'
import { unsupported } from '../schema-fault'

/**
 * Members of a chat request: those of the reference, and those that compatible vendors added. What is translated
 * each format of a vendor's own says or refuses (`saidMembers`); at vendors of this one it passes as it stands.
 * @see openai/openai-node 7.59.0, `src/resources/chat/completions/completions.ts` (`ChatCompletionCreateParams`)
 */
export const chatMembers = {
  ...routingMembers,
  ...identityMembers,
  model: translated(),
  messages: translated(),
  stream: translated(),
  stream_options: omitted('given'),
  max_tokens: translated(),
  max_completion_tokens: translated(),
  temperature: translated(),
  top_p: translated(),
  n: unless(1),
  stop: unless([], '', ['']),
  presence_penalty: unless(0),
  frequency_penalty: unless(0),
  logit_bias: unless({}),
  seed: translated(),
  logprobs: unless(false),
  // Says nothing alone.
  top_logprobs: ownHint('given'),
  response_format: unless({ type: 'text' }),
  tools: unless([]),
  tool_choice: unless('auto'),
  parallel_tool_calls: unless(true),
  functions: unless([]),
  function_call: unless('auto'),
  reasoning_effort: translated(),
  verbosity: unless('medium'),
  modalities: unless(['text'], []),
  audio: translated(),
  prediction: translated(),
  web_search_options: translated(),
  // Of the Responses format: the most calls of tools that the vendor runs.
  max_tool_calls: translated(),
  metadata: unless({}),
  prompt_cache_key: translated(),
  prompt_cache_options: translated(),
  prompt_cache_retention: translated(),
  store: omitted('storage'),
  service_tier: omitted('price'),
  // Of Messages, as relays take them.
  speed: omitted('price'),
  billing_policy: omitted('price'),
  inference_geo: refusedAlways('global'),
  mcp_servers: refusedAlways([]),
  user_profile_id: omitted('identity'),
  client_metadata: omitted('identity'),
  moderation: refusedAlways(),
  // Anthropic's, as OpenRouter takes it beside the messages.
  cache_control: translated(),
  // OpenRouter's. Its conditions on who answers are kept, or the call is refused.
  reasoning: unless({}, { exclude: true }, { exclude: false }),
  include_reasoning: ownHint('given'),
  usage: ownHint('given'),
  preset: refusedAlways(),
  route: refusedAlways('fallback'),
  fallbacks: refusedAlways([]),
  // Prompts that are too long are refused, and not cut.
  transforms: omitted('hint'),
  // DeepSeek's, Kimi's and GLM's; Qwen's; vLLM's and SGLang's.
  thinking: translated(),
  enable_thinking: translated(),
  thinking_budget: translated(),
  chat_template_kwargs: unless({}),
  // Sampling of servers that people run themselves, and of those who sell it.
  top_k: unless(0, -1),
  top_a: unless(0),
  min_p: unless(0),
  repetition_penalty: unless(1),
  // Searches that are billed by the call.
  search_parameters: refusedAlways({ mode: 'off' }),
  enable_search: refusedAlways(false),
  search_options: refusedAlways({}),
  search_type: translated(),
  // An answer that comes later would come to no one.
  deferred: unless(false),
  // Other machines of a vendor, from which it takes what another prompt left there (vLLM, SGLang).
  kv_transfer_params: refusedAlways(),
  bootstrap_host: refusedAlways(),
  bootstrap_port: refusedAlways(),
  bootstrap_room: refusedAlways(),
} as const satisfies RequestMembers

type ChatMember = keyof typeof chatMembers

/** Members of a chat body that a format of a vendor's own says, and those that it leaves out on purpose. */
export interface SaidMembers {
  readonly said: ReadonlySet<string>
  readonly hints: ReadonlySet<string>
}

/** Members that every format says; what asks for thinking becomes its own words for that. */
const saidByAll: readonly ChatMember[] = [
  'model',
  'messages',
  'stream',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'response_format',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'web_search_options',
  ...thinkingMembers,
]

/**
 * What one format of a vendor's own says of a chat body, beside what all say.
 * @param hints what it leaves out on purpose, since the answer is the same without
 */
export const saidMembers = (
  said: readonly ChatMember[],
  hints: readonly ChatMember[] = [],
): SaidMembers => ({ said: new Set([...saidByAll, ...said]), hints: new Set(hints) })

const thinking: ReadonlySet<string> = new Set(thinkingMembers)

/**
 * Refuses a chat body that asks for more than a vendor's format can say.
 * @param drop members that the model refuses and its operator has left out
 * @throws endpoint_not_supported naming the member
 */
export function refuseUnsaid(
  body: Readonly<Fields>,
  { said, hints }: SaidMembers,
  drop: readonly string[] = [],
): void {
  for (const name in body) {
    const value = body[name]
    const isSaid = said.has(name) && (!thinking.has(name) || isOnlyEffort(name, value))
    if (isSaid || hints.has(name) || isLeftOut(name, value, drop)) continue
    // One that no list has is left out, and the answer names it.
    if (ruleOf(chatMembers, name) === undefined) continue
    throw unsupported(String(body['model']), chatPath, name)
  }
}

/** Path of the endpoint whose format the middle is. */
export const chatPath = '/v1/chat/completions'

/** Members without which an answer is another one, whatever the operator of a model leaves out. */
const demands: ReadonlySet<string> = new Set(['n', 'logprobs', 'stop', 'modalities'])

/**
 * Whether a member may be left out where a vendor lacks it: on purpose, or since it asks for nothing.
 * @param drop members that the operator of the model has left out
 */
export function isLeftOut(name: string, value: unknown, drop: readonly string[] = []): boolean {
  if (drop.includes(name) && !demands.has(name)) return true
  const rule = ruleOf(chatMembers, name)
  if (rule === undefined) return value === null || value === undefined
  return rule.fate === 'omitted' || rule.fate === 'own-hint' || requestsNothing(rule, value)
}
