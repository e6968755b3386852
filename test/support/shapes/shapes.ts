import { chatShapes } from './chat'
import { geminiShapes } from './gemini'
import { messagesShapes } from './messages'
import { responsesShapes } from './responses'
import type { Shape } from './shape'

/** Every shape of a stream that vendors were seen to send and that once broke a client, or could. */
export const shapes: readonly Shape[] = [
  ...messagesShapes,
  ...responsesShapes,
  ...chatShapes,
  ...geminiShapes,
]
