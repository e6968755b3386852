import type { Fields } from '../../src/json/fields'
import type { Format } from './desk'
import { leftOut, passed, refused, refusedAs, translated, type Row, type Verdict } from './verdict'

/*
 * What becomes of each member that the official clients can send, at a vendor of each format. Where
 * the reason why something is left out is no good reason, it has to be refused.
 */

type Verdicts = Readonly<Partial<Record<Format, Verdict>>>

/** @param all where the others tell nothing else */
function row(
  sample: unknown,
  all: Verdict,
  others: Verdicts = {},
  beside: Fields = {},
): Row<Format> {
  const verdicts = {
    openai: all,
    generic: all,
    responses: all,
    anthropic: all,
    google: all,
    ...others,
  }
  return { sample, beside, verdicts }
}

/** At vendors of formats of their own. */
const translatedOnly = (verdict: Verdict): Verdicts => ({
  responses: verdict,
  anthropic: verdict,
  google: verdict,
})
/** Of the Responses format, at vendors of others. */
const elsewhere = (verdict: Verdict): Verdicts => ({
  generic: verdict,
  anthropic: verdict,
  google: verdict,
})

const wish = leftOut('a wish about how an answer is made, for which the format has no word')
const speedOnly = leftOut('it makes the same answer come sooner or cheaper, where a vendor can')
const specified = leftOut('the specification ignores it')
const asUser = leftOut('the specification tells vendors an identifier of the service instead')
const alwaysSent = leftOut('the specification always sends usage; padding ends at the gateway')
const unpriced = leftOut('clients offer a search with every request; it needs a price to be sold')
const ofOperator = leftOut('it names or buys what is the operator’s, and changes no answer')
const byAddress = leftOut('the address of the method says it')
const label = leftOut('a label of the client’s, which the answer does not depend on')

const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const chatTool = { type: 'function', function: { name: 'f', parameters: schema } }
const ofTools = { tools: [chatTool] }
const flatTool = { type: 'function', name: 'f', parameters: schema, strict: true }
const messagesTool = { name: 'f', input_schema: schema }
const geminiTools = [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }]
const low = { thinkingLevel: 'LOW', includeThoughts: true }

