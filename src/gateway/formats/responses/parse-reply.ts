import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { wholeArguments } from '../chat/wire'
import type { HubReply, HubToolCall } from '../hub'
import { annotationOf, finishOf, providerStatesOf, tokensOf } from './output-items'
import { searches, usageOfResponse } from './hosted-tools'

/** A whole response (openai/openai-openapi `Response`, 2.3.0 of 2026-08-21). @throws Error when it is none */
export function parseResponsesReply(response: Fields): HubReply {
  if (!Array.isArray(response['output'])) throw new Error('reply without output')
  let text: string | null = null
  let refusal: string | null = null
  const thoughts: string[] = []
  const toolCalls: HubToolCall[] = []
  const annotations: Fields[] = []
  const reasoning: Fields[] = []
  const logprobs: unknown[] = []

  const readMessage = (item: Fields) => {
    for (const part of listOf(item['content']).map(fieldsOf)) {
      if (typeof part['text'] === 'string') text = (text ?? '') + part['text']
      if (typeof part['refusal'] === 'string') refusal = (refusal ?? '') + part['refusal']
      logprobs.push(...tokensOf(part['logprobs']))
      for (const each of listOf(part['annotations'])) {
        const annotation = annotationOf(each)
        if (annotation !== null) annotations.push(annotation)
      }
    }
  }

  for (const item of listOf(response['output']).filter(isFields))
    switch (item['type']) {
      case 'message':
        readMessage(item)
        break
      case 'reasoning':
        reasoning.push(item)
        for (const part of [...listOf(item['summary']), ...listOf(item['content'])]) {
          const { text: thought } = fieldsOf(part)
          if (typeof thought === 'string' && thought !== '') thoughts.push(thought)
        }
        break
      case 'function_call':
        toolCalls.push({
          id: String(item['call_id'] ?? item['id']),
          name: String(item['name']),
          arguments: wholeArguments(item['arguments']),
        })
    }
  const called = toolCalls.length > 0
  return {
    choices: [
      {
        text: text ?? (called || refusal !== null ? null : ''),
        reasoning: thoughts.length > 0 ? thoughts.join('\n\n') : null,
        refusal,
        toolCalls,
        annotations,
        finish: finishOf(response, called),
        stopSequence: null,
        logprobs: logprobs.length > 0 ? { content: logprobs, refusal: null } : null,
      },
    ],
    usage: usageOfResponse(response, searches),
    providerStates: providerStatesOf(
      reasoning,
      toolCalls.map(({ id }) => id),
    ),
  }
}
