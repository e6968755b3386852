import { GatewayError } from '../../errors/gateway-error'
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

/** The stop sequences that mean anything. */
export function stopsOf({ stop }: ChatBody): string[] {
  const requested = typeof stop === 'string' ? [stop] : (stop ?? [])
  return requested.filter((each) => each.trim() !== '')
}

/**
 * Refuses a request for several answers.
 * @throws invalid_field when several answers are asked of a vendor that gives one a call
 */
export function refuseChoices({ n }: ChatBody): void {
  if (typeof n !== 'number' || n < 2) return
  throw new GatewayError(
    'invalid_field',
    { field: 'n', expected: '1 for this model' },
    { param: 'n' },
  )
}
