import { saidMembers, type SaidMembers } from './chat/members'

/*
 * What requests of each format of a vendor's own say of a chat body, beside what all of them say. What none of the
 * two lists of a format has is refused there.
 */

/** OpenAI's Responses: these have the same name and meaning there. */
export const passedToResponses = [
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
] as const

/** Hints to a vendor's cache of prompts, without which an answer is the same. */
export const cacheHints = [
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
] as const

export const saidBy = {
  /** Its caches are marked in the prompt, and nothing is kept that `metadata` could find again. */
  messages: saidMembers(
    ['stop', 'top_k', 'parallel_tool_calls', 'max_tool_calls', 'cache_control'],
    ['metadata', ...cacheHints],
  ),
  /**
   * It keeps prompts in its caches by itself, and calls tools as it likes; a search that may run so often only is
   * refused.
   */
  gemini: saidMembers(
    [
      'n',
      'stop',
      'top_k',
      'seed',
      'presence_penalty',
      'frequency_penalty',
      'logprobs',
      'top_logprobs',
    ],
    ['metadata', 'max_tool_calls', 'parallel_tool_calls', 'cache_control', ...cacheHints],
  ),
  responses: saidMembers(
    [
      'parallel_tool_calls',
      'max_tool_calls',
      'verbosity',
      'logprobs',
      'top_logprobs',
      ...passedToResponses,
    ],
    ['cache_control'],
  ),
} as const satisfies Readonly<Record<string, SaidMembers>>
