import type { Usage } from '../../../domain/usage'
import { isFields, listOf, type Fields } from '../../json/fields'
import { type ReplyIdentity } from '../chat/wire'
import type { HubReply } from '../hub'
import type { EventLines } from './event-line'
import type { Output } from './open-output'
import { itemId, responseId, responseObject, responsesUsage, statusOf } from './response-object'
import type { ResponsesBody } from './schema'
import { isSummary, type Seal } from './sealed-items'

/**
 * The item that stands for what it was made of.
 * @see openai/openai-node 7.55, `src/resources/responses/responses.ts` (`ResponseCompactionItem`,
 *   `CompactedResponse`)
 */
const compactionItem = (identity: ReplyIdentity, index: number, sealed: string): Fields => ({
  id: itemId('cmp', identity, index),
  type: 'compaction',
  encrypted_content: sealed,
})

/** @throws Error where the vendor summarised nothing: the conversation would be lost */
function sealSummary(text: string | null, seal: Seal): string {
  const summary = text?.trim() ?? ''
  if (summary === '') throw new Error('empty compaction summary')
  return seal({ kind: 'summary', text: summary })
}

/** A summary as the answer to a `compaction_trigger`. @throws Error where there is none */
export function renderCompactedResponse(
  body: ResponsesBody,
  reply: HubReply,
  { identity, usage, seal }: CompactionParts & { readonly usage: Usage },
): string {
  const { text = null, finish = null } = reply.choices[0] ?? {}
  const output = [compactionItem(identity, 0, sealSummary(text, seal))]
  const status = statusOf(finish)
  return JSON.stringify(responseObject(body, identity, { status, output, usage, finish }))
}

/**
 * A summary as the answer of `POST /v1/responses/compact`: the user's messages, which stay as they
 * are, and one item for all the rest. @throws Error where there is none
 */
export function renderCompaction(
  { input }: ResponsesBody,
  reply: HubReply,
  { identity, usage, seal }: CompactionParts & { readonly usage: Usage },
): string {
  const sealed = sealSummary(reply.choices[0]?.text ?? null, seal)
  const kept = userMessages(input).map(({ content }, index): Fields => ({
    id: itemId('msg', identity, index),
    type: 'message',
    status: 'completed',
    role: 'user',
    content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : content,
  }))
  return JSON.stringify({
    id: responseId(identity),
    object: 'response.compaction',
    created_at: identity.created,
    output: [...kept, compactionItem(identity, kept.length, sealed)],
    usage: responsesUsage(usage),
  })
}

/** User messages; an earlier summary is part of the new one. */
const userMessages = (input: ResponsesBody['input']): readonly Fields[] =>
  typeof input === 'string'
    ? [{ content: input }]
    : listOf(input)
        .filter(isFields)
        .filter((item) => item['role'] === 'user' && !isSummary(item))

interface CompactionParts {
  readonly identity: ReplyIdentity
  readonly seal: Seal
}

/**
 * The output of a streamed compaction: one item, given out when the summary is whole. Until then its
 * client is told that it grows, and not by what.
 */
export function openCompactionOutput({
  identity,
  seal,
  lines,
}: CompactionParts & { readonly lines: EventLines }): Output {
  const at = { item_id: itemId('cmp', identity, 0), output_index: 0 }
  let summary = ''
  let done: Fields | null = null
  const open = (): string =>
    lines.event('response.output_item.added', {
      output_index: 0,
      item: compactionItem(identity, 0, ''),
    })
  return {
    say(kind, text) {
      if (kind !== 'text' || text === '') return ''
      const before = summary === '' ? open() : ''
      summary += text
      return before + lines.event('response.compaction.compacting', at)
    },
    annotate: () => '',
    toolStart: () => '',
    toolArguments: () => '',
    close() {
      if (done !== null) return ''
      done = compactionItem(identity, 0, sealSummary(summary, seal))
      return lines.event('response.output_item.done', { output_index: 0, item: done })
    },
    items: () => (done === null ? [] : [done]),
    sent: () => done !== null,
  }
}
