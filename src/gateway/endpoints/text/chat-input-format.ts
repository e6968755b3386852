import { checkChatBody } from '../../formats/chat/schema'
import { chatMembers } from '../../formats/chat/members'
import { requestsCompaction } from '../../formats/responses/compaction-trigger'
import { parseResponsesRequest } from '../../formats/responses/parse-request'
import { responsesMembers } from '../../formats/responses/members'
import { checkResponsesBody, type ResponsesBody } from '../../formats/responses/schema'
import { ruleOf } from '../../formats/request-members'
import { invalid } from '../../formats/schema-fault'
import { isFields, type Fields } from '../../json/fields'
import type { ClientFormat, NamedFields } from './client-format'
import { responsesFormat } from './responses-format'

/** Whether a body of the chat endpoint is one of the Responses format, as Cursor sends it with a key of one's own. */
export function isResponsesBody(value: unknown): boolean {
  if (!isFields(value)) return false
  const { messages, input } = value
  if (messages !== undefined && messages !== null) return false
  return Array.isArray(input) || typeof input === 'string'
}

/** A request of the Responses format that is answered in the reference format. @param chat how that answers */
export const chatInputFormat = (
  chat: Pick<ClientFormat<NamedFields>, 'answer' | 'collect' | 'endpoint' | 'tellUsage'>,
): ClientFormat<ResponsesBody> => {
  // No vendor gets it as it is sent.
  const { native: _, droppedParts: __, ...read } = responsesFormat
  return {
    ...read,
    ...chat,
    members: { ...chatMembers, ...responsesMembers },
    check,
    toChat: (raw) => ({ ...chatMembersIn(raw), ...parseResponsesRequest(raw) }),
  }
}

function check(value: unknown): ResponsesBody {
  const raw = checkResponsesBody(value)
  if (requestsCompaction(raw))
    throw invalid(`input[${raw.input.length - 1}].type`, 'an item of the conversation')
  // Members of the chat format beside it, by their own rules.
  checkChatBody({ ...chatMembersIn(raw), model: raw.model, messages: [{ role: 'user' }] })
  return raw
}

/** Members that only the chat format has. */
const chatMembersIn = (raw: ResponsesBody): Fields =>
  Object.fromEntries(
    Object.entries(raw).filter(
      ([name]) =>
        name !== 'messages' &&
        ruleOf(chatMembers, name) !== undefined &&
        ruleOf(responsesMembers, name) === undefined,
    ),
  )