export const chatTable: Readonly<Record<string, Row<Format>>> = {
  audio: row({ voice: 'alloy', format: 'mp3' }, passed, {
    ...translatedOnly(leftOut('it means nothing without `modalities`, which is refused')),
  }),
  frequency_penalty: row(0.5, passed, {
    ...translatedOnly(wish),
    google: translated('generationConfig.frequencyPenalty', 0.5),
  }),
  function_call: row(
    'none',
    translated('tool_choice', 'none'),
    {
      anthropic: translated('tool_choice', { type: 'none' }),
      google: translated('toolConfig.functionCallingConfig.mode', 'NONE'),
    },
    { functions: [{ name: 'f', parameters: schema }] },
  ),
  functions: row([{ name: 'f', parameters: schema }], translated('tools', [chatTool]), {
    responses: translated('tools', [{ ...flatTool, strict: false }]),
    anthropic: translated('tools', [messagesTool]),
    google: translated('tools', geminiTools),
  }),
  logit_bias: row({ 5: 1 }, passed, translatedOnly(wish)),
  logprobs: row(true, passed, {
    responses: translated('include.1', 'message.output_text.logprobs'),
    anthropic: refused,
    google: translated('generationConfig.responseLogprobs', true),
  }),
  max_completion_tokens: row(77, passed, {
    responses: translated('max_output_tokens', 77),
    anthropic: translated('max_tokens', 77),
    google: translated('generationConfig.maxOutputTokens', 77),
  }),
  max_tokens: row(77, passed, {
    openai: translated('max_completion_tokens', 77),
    responses: translated('max_output_tokens', 77),
    google: translated('generationConfig.maxOutputTokens', 77),
  }),
  metadata: row({ a: 'b' }, passed, translatedOnly(label)),
  modalities: row(['text', 'audio'], passed, translatedOnly(refused)),
  moderation: row({ model: 'omni-moderation-latest' }, refused),
  n: row(2, passed, {
    responses: refused,
    anthropic: refused,
    google: translated('generationConfig.candidateCount', 2),
  }),
  parallel_tool_calls: row(
    false,
    passed,
    {
      anthropic: translated('tool_choice.disable_parallel_tool_use', true),
      google: leftOut('the format cannot say it: several calls may come at once'),
    },
    ofTools,
  ),
  prediction: row({ type: 'content', content: 'x' }, passed, translatedOnly(speedOnly)),
  presence_penalty: row(0.5, passed, {
    ...translatedOnly(wish),
    google: translated('generationConfig.presencePenalty', 0.5),
  }),
  prompt_cache_key: row('k', passed, { anthropic: speedOnly, google: speedOnly }),
  prompt_cache_options: row({ mode: 'implicit' }, passed, {
    anthropic: speedOnly,
    google: speedOnly,
  }),
  prompt_cache_retention: row('24h', passed, { anthropic: speedOnly, google: speedOnly }),
  reasoning_effort: row('low', passed, {
    responses: translated('reasoning', { effort: 'low' }),
    anthropic: translated('output_config', { effort: 'low' }),
    google: translated('generationConfig.thinkingConfig', low),
  }),
  response_format: row(
    { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
    passed,
    {
      responses: translated('text.format', {
        type: 'json_schema',
        name: 'a',
        schema,
        strict: true,
      }),
      anthropic: translated('output_config.format', { type: 'json_schema', schema }),
      google: translated('generationConfig.responseJsonSchema', schema),
    },
  ),
  safety_identifier: row('me', asUser),
  seed: row(7, passed, {
    ...translatedOnly(wish),
    google: translated('generationConfig.seed', 7),
  }),
  service_tier: row('flex', specified),
  stop: row(['END'], passed, {
    responses: refused,
    anthropic: translated('stop_sequences', ['END']),
    google: translated('generationConfig.stopSequences', ['END']),
  }),
  store: row(true, specified),
  stream: row(true, passed, { google: byAddress }),
  stream_options: row({ include_usage: false }, alwaysSent),
  temperature: row(0.5, passed, { google: translated('generationConfig.temperature', 0.5) }),
  tool_choice: row(
    'required',
    passed,
    {
      anthropic: translated('tool_choice', { type: 'any' }),
      google: translated('toolConfig.functionCallingConfig.mode', 'ANY'),
    },
    ofTools,
  ),
  tools: row([chatTool], passed, {
    responses: translated('tools', [{ ...flatTool, strict: false }]),
    anthropic: translated('tools', [messagesTool]),
    google: translated('tools', geminiTools),
  }),
  top_logprobs: row(2, passed, {
    responses: leftOut('it means nothing without `logprobs`'),
    anthropic: leftOut('it means nothing without `logprobs`, which is refused'),
    google: translated('generationConfig.logprobs', 2),
  }),
  top_p: row(0.5, passed, { google: translated('generationConfig.topP', 0.5) }),
  user: row('me', asUser),
  verbosity: row('low', passed, {
    ...translatedOnly(wish),
    responses: translated('text', { verbosity: 'low' }),
  }),
  web_search_options: row({}, unpriced),
}

const keptNowhere = leftOut('nothing is kept there: who goes on from such an answer is refused')
const gathered = leftOut('it asks for more of items that only vendors of the format have')

export const responsesTable: Readonly<Record<string, Row<Format>>> = {
  access_programs: row({ a: 1 }, passed, elsewhere(ofOperator)),
  background: row(true, refused),
  context_management: row([{ type: 'compaction' }], passed, elsewhere(refused)),
  conversation: row('conv_1', refused),
  image: row({ context_compression: 'enabled' }, passed, elsewhere(speedOnly)),
  include: row(['reasoning.encrypted_content'], passed, elsewhere(gathered)),
  instructions: row('be', passed, {
    generic: translated('messages.0', { role: 'system', content: 'be' }),
    anthropic: translated('system.0.text', 'be'),
    google: translated('systemInstruction.parts.0.text', 'be'),
  }),
  max_output_tokens: row(77, passed, {
    generic: translated('max_tokens', 77),
    anthropic: translated('max_tokens', 77),
    google: translated('generationConfig.maxOutputTokens', 77),
  }),
  max_tool_calls: row(
    3,
    passed,
    elsewhere(leftOut('no tool that is not sold there runs; searches are bounded by it')),
  ),
  metadata: row({ a: 'b' }, passed, elsewhere(label)),
  moderation: row({ model: 'omni-moderation-latest' }, refused),
  parallel_tool_calls: row(
    false,
    passed,
    {
      anthropic: translated('tool_choice.disable_parallel_tool_use', true),
      google: leftOut('the format cannot say it: several calls may come at once'),
    },
    { tools: [flatTool] },
  ),
  prompt: row({ id: 'p' }, refused),
  prompt_cache_key: row('k', passed, { anthropic: speedOnly, google: speedOnly }),
  prompt_cache_options: row({ mode: 'implicit' }, passed, elsewhere(speedOnly)),
  prompt_cache_retention: row('24h', passed, elsewhere(speedOnly)),
  reasoning: row({ effort: 'low', summary: 'auto' }, passed, {
    generic: translated('reasoning_effort', 'low'),
    anthropic: translated('output_config', { effort: 'low' }),
    google: translated('generationConfig.thinkingConfig', low),
  }),
  safety_identifier: row('me', asUser),
  service_tier: row('flex', specified),
  store: row(true, passed, elsewhere(keptNowhere)),
  stream: row(true, passed, { google: byAddress }),
  stream_options: row({ include_obfuscation: true }, alwaysSent),
  temperature: row(0.5, passed, { google: translated('generationConfig.temperature', 0.5) }),
  text: row({ verbosity: 'low', format: { type: 'json_schema', name: 'a', schema } }, passed, {
    generic: translated('response_format.json_schema', { name: 'a', schema }),
    anthropic: translated('output_config.format', { type: 'json_schema', schema }),
    google: translated('generationConfig.responseJsonSchema', schema),
  }),
  tool_choice: row(
    'required',
    passed,
    {
      anthropic: translated('tool_choice', { type: 'any' }),
      google: translated('toolConfig.functionCallingConfig.mode', 'ANY'),
    },
    { tools: [flatTool] },
  ),
  tools: row([flatTool], passed, {
    generic: translated('tools', [
      { type: 'function', function: { name: 'f', parameters: schema, strict: true } },
    ]),
    anthropic: translated('tools.0.name', 'f'),
    google: translated('tools', geminiTools),
  }),
  top_logprobs: row(2, passed, {
    ...elsewhere(leftOut('it means nothing unless logprobs are asked for by `include`')),
  }),
  top_p: row(0.5, passed, { google: translated('generationConfig.topP', 0.5) }),
  truncation: row(
    'auto',
    passed,
    elsewhere(leftOut('what is too long is refused by the vendor, never cut in silence')),
  ),
  user: row('me', asUser),
}

const cacheMark = leftOut('a mark on the last part: these vendors keep prompts by themselves')
const wholeSent = leftOut('the whole conversation is sent: nothing of it is cleared')

/** At vendors of other formats than Anthropic's. */
const natively = (others: Verdict, rest: Verdicts = {}): [Verdict, Verdicts] => [
  others,
  { anthropic: passed, ...rest },
]
const effortRow = (sample: unknown): Row<Format> =>
  row(
    sample,
    ...natively(translated('reasoning_effort', 'low'), {
      responses: translated('reasoning', { effort: 'low' }),
      google: translated('generationConfig.thinkingConfig', low),
    }),
  )

export const messagesTable: Readonly<Record<string, Row<Format>>> = {
  billing_policy: row({ a: 1 }, ofOperator),
  cache_control: row({ type: 'ephemeral' }, ...natively(cacheMark)),
  compaction: row({ type: 'x' }, refused),
  container: row('container_1', refused),
  context_management: row(
    { edits: [{ type: 'clear_tool_uses_20250919' }] },
    ...natively(wholeSent),
  ),
  diagnostics: row(
    { previous_message_id: null },
    ...natively(leftOut('it asks why a cache was missed, which only that vendor tells')),
  ),
  fallback_credit_token: row('x', ofOperator),
  fallbacks: row(
    [{ model: 'y' }],
    leftOut('the model that is named answers, or nobody: no other may be charged'),
  ),
  inference_geo: row('us', refused),
  max_tokens: row(77, passed, {
    openai: translated('max_completion_tokens', 77),
    responses: translated('max_output_tokens', 77),
    google: translated('generationConfig.maxOutputTokens', 77),
  }),
  mcp_servers: row([{ type: 'url', name: 's', url: 'https://a.example' }], refused),
  metadata: row({ user_id: 'me' }, asUser),
  output_config: effortRow({ effort: 'low' }),
  output_format: row(
    { type: 'json_schema', schema },
    ...natively(translated('response_format.json_schema.schema', schema), {
      responses: translated('text.format.schema', schema),
      google: translated('generationConfig.responseJsonSchema', schema),
    }),
  ),
  service_tier: row('auto', specified),
  speed: row('fast', leftOut('it buys another price than the one that is sold')),
  stop_sequences: row(
    ['END'],
    ...natively(translated('stop', ['END']), {
      responses: refusedAs('stop'),
      google: translated('generationConfig.stopSequences', ['END']),
    }),
  ),
  stream: row(true, passed, { google: byAddress }),
  system: row(
    'be',
    ...natively(translated('messages.0', { role: 'system', content: 'be' }), {
      responses: translated('input.0', { role: 'developer', content: 'be' }),
      google: translated('systemInstruction.parts.0.text', 'be'),
    }),
  ),
  temperature: row(0.5, passed, { google: translated('generationConfig.temperature', 0.5) }),
  thinking: effortRow({ type: 'enabled', budget_tokens: 1024 }),
  thread: row({ type: 'create' }, refused),
  tool_choice: row(
    { type: 'any' },
    ...natively(translated('tool_choice', 'required'), {
      google: translated('toolConfig.functionCallingConfig.mode', 'ANY'),
    }),
    { tools: [messagesTool] },
  ),
  tools: row(
    [messagesTool],
    ...natively(translated('tools.0.function.name', 'f'), {
      responses: translated('tools.0.name', 'f'),
      google: translated('tools', geminiTools),
    }),
  ),
  top_k: row(5, ...natively(wish)),
  top_p: row(0.5, passed, { google: translated('generationConfig.topP', 0.5) }),
  user_profile_id: row('u', ofOperator),
  workspace_id: row('w', ofOperator),
}

export const completionsTable: Readonly<Record<string, Row<Format>>> = {
  best_of: row(2, refused),
  echo: row(true, leftOut('the gateway puts the prompt before the answer itself')),
  frequency_penalty: chatTable['frequency_penalty'] ?? row(0.5, passed),
  logit_bias: row({ 5: 1 }, leftOut('numbers of tokens of the old models mean others today')),
  logprobs: row(2, refused),
  max_tokens: chatTable['max_tokens'] ?? row(77, passed),
  n: chatTable['n'] ?? row(2, passed),
  presence_penalty: chatTable['presence_penalty'] ?? row(0.5, passed),
  seed: chatTable['seed'] ?? row(7, passed),
  stop: chatTable['stop'] ?? row(['END'], passed),
  stream: row(true, passed, { google: byAddress }),
  stream_options: row({ include_usage: false }, alwaysSent),
  suffix: row('x', refused),
  temperature: chatTable['temperature'] ?? row(0.5, passed),
  top_p: chatTable['top_p'] ?? row(0.5, passed),
  user: row('me', asUser),
}
