import { nanosPerUsd, nanoUsd } from '../../../domain/money'
import {
  cachedTokens,
  inputTokens,
  outputTokens,
  type Meter,
  type Usage,
} from '../../../domain/usage'
import { splitPrompt, tokensBesidePrompt } from '../prompt-usage'
import { withServed } from '../served'

/** Usage as the wire shows it. */
export interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: {
    readonly cached_tokens: number
    /** Where there are any. */
    readonly cache_write_tokens?: number
  }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

type Fields = Readonly<Record<string, unknown>>

/** More than this is no count of tokens. */
const maxTokens = 1_000_000_000

/**
 * A vendor's usage in the normal form: disjoint buckets whose sum is the vendor's total. Vendors
 * that report cached tokens beside the prompt, or reasoning beside the completion, are corrected.
 * Pictures are told apart by xAI and DashScope (prompt, films too, at the price of pictures) and by OpenRouter
 * (completion too).
 * @returns null when it tells nothing that can be believed
 * @see openai/openai-openapi `CompletionUsage`, 2.3.0 of 2026-08-21
 */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null
  let prompt = count(value['prompt_tokens'])
  let completion = count(value['completion_tokens'])
  if (prompt === null && completion === null) return null
  const total = count(value['total_tokens']) ?? 0
  completion ??= 0
  prompt ??= Math.max(0, total - completion)
  prompt += searched(value, 'citation_tokens', 'citation_tokens_cost')
  const details = fields(value['prompt_tokens_details'])
  const outDetails = fields(value['completion_tokens_details'])
  const read = count(value['cache_read_input_tokens']) ?? 0
  const named =
    count(details['cached_tokens']) ??
    count(value['prompt_cache_hit_tokens']) ??
    count(value['cached_tokens']) ??
    count(value['num_cached_tokens']) ??
    0
  const cached = Math.max(named, read)
  const written = writtenIn(value, details)
  let audioIn = count(details['audio_tokens']) ?? 0
  const audioOut = count(outDetails['audio_tokens']) ?? 0
  const imageIn = (count(details['image_tokens']) ?? 0) + (count(details['video_tokens']) ?? 0)
  const imageOut = count(outDetails['image_tokens']) ?? 0
  const reasoning = count(outDetails['reasoning_tokens']) ?? 0
  if (cached + written > 0) {
    const text = count(details['text_tokens'])
    const rest = total === 0 ? null : total - prompt - completion
    const kinds = text === null ? null : text + audioIn + imageIn
    // Anthropic's names, which some relays keep (LiteLLM repeats them beside those of chat).
    const isDisjoint = read > named
    prompt += tokensBesidePrompt({ prompt, cached, written, reasoning, rest, kinds, isDisjoint })
  }
  if (reasoning > completion) completion += reasoning
  // A total beyond both parts is sound that the prompt leaves out (Mistral, 2026-11), or unreported output.
  const beyond = total - prompt - completion
  if (beyond > 0 && (Number(value['prompt_audio_seconds']) > 0 || audioIn > prompt)) {
    prompt += beyond
    audioIn = Math.max(audioIn, beyond)
  } else if (beyond > 0) completion += beyond

  // Parts may overlap, as sound that was cached does: none is paid twice.
  const split = splitPrompt({ prompt, cached, written }, isFields(value['cost_details']))
  const long = Math.min(longWritten(value, details), split.written)
  const heard = Math.min(audioIn, split.rest)
  const seen = Math.min(imageIn, split.rest - heard)
  const spoken = Math.min(audioOut, completion)
  const drawn = Math.min(imageOut, completion - spoken)
  const units: Partial<Record<Meter, number>> = {}
  put(units, 'input', split.rest - heard - seen)
  put(units, 'cached_input', cached)
  put(units, 'cache_write_5m', split.written - long)
  put(units, 'cache_write_1h', long)
  put(units, 'input_audio', heard)
  put(units, 'input_image', seen)
  put(units, 'output', completion - spoken - drawn)
  put(units, 'output_audio', spoken)
  put(units, 'output_image', drawn)
  put(units, 'tool:web_search', searched(value, 'num_search_queries', 'search_queries_cost'))
  return { units, reasoning: Math.min(reasoning, completion), estimated: false, ...billedIn(value) }
}

