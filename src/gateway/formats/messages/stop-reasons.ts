import type { FinishReason } from '../chat/wire'

/** Finish reason in the words of chat. @param called calls that the client gets */
export function finishOf(stopReason: unknown, called: boolean): FinishReason {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'refusal':
      return 'content_filter'
  }
  return called ? 'tool_calls' : 'stop'
}

/**
 * Stop reason of a chat finish reason.
 * @param refused the vendor said in words of its own that it will not
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`StopReason`)
 */
export function stopReasonOf(
  finish: FinishReason,
  stopSequence: string | null,
  refused: boolean,
): string {
  switch (finish) {
    case 'length':
      return 'max_tokens'
    case 'tool_calls':
      return 'tool_use'
    case 'content_filter':
      return 'refusal'
  }
  if (refused) return 'refusal'
  return stopSequence === null ? 'end_turn' : 'stop_sequence'
}

/** The members that tell why a message stopped. */
export const stopMembers = (reason: string, stopSequence: string | null) => ({
  stop_reason: reason,
  stop_sequence: reason === 'stop_sequence' ? stopSequence : null,
  stop_details:
    reason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
})
