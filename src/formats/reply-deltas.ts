import { fieldsOf, listOf } from '../json/fields'
import type { Delta, HubReply } from './hub'

/** A whole answer as the deltas of a stream, for vendors that answer a stream request whole. */
export const replyDeltas = (reply: HubReply): readonly Delta[] =>
  reply.choices.flatMap((answer, choice): Delta[] => {
    const { text, reasoning, refusal, toolCalls, annotations, finish, stopSequence } = answer
    const logprobs = listOf(fieldsOf(answer.logprobs)['content'])
    const told = logprobs.length > 0 ? { logprobs } : {}
    return [
      ...(reasoning ? [{ type: 'reasoning', choice, text: reasoning } as const] : []),
      ...(text ? [{ type: 'text', choice, text, ...told } as const] : []),
      ...annotations.map((annotation) => ({ type: 'annotation', choice, annotation }) as const),
      ...(refusal ? [{ type: 'refusal', choice, text: refusal } as const] : []),
      ...toolCalls.flatMap(({ id, name, arguments: args, extra }, tool): Delta[] => [
        { type: 'tool-start', choice, tool, id, name, ...(extra === undefined ? {} : { extra }) },
        { type: 'tool-arguments', choice, tool, text: args },
      ]),
      { type: 'finish', choice, reason: finish, stopSequence },
    ]
  })
