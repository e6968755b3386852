import type { Fields } from '../../src/gateway/json/fields'

/** A value of a member that asks for something, and the sign by which any vendor's request shows that it arrived. */
export interface MemberSample {
  readonly value: unknown
  readonly means: RegExp
  /** Members without which it would be nothing. */
  readonly beside?: Fields
}

const sample = (value: unknown, means: RegExp, beside?: Fields): MemberSample => ({
  value,
  means,
  ...(beside === undefined ? {} : { beside }),
})

/** It is left out or refused wherever it goes. */
const nowhere = (value: unknown): MemberSample => sample(value, /(?!)/)

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const chatTool = { type: 'function', function: { name: 'find_city', parameters } }
const thinks =
  /"(?:reasoning_effort|effort|thinkingLevel)":"(?:low|LOW)"|"thinking":\{"type":"enabled"/
const thinksMore =
  /"(?:reasoning_effort|effort|thinkingLevel)":"(?:medium|MEDIUM)"|"thinking":\{"type":"enabled"|"enable_thinking":true/
const thinksNot =
  /"(?:reasoning_effort|effort)":"none"|"type":"disabled"|"thinkingBudget":0|"enable_thinking":false/
const isSchema = /"city"/
const isJson = /json_object|application\/json|one JSON object/
const searches = /web_search|googleSearch/
const forced = /"tool_choice":(?:"required"|\{"type":"any"\})|"mode":"ANY"/

/** Of members that chat and completions share. */
const sampling = {
  max_tokens: sample(77, /77/),
  temperature: sample(0.5, /"temperature":0\.5/),
  top_p: sample(0.25, /"top_?[pP]":0\.25/),
  n: sample(2, /"(?:n|candidateCount)":2/),
  stop: [sample('HALT', /HALT/), sample([' '], /" "/)],
  presence_penalty: sample(0.75, /"presence_?[pP]enalty":0\.75/),
  frequency_penalty: sample(0.75, /"frequency_?[pP]enalty":0\.75/),
  logit_bias: sample({ 7: 5 }, /"logit_bias":\{"7":5\}/),
  seed: sample(4711, /"(?:random_)?seed":4711/),
} satisfies Readonly<Record<string, MemberSample | readonly MemberSample[]>>

const routing = {
  models: nowhere([]),
  provider: sample({ sort: 'price' }, /"sort":"price"/),
  providerOptions: nowhere({ gateway: { order: ['x'] } }),
  plugins: nowhere([{ id: 'web' }]),
}

const identity = {
  user: nowhere('ali'),
  user_id: nowhere('ali'),
  safety_identifier: nowhere('ali'),
}

const thinking = {
  reasoning_effort: [sample('low', thinks), sample('none', thinksNot)],
  reasoning: [
    sample(
      { effort: 'low' },
      /"reasoning":\{"effort":"low"\}|"effort":"low"|"reasoning_effort":"low"|LOW|enabled/,
    ),
    sample({ made_up: 1 }, /made_up/),
  ],
  thinking: [
    sample({ type: 'enabled', budget_tokens: 3000 }, thinksMore),
    sample({ type: 'disabled' }, thinksNot),
  ],
  enable_thinking: [sample(true, thinksMore), sample(false, thinksNot)],
  thinking_budget: sample(3000, /"thinking_budget":3000|medium|MEDIUM|enabled/),
  chat_template_kwargs: [
    sample({ enable_thinking: false }, thinksNot),
    sample({ made_up: 1 }, /made_up/),
  ],
}

const chat = {
  ...routing,
  ...identity,
  ...sampling,
  ...thinking,
  stream_options: nowhere({ include_usage: true }),
  max_completion_tokens: sample(77, /77/),
  logprobs: sample(true, /"(?:logprobs|responseLogprobs)":true|output_text\.logprobs/),
  top_logprobs: sample(3, /3/, { logprobs: true }),
  response_format: [
    sample({ type: 'json_object' }, isJson),
    sample({ type: 'json_schema', json_schema: { name: 'a', schema: parameters } }, isSchema),
  ],
  tools: sample([chatTool], /find_city/),
  tool_choice: [
    sample('required', forced, { tools: [chatTool] }),
    sample('none', /"(?:none|NONE)"|^(?!.*find_city)/, { tools: [chatTool] }),
  ],
  parallel_tool_calls: sample(false, /"parallel_tool_calls":false|disable_parallel_tool_use/, {
    tools: [chatTool],
  }),
  functions: sample([chatTool.function], /find_city/),
  function_call: sample(
    { name: 'find_city' },
    /"(?:tool_choice|allowedFunctionNames)":.*find_city|required/,
    {
      functions: [chatTool.function],
    },
  ),
  verbosity: sample('low', /"verbosity":"low"/),
  modalities: sample(['text', 'audio'], /"audio"/),
  audio: sample({ voice: 'alloy', format: 'mp3' }, /"alloy"/),
  prediction: sample({ type: 'content', content: 'guessed' }, /guessed/),
  web_search_options: sample({ search_context_size: 'low' }, searches),
  metadata: sample({ trip: 'yazd', user_id: 'ali' }, /^(?!.*"ali").*"trip":"yazd"/),
  prompt_cache_key: sample('cache-7', /cache-7/),
  prompt_cache_options: sample({ mode: 'explicit' }, /"mode":"explicit"/),
  prompt_cache_retention: sample('24h', /24h/),
  store: nowhere(true),
  service_tier: nowhere('priority'),
  moderation: nowhere({ model: 'm' }),
  cache_control: sample({ type: 'ephemeral' }, /ephemeral|prompt_cache_breakpoint/),
  include_reasoning: sample(true, /include_reasoning/),
  usage: sample({ include: true }, /"include":true/),
  preset: nowhere('p'),
  route: nowhere('sort'),
  fallbacks: nowhere(['m']),
  transforms: nowhere(['middle-out']),
  speed: nowhere('fast'),
  billing_policy: nowhere({}),
  inference_geo: nowhere('us'),
  mcp_servers: nowhere([{ name: 'x' }]),
  user_profile_id: nowhere('u'),
  client_metadata: nowhere({ a: 'b' }),
  top_k: sample(7, /"top_?[kK]":7/),
  top_a: sample(0.5, /"top_a":0\.5/),
  min_p: sample(0.5, /"min_p":0\.5/),
  repetition_penalty: sample(1.5, /"repetition_penalty":1\.5/),
  search_parameters: nowhere({ mode: 'on' }),
  enable_search: nowhere(true),
  search_options: nowhere({ forced_search: true }),
  search_type: sample('pro', /"search_type":"pro"/),
  max_tool_calls: sample(7, /"(?:max_tool_calls|max_uses)":7/, { web_search_options: {} }),
  deferred: sample(true, /"deferred":true/),
  kv_transfer_params: nowhere({ remote_host: 'x' }),
  bootstrap_host: nowhere('x'),
  bootstrap_port: nowhere(1),
  bootstrap_room: nowhere(1),
}

const completions = {
  ...routing,
  ...identity,
  ...sampling,
  stream_options: nowhere({ include_usage: true }),
  echo: nowhere(true),
  suffix: nowhere('end'),
  best_of: nowhere(2),
  logprobs: nowhere(2),
}

const responsesTool = { type: 'function', name: 'find_city', parameters, strict: false }

const responses = {
  ...routing,
  ...identity,
  instructions: sample('Be brief.', /Be brief\./),
  max_output_tokens: sample(77, /77/),
  temperature: sampling.temperature,
  top_p: sampling.top_p,
  top_logprobs: sample(3, /3/, { include: ['message.output_text.logprobs'] }),
  include: sample(['message.output_text.logprobs'], chat.logprobs.means),
  tools: sample([responsesTool], /find_city/),
  tool_choice: [
    sample('required', forced, { tools: [responsesTool] }),
    sample('none', /"(?:none|NONE)"|^(?!.*find_city)/, { tools: [responsesTool] }),
  ],
  parallel_tool_calls: sample(false, chat.parallel_tool_calls.means, { tools: [responsesTool] }),
  max_tool_calls: sample(7, /7/, { tools: [{ type: 'web_search' }] }),
  reasoning: [
    sample({ effort: 'low' }, thinks),
    sample({ effort: 'low', mode: 'pro' }, /"mode":"pro"/),
    sample({ effort: 'low', summary: 'auto', context: 'all_turns' }, thinks),
  ],
  text: [
    sample({ verbosity: 'low' }, chat.verbosity.means),
    sample({ format: { type: 'json_schema', name: 'a', schema: parameters } }, isSchema),
  ],
  metadata: chat.metadata,
  prompt_cache_key: chat.prompt_cache_key,
  prompt_cache_options: chat.prompt_cache_options,
  prompt_cache_retention: chat.prompt_cache_retention,
  previous_response_id: nowhere('resp_0'),
  truncation: sample('auto', /"truncation":"auto"/),
  context_management: sample([{ type: 'compaction', compact_threshold: 5 }], /compact_threshold/),
  access_programs: sample({ cyber: 'standard' }, /cyber/),
  image: sample({ context_compression: 'enabled' }, /context_compression/),
  store: sample(true, /"store":true/),
  service_tier: nowhere('priority'),
  client_metadata: nowhere({ a: 'b' }),
  stream_options: nowhere({ include_obfuscation: false }),
  background: nowhere(true),
  background_options: nowhere({ completion_window: '2h' }),
  conversation: nowhere('conv_1'),
  prompt: nowhere({ id: 'p' }),
  moderation: nowhere({ model: 'm' }),
}

const messagesTool = { name: 'find_city', input_schema: parameters }

const messages = {
  ...routing,
  ...identity,
  max_tokens: sample(77, /77/),
  system: sample('Be brief.', /Be brief\./),
  temperature: sampling.temperature,
  top_p: sampling.top_p,
  top_k: chat.top_k,
  stop_sequences: sample(['HALT'], /HALT/),
  tools: sample([messagesTool], /find_city/),
  tool_choice: [
    sample({ type: 'any' }, forced, { tools: [messagesTool] }),
    sample({ type: 'none' }, /"(?:none|NONE)"|^(?!.*find_city)/, { tools: [messagesTool] }),
    // Google calls tools as it likes.
    sample(
      { type: 'auto', disable_parallel_tool_use: true },
      /"parallel_tool_calls":false|disable_parallel_tool_use|"mode":"AUTO"/,
      { tools: [messagesTool] },
    ),
  ],
  mcp_servers: nowhere([{ type: 'url', url: 'https://example.com/mcp', name: 'x' }]),
  thinking: [
    sample({ type: 'enabled', budget_tokens: 3000 }, thinksMore),
    sample({ type: 'disabled' }, thinksNot),
  ],
  output_config: [
    sample({ effort: 'low' }, thinks),
    sample({ format: { type: 'json_schema', schema: parameters } }, isSchema),
    sample({ effort: 'low', task_budget: { type: 'tokens', total: 20_000 } }, thinks),
  ],
  output_format: sample({ type: 'json_schema', schema: parameters }, isSchema),
  cache_control: chat.cache_control,
  metadata: nowhere({ user_id: 'ali' }),
  service_tier: nowhere('auto'),
  speed: nowhere('fast'),
  fallbacks: nowhere([{ model: 'm' }]),
  fallback_credit_token: nowhere('t'),
  billing_policy: nowhere({}),
  user_profile_id: nowhere('u'),
  workspace_id: nowhere('w'),
  betas: nowhere(['x']),
  context_management: sample(
    { edits: [{ type: 'clear_tool_uses_20250919' }] },
    /clear_tool_uses_20250919/,
  ),
  diagnostics: sample({ previous_message_id: 'msg_0' }, /previous_message_id/),
  container: nowhere('c'),
  thread: nowhere({ id: 't' }),
  compaction: nowhere({ type: 'summarize' }),
  inference_geo: nowhere('us'),
}

/** By the format of the client. */
export const memberSamples: Readonly<
  Record<string, Readonly<Record<string, MemberSample | readonly MemberSample[]>>>
> = { chat, completions, responses, messages }