/**
 * Count of what a search comes to: Perplexity's deep research bills its queries, and what they found as input beside
 * the prompt; other models of it tell the same counts and bill neither.
 * @param cost its member in the vendor's own bill, where there is one
 * @see https://docs.perplexity.ai/getting-started/pricing, November 2026
 */
function searched(usage: Fields, name: string, cost: string): number {
  const { cost: bill } = usage
  return isFields(bill) && !(Number(bill[cost]) > 0) ? 0 : (count(usage[name]) ?? 0)
}

/**
 * Tokens written to a cache: OpenRouter's name, DashScope's, and LiteLLM's, whose proxy repeats them
 * beside the details.
 */
const writtenIn = (usage: Fields, details: Fields): number =>
  count(details['cache_write_tokens']) ??
  count(details['cache_creation_input_tokens']) ??
  count(details['cache_creation_tokens']) ??
  count(usage['cache_creation_input_tokens']) ??
  0

/** Those of them that are kept for an hour, which LiteLLM's proxy and DashScope tell apart. */
const longWritten = (usage: Fields, details: Fields): number =>
  count(fields(details['cache_creation_token_details'])['ephemeral_1h_input_tokens']) ??
  count(
    fields(details['cache_creation'] ?? usage['cache_creation'])['ephemeral_1h_input_tokens'],
  ) ??
  0

/** Dollars; nobody bills more for one call. */
const maxBilled = 10_000

/** Ticks of a dollar, as xAI counts its cost. */
const ticksPerUsd = 1e10

function billedIn(usage: Fields): Pick<Usage, 'billed'> {
  const cost = dollarsIn(usage)
  if (cost === null || !(cost >= 0 && cost <= maxBilled)) return {}
  return { billed: nanoUsd(Math.ceil(Number((cost * nanosPerUsd).toPrecision(15)))) }
}

/**
 * Bill of xAI, Perplexity (an object) or OpenRouter, OpenRouter with details beside it: other vendors use the
 * name for other things. With a key of the operator's own (`is_byok`) that is its fee alone, and the
 * seller bills the rest. https://openrouter.ai/docs/use-cases/usage-accounting (2026-11)
 */
function dollarsIn(usage: Fields): number | null {
  const { cost: fee, cost_details: details, is_byok: byOwnKey, cost_in_usd_ticks: ticks } = usage
  if (typeof ticks === 'number') return ticks / ticksPerUsd
  if (isFields(fee)) return typeof fee['total_cost'] === 'number' ? fee['total_cost'] : null
  if (!isFields(details) || typeof fee !== 'number') return null
  if (byOwnKey !== true) return fee
  const { upstream_inference_cost: rest } = details
  return typeof rest === 'number' ? fee + rest : null
}

/** The usage of a stream chunk, wherever its vendor puts it. @returns null when there is none */
export function usageOfChunk(chunk: Fields): Usage | null {
  const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : []
  const inChoice = choices.map((each) => fields(each)['usage']).find((usage) => usage)
  return servedUsage(chunk['usage'] ?? fields(chunk['x_groq'])['usage'] ?? inChoice, chunk)
}

/** The usage of a reply or chunk, with the tier that this says it was served by. */
const servedUsage = (usage: unknown, reply: Fields): Usage | null =>
  withServed(readUsage(usage), reply, fields(usage))

/** The usage of a whole reply. @returns null when it tells nothing that can be believed */
export const usageOfReply = (reply: Fields): Usage | null => servedUsage(reply['usage'], reply)

/**
 * Usage in the words of the wire; what was written to a cache by the name that OpenAI and OpenRouter have for it
 * (openai/openai-node 7.59.0, `CompletionUsage.PromptTokensDetails`).
 */
export function wireUsage(usage: Usage): WireUsage {
  const { cache_write_5m: short = 0, cache_write_1h: long = 0 } = usage.units
  const written = short + long
  const prompt = inputTokens(usage)
  const completion = outputTokens(usage)
  const cached = cachedTokens(usage)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details:
      written > 0
        ? { cached_tokens: cached, cache_write_tokens: written }
        : { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

const put = (units: Partial<Record<Meter, number>>, meter: Meter, value: number) => {
  if (value > 0) units[meter] = value
}

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= maxTokens
    ? value
    : null

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const fields = (value: unknown): Fields => (isFields(value) ? value : {})
