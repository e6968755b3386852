import { collectReply } from '../collect-reply'
import type { HubReply } from '../hub'
import { openGeminiStream, type GeminiStreamParts } from './parse-stream'

/**
 * A whole reply: one event that says everything.
 * @throws Error when it is no reply, and what its parts throw
 */
export function parseGeminiReply(text: string, parts: GeminiStreamParts): HubReply {
  const stream = openGeminiStream(parts)
  const said = stream.event(text)
  const reply = collectReply([...said, ...stream.ended()])
  if (reply.choices.length === 0) throw new Error('reply without candidates')
  const providerStates = stream.providerStates?.() ?? []
  return { ...reply, providerStates }
}
