import { reasoningEfforts, type ReasoningEffort, type Traits } from '../../src/domain/model'
import { rowsOf, stringsOf, type Row } from '../../src/business/pricing/sources/rows'

/** Traits of model families; the last row that says something about a trait counts. */
interface Family {
  readonly owner: string
  readonly ids: RegExp
  readonly traits: Traits
}

const sampling = ['temperature', 'top_p', 'logprobs', 'top_logprobs']
const penalties = ['presence_penalty', 'frequency_penalty']
const reasoner = { reasoning: true, maxTokensName: 'max_completion_tokens' } as const
const upTo = (...efforts: ReasoningEffort[]): Traits => ({ efforts })

/**
 * Of a picture: 2,520 of the largest scale at most, of any quality, and what the vendor's models think
 * before, at a tenth of the price.
 */
export const pictureTraits = (owner: string): Traits =>
  owner === 'google' ? { pictureTokens: 3000 } : {}

/** Facts of November 2026. The chat endpoint of the first vendor has no effort above `xhigh`. */
const families: readonly Family[] = [
  {
    owner: 'openai',
    // All since GPT-4o (github.com/openai/tiktoken, `model.py`), which speaks of no snapshot beyond.
    ids: /^(?:o\d|gpt-(?:4o|4\.[1-9]|[5-9]|audio)|codex)/,
    traits: { vocabulary: 'o200k' },
  },
  {
    owner: 'openai',
    ids: /^o\d/,
    traits: {
      ...reasoner,
      systemRole: 'developer',
      drop: [...sampling, ...penalties, 'logit_bias'],
      efforts: ['low', 'medium', 'high'],
    },
  },
  {
    owner: 'openai',
    ids: /^gpt-5(?:-mini|-nano)?(?:-\d{4}-\d\d-\d\d)?$/,
    traits: {
      ...reasoner,
      drop: [...sampling, ...penalties, 'logit_bias'],
      efforts: ['minimal', 'low', 'medium', 'high'],
    },
  },
  {
    owner: 'openai',
    ids: /^gpt-5\.\d(?!.*chat-latest)/,
    traits: {
      ...reasoner,
      drop: [...penalties, 'logit_bias'],
      samplingNeedsNoEffort: true,
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    },
  },
  {
    owner: 'openai',
    ids: /^gpt-5\.1(?!.*chat-latest)/,
    traits: upTo('none', 'low', 'medium', 'high'),
  },
  { owner: 'openai', ids: /^gpt-5\.6/, traits: { chat: 'responses-with-tools' } },
  {
    owner: 'openai',
    ids: /codex|^(?:o\d|gpt-5(?:\.\d)?)-pro/,
    traits: {
      ...reasoner,
      chat: 'responses',
      drop: [...sampling, ...penalties, 'logit_bias'],
    },
  },
  { owner: 'openai', ids: /^gpt-5\.\d-pro/, traits: upTo('medium', 'high', 'xhigh') },
  { owner: 'openai', ids: /^gpt-5.*codex/, traits: upTo('low', 'medium', 'high') },
  {
    owner: 'openai',
    ids: /^gpt-5\.(?:[2-9]-codex|1-codex-max)/,
    traits: upTo('low', 'medium', 'high', 'xhigh'),
  },
  {
    owner: 'anthropic',
    ids: /./,
    traits: {
      tokenFactor: 1.15,
      thinking: 'budget',
      oneChoice: true,
      structured: 'tool',
      efforts: ['none', 'minimal', 'low', 'medium', 'high'],
    },
  },
  { owner: 'anthropic', ids: /-4-[5-9]|-5/, traits: { structured: 'schema' } },
  {
    owner: 'anthropic',
    ids: /^claude-(?:opus|sonnet)-4-6/,
    traits: { thinking: 'adaptive', ...upTo('none', 'low', 'medium', 'high', 'max') },
  },
  {
    owner: 'anthropic',
    ids: /^claude-(?:fable|opus-(?:4-[78]|5)|sonnet-5|haiku-5)/,
    traits: {
      reasoning: true,
      tokenFactor: 1.5,
      thinking: 'adaptive',
      drop: [...sampling, 'top_k'],
      efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    },
  },
  {
    owner: 'anthropic',
    ids: /^claude-(?:fable|(?:opus|sonnet)-5-5)/,
    traits: upTo('low', 'medium', 'high', 'xhigh', 'max'),
  },
  {
    owner: 'anthropic',
    ids: /^claude-(?:fable-5-\d(?!\d)|(?:opus|sonnet)-5-5)/,
    traits: { forcedTool: false },
  },
  {
    owner: 'google',
    ids: /^gemini/,
    traits: {
      thinking: 'level',
      thinkingOnTop: true,
      efforts: ['minimal', 'low', 'medium', 'high'],
    },
  },
  {
    owner: 'google',
    ids: /^gemini-(?:flash-latest|3\.[7-9]-flash)/,
    traits: upTo('low', 'medium', 'high'),
  },
  { owner: 'google', ids: /^gemini-(?:3.*pro|pro-latest)/, traits: upTo('low', 'medium', 'high') },
  {
    owner: 'google',
    ids: /^gemini-4-hydrogen/,
    traits: upTo('low', 'medium', 'high', 'xhigh'),
  },
  {
    owner: 'google',
    ids: /^gemini-(?:2\.5|robotics-er-1\.5)/,
    traits: { thinking: 'budget', schemaWithTools: false, drop: penalties },
  },
  {
    owner: 'google',
    ids: /^gemini-(?:2\.5-flash|robotics-er-1\.5)/,
    traits: upTo('none', 'minimal', 'low', 'medium', 'high'),
  },
  { owner: 'google', ids: /gemma/, traits: { systemRole: 'user', efforts: [] } },
  { owner: 'deepseek', ids: /./, traits: { drop: penalties } },
  {
    owner: 'deepseek',
    ids: /v4|^deepseek-(?:flash|pro|reasoner|r1)/,
    traits: { reasoning: true, drop: ['temperature', 'top_p', ...penalties] },
  },
  { owner: 'deepseek', ids: /v4|^deepseek-(?:flash|pro)/, traits: upTo('low', 'high', 'max') },
  { owner: 'deepseek', ids: /^deepseek-(?:reasoner|r1|chat|coder|v3)/, traits: upTo() },
  { owner: 'mistral', ids: /./, traits: upTo() },
  { owner: 'mistral', ids: /large-4/, traits: upTo('low', 'medium', 'high') },
  {
    owner: 'mistral',
    ids: /medium-3[.-]5|small-2603|magistral|glm-5-2/,
    traits: upTo('none', 'high'),
  },
  { owner: 'mistral', ids: /glm-5-3/, traits: upTo('low', 'high', 'max') },
  { owner: 'xai', ids: /./, traits: upTo() },
  { owner: 'xai', ids: /^grok-3-mini/, traits: upTo('low', 'high') },
  {
    owner: 'xai',
    ids: /^grok-4\.3|multi-agent|^grok-latest/,
    traits: upTo('none', 'low', 'medium', 'high'),
  },
  { owner: 'xai', ids: /^grok-4\.[5-9]/, traits: upTo('low', 'medium', 'high') },
  { owner: 'groq', ids: /./, traits: upTo() },
  { owner: 'groq', ids: /gpt-oss-\d/, traits: upTo('low', 'medium', 'high') },
  {
    owner: 'moonshot',
    ids: /^kimi/,
    traits: { drop: ['temperature', 'top_p', ...penalties, 'seed'], efforts: [] },
  },
  { owner: 'moonshot', ids: /^kimi-k3/, traits: upTo('low', 'high', 'max') },
  { owner: 'alibaba', ids: /./, traits: upTo() },
  // `max_tokens` binds the reply; the chain of thought has a maximum of its own, told beside that of
  // the reply (alibabacloud.com/help/en/model-studio, models).
  { owner: 'alibaba', ids: /^q(?:wq|vq)/, traits: { thinkingBeyond: 32_768 } },
  {
    owner: 'alibaba',
    ids: /^qwen(?:3\.\d|3-(?:max|next|vl|\d+b)|-(?:plus|turbo|flash|max))/,
    traits: { thinkingBeyond: 81_920 },
  },
  { owner: 'cerebras', ids: /./, traits: upTo() },
  { owner: 'cerebras', ids: /gpt-oss/, traits: upTo('low', 'medium', 'high') },
]

/**
 * What a model accepts or refuses, as data of its own: its family's, and where that says nothing the
 * source's efforts. A model that does not reason has no effort at all.
 */
export function traitsOf(owner: string, id: string, fact: Row, reasons: boolean): Traits {
  const traits = knownEfforts(fact)
  for (const row of families)
    if (row.owner === owner && row.ids.test(id)) Object.assign(traits, row.traits)
  // A reseller of many vendors translates or drops efforts itself.
  if (reasons || traits.reasoning === true) return { ...traits, reasoning: true }
  const { thinkingBeyond: _, ...others } = traits
  return owner === 'openrouter' ? others : { ...others, efforts: [] }
}

function knownEfforts(fact: Row): Traits {
  const option = rowsOf(fact['reasoning_options']).find(({ type }) => type === 'effort')
  const values = stringsOf(option?.['values'])
  const efforts = reasoningEfforts.filter((each) => values.includes(each))
  return efforts.length > 0 ? { efforts } : {}
}
