import type { ChatBody } from './schema'

/**
 * The client's output ceiling in tokens, the smaller of `max_tokens` and `max_completion_tokens`, its
 * newer name (openai/openai-openapi `CreateChatCompletionRequest`, 2.3.0 of 2026-08-21); null for none.
 */
export function outputCeilingOf({
  max_tokens: old,
  max_completion_tokens: current,
}: ChatBody): number | null {
  const first = typeof old === 'number' ? old : null
  if (typeof current !== 'number') return first
  return first === null ? current : Math.min(first, current)
}

/** The stop sequences of a body; an empty one ends nothing. */
export function stopsOf({ stop }: ChatBody): string[] {
  const requested = typeof stop === 'string' ? [stop] : (stop ?? [])
  return requested.filter((each) => each !== '')
}
