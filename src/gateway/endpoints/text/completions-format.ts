import { wireUsage } from '../../formats/chat/usage'
import { collectCompletion } from '../../formats/completions/collect-stream'
import { openCompletionsRenderer, renderCompletion } from '../../formats/completions/render'
import {
  checkCompletionsBody,
  parseCompletionsRequest,
  type CompletionsBody,
} from '../../formats/completions/schema'
import { completionsMembers } from '../../formats/completions/members'
import type { ClientFormat } from './client-format'

/** The old format that completes a text. */
export const completionsFormat: ClientFormat<CompletionsBody> = {
  endpoint: 'completions',
  check: checkCompletionsBody,
  members: completionsMembers,
  tellUsage: wireUsage,
  collect: collectCompletion,
  toChat: parseCompletionsRequest,
  answer: (raw) => ({
    renderReply: (reply, identity, usage) => renderCompletion(raw, reply, identity, usage),
    openRenderer: (identity) => openCompletionsRenderer(raw, identity),
  }),
}
