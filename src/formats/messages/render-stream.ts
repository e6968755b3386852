import type { Usage } from '../../domain/usage'
import type { Fields } from '../../json/fields'
import type { FinishReason, ReplyIdentity } from '../chat/wire'
import type { Delta, DeltaRenderer } from '../hub'
import { openBlockQueue, type BlockStart, type BlockWriter } from './block-queue'
import { errorEvent, eventOf, pingEvent } from './events'
import { messageId } from './identity'
import { stopMembers, stopReasonOf } from './stop-reasons'
import { citationBlock, sourceBlocks } from './web-search'
import { messagesUsage } from './wire-usage'

const deltaHeads = {
  text: '{"type":"text_delta","text":',
  thinking: '{"type":"thinking_delta","thinking":',
  tool: '{"type":"input_json_delta","partial_json":',
} as const

const begun = (start: BlockStart): Fields => {
  switch (start.kind) {
    case 'text':
      return { type: 'text', text: '', citations: null }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool':
      return { type: 'tool_use', id: start.id, name: start.name, input: {} }
  }
}

const blocks: BlockWriter = {
  open: (index, start) =>
    eventOf({ type: 'content_block_start', index, content_block: begun(start) }),
  say: (index, kind, text) =>
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${deltaHeads[kind]}${JSON.stringify(text)}}}\n\n`,
  cite: (index, citation) =>
    eventOf({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } }),
  close: (index) => eventOf({ type: 'content_block_stop', index }),
}

/**
 * Deltas as events of the Messages format.
 * @param promptTokens told at the start, where the vendor has not yet told better
 * @param nameOf what the client calls a tool
 */
export function openMessagesRenderer(
  identity: ReplyIdentity,
  promptTokens: number,
  nameOf: (name: string) => string = (name) => name,
): DeltaRenderer {
  const queue = openBlockQueue(blocks)
  let started = false
  let refused = false
  let finish: FinishReason | null = null
  let stopSequence: string | null = null
  let called = false
  const citations: Fields[] = []
  let told: Usage | null = null

  const start = (): string => {
    if (started) return ''
    started = true
    const input = told ?? { units: { input: promptTokens }, reasoning: 0, estimated: true }
    const message = {
      id: messageId(identity),
      type: 'message',
      role: 'assistant',
      model: identity.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: { ...messagesUsage(input), output_tokens: 1 },
    }
    return eventOf({ type: 'message_start', message })
  }

  const cite = (citation: Fields | null): string => {
    if (citation === null) return ''
    citations.push(citation)
    return queue.cite(citation)
  }

  /** The last blocks, each whole. */
  const sources = (): string =>
    sourceBlocks(citations.splice(0), identity.id)
      .map((block) => {
        const index = queue.skip()
        return (
          eventOf({ type: 'content_block_start', index, content_block: block }) +
          blocks.close(index)
        )
      })
      .join('')

  const renderOne = (delta: Delta): string => {
    switch (delta.type) {
      case 'text':
        return queue.text('text', delta.text)
      case 'annotation':
        return cite(citationBlock(delta.annotation))
      case 'reasoning':
        return queue.text('thinking', delta.text)
      case 'refusal':
        refused = true
        return queue.text('text', delta.text)
      case 'tool-start':
        called = true
        return queue.toolStart(delta.tool, delta.id, nameOf(delta.name))
      case 'tool-arguments':
        return queue.toolArguments(delta.tool, delta.text)
      case 'finish':
        finish = delta.reason
        stopSequence = delta.stopSequence
        return queue.end() + sources()
    }
    return ''
  }

  return {
    render(deltas) {
      let out = ''
      for (const delta of deltas) {
        if (delta.type === 'usage') told = delta.usage
        // The format gives one answer.
        else if (delta.choice === 0 && finish === null) out += start() + renderOne(delta)
      }
      return out
    },
    begin: () => start() + pingEvent,
    keepAlive: pingEvent,
    close({ error, usage, costUsd }) {
      const rest = queue.end()
      if (error !== null) return rest + errorEvent(identity, { error, usage, costUsd })
      const reason = stopReasonOf(finish ?? (called ? 'tool_calls' : 'stop'), stopSequence, refused)
      const delta = stopMembers(reason, stopSequence)
      const ended = { type: 'message_delta', delta, usage: messagesUsage(usage), cost_usd: costUsd }
      return start() + rest + eventOf(ended) + eventOf({ type: 'message_stop' })
    },
  }
}
