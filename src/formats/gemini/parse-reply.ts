import { fieldsOf, isFields, listOf, type Fields } from '../chat/wire'
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
  if (reply.choices.length === 0) throw new Error('a reply without candidates')
  const keepsakes = stream.keepsakes?.() ?? []
  if (!text.includes('"logprobsResult"')) return { ...reply, keepsakes }
  const parsed: unknown = JSON.parse(text)
  const candidates = listOf(fieldsOf(Array.isArray(parsed) ? parsed[0] : parsed)['candidates'])
  const choices = reply.choices.map((choice, at) => ({
    ...choice,
    logprobs: logprobsOf(fieldsOf(candidates[at])['logprobsResult']),
  }))
  return { ...reply, choices, keepsakes }
}

/** In the reference's shape; null where none were asked for. */
function logprobsOf(result: unknown): Fields | null {
  if (!isFields(result)) return null
  const top = listOf(result['topCandidates'])
  const content = listOf(result['chosenCandidates']).map((chosen, at) => ({
    ...tokenOf(chosen),
    top_logprobs: listOf(fieldsOf(top[at])['candidates']).map(tokenOf),
  }))
  return { content, refusal: null }
}

function tokenOf(raw: unknown): Fields {
  const { token, logProbability } = fieldsOf(raw)
  const text = typeof token === 'string' ? token : ''
  return { token: text, logprob: logProbability ?? 0, bytes: [...new TextEncoder().encode(text)] }
}
