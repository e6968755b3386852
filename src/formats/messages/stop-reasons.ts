import type { FinishReason } from '../chat/wire'

/** Why the model stopped, in the words of chat. @param called calls that the client gets */
export function finishOf(stopReason: unknown, called: boolean): FinishReason {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'refusal':
      return 'content_filter'
    case 'tool_use':
      return called ? 'tool_calls' : 'stop'
  }
  return 'stop'
}
