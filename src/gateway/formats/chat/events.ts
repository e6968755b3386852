import type { RenderedEnd } from '../hub'
import { wireUsage } from './usage'
import type { ReplyIdentity } from './wire'

/**
 * `object` of every event of a chat stream.
 * @see openai/openai-openapi `CreateChatCompletionStreamResponse`, 2.3.0 of 2026-08-21
 */
export const chatObject = 'chat.completion.chunk'

/** An event of a chat stream as text. */
export const eventOf = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** The end of every chat stream: error if any, usage with the cost, `[DONE]`, as the reference ends it. */
export function closingEvents(
  identity: ReplyIdentity,
  { error, usage, costUsd }: RenderedEnd,
): string {
  const failed = error === null ? '' : eventOf(error)
  const { id, created, model } = identity
  const last = { id, object: chatObject, created, model, choices: [], usage: wireUsage(usage) }
  return `${failed}${eventOf({ ...last, cost_usd: costUsd })}data: [DONE]\n\n`
}
