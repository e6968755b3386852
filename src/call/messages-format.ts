import { openNativeMessages } from '../formats/messages/native-stream'
import { readNativeMessage } from '../formats/messages/native-reply'
import { parseMessagesRequest } from '../formats/messages/parse-request'
import { renderMessage } from '../formats/messages/render-reply'
import { openMessagesRenderer } from '../formats/messages/render-stream'
import { checkMessagesBody, type MessagesBody } from '../formats/messages/schema'
import type { ClientFormat } from './client-format'

const answer = { renderReply: renderMessage, openRenderer: openMessagesRenderer }

/** Anthropic's format, from clients. */
export const messagesFormat: ClientFormat<MessagesBody> = {
  endpoint: 'messages',
  check: checkMessagesBody,
  describe: ({ model, stream }) => ({ model, stream: stream === true }),
  toChat: parseMessagesRequest,
  answer: () => answer,
  native: {
    ability: 'messages',
    readReply: readNativeMessage,
    openStream: openNativeMessages,
  },
}
