import type { Usage } from '../../../domain/usage'
import { fieldsOf, listOf, type Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'
import { type ReplyIdentity } from '../chat/wire'
import type { HubReply } from '../hub'
import {
  callItem,
  citation,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from './client-items'
import { clientTools } from './parse-tools'
import { responseObject, statusOf } from './response-object'
import type { ResponsesBody } from './schema'

/**
 * A whole answer as a response (openai/openai-openapi `Response`, 2.3.0 of 2026-08-21).
 * @param usage charged usage
 */
export function renderResponse(
  body: ResponsesBody,
  reply: HubReply,
  identity: ReplyIdentity,
  usage: Usage,
): string {
  const [choice] = reply.choices
  if (choice === undefined) throw new Error('reply without choices')
  const { text, reasoning, refusal, toolCalls, annotations, finish, logprobs } = choice
  const status = statusOf(finish)
  const done = status === 'incomplete' ? 'incomplete' : 'completed'
  const toolOf = clientTools(body)
  const inner = new InnerJson()
  const output: Fields[] = []
  if (reasoning) output.push(reasoningItem(identity, output.length, reasoning))
  const parts = [
    ...(text
      ? [textPart(text, annotations.map(citation), listOf(fieldsOf(logprobs)['content']))]
      : []),
    ...(refusal ? [refusalPart(refusal)] : []),
  ]
  if (parts.length > 0 || toolCalls.length === 0)
    output.push(
      messageItem(identity, output.length, done, parts.length > 0 ? parts : [textPart('')]),
    )
  for (const call of toolCalls)
    output.push(
      callItem(identity, output.length, 'completed', { call, tool: toolOf(call.name), inner }),
    )
  return JSON.stringify(responseObject(body, identity, { status, output, usage, finish }))
}
