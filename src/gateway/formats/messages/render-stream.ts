import type { Usage } from '../../../domain/usage'
import type { Fields } from '../../json/fields'
import type { FinishReason, ReplyIdentity } from '../chat/wire'
import type { Delta, DeltaRenderer, RenderedEnd } from '../hub'
import { openBlockQueue, type BlockStart, type BlockWriter } from './block-queue'
import { errorEvent, eventOf, messageId, messagesUsage, pingEvent } from './wire'
import { stopMembers, stopReasonOf } from './stop-reasons'
import { citationBlock, sourceBlocks } from './web-search'

const deltaHeads = {
  text: '{"type":"text_delta","text":',
  thinking: '{"type":"thinking_delta","thinking":',
  tool: '{"type":"input_json_delta","partial_json":',
} as const

const begun = (start: BlockStart): Fields => {
  switch (start.kind) {
    case 'text':
      return { type: 'text', text: '' }
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
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`RawMessageStreamEvent`)
 * @param promptTokens told at the start, where the vendor has not yet told better
 * @param nameOf the client's name of a tool
 */
export const openMessagesRenderer = (
  identity: ReplyIdentity,
  promptTokens: number,
  nameOf: (name: string) => string = (name) => name,
): DeltaRenderer => new MessagesRenderer(identity, promptTokens, nameOf)

class MessagesRenderer implements DeltaRenderer {
  readonly keepAlive = pingEvent
  readonly #identity: ReplyIdentity
  readonly #promptTokens: number
  readonly #nameOf: (name: string) => string
  readonly #queue = openBlockQueue(blocks)
  readonly #citations: Fields[] = []
  #started = false
  #refused = false
  #called = false
  #finish: FinishReason | null = null
  #stopSequence: string | null = null
  #reported: Usage | null = null

  constructor(identity: ReplyIdentity, promptTokens: number, nameOf: (name: string) => string) {
    this.#identity = identity
    this.#promptTokens = promptTokens
    this.#nameOf = nameOf
  }

  render(deltas: readonly Delta[]): string {
    let out = ''
    // Usage may stand behind the first words of one event (Google), and is shown before them.
    if (!this.#started)
      for (const delta of deltas) if (delta.type === 'usage') this.#reported = delta.usage
    for (const delta of deltas) {
      // The format gives one answer.
      if (delta.type !== 'usage' && delta.choice === 0 && this.#finish === null)
        out += this.#start() + this.#renderOne(delta)
    }
    return out
  }

  begin(): string {
    return this.#start() + pingEvent
  }

  close({ error, usage, costUsd }: RenderedEnd): string {
    const rest = this.#queue.end()
    if (error !== null) return rest + errorEvent(this.#identity, { error, usage, costUsd })
    const stopSequence = this.#stopSequence
    const finish = this.#finish ?? (this.#called ? 'tool_calls' : 'stop')
    const delta = stopMembers(stopReasonOf(finish, stopSequence, this.#refused), stopSequence)
    const ended = { type: 'message_delta', delta, usage: messagesUsage(usage), cost_usd: costUsd }
    return this.#start() + rest + eventOf(ended) + eventOf({ type: 'message_stop' })
  }

  #start(): string {
    if (this.#started) return ''
    this.#started = true
    const promptOnly = { units: { input: this.#promptTokens }, reasoning: 0, estimated: true }
    const message = {
      id: messageId(this.#identity),
      type: 'message',
      role: 'assistant',
      model: this.#identity.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: { ...messagesUsage(this.#reported ?? promptOnly), output_tokens: 1 },
    }
    return eventOf({ type: 'message_start', message })
  }

  #renderOne(delta: Delta): string {
    switch (delta.type) {
      case 'text':
        return this.#queue.text('text', delta.text)
      case 'annotation':
        return this.#cite(citationBlock(delta.annotation))
      case 'reasoning':
        return this.#queue.text('thinking', delta.text)
      case 'refusal':
        this.#refused = true
        return this.#queue.text('text', delta.text)
      case 'tool-start':
        this.#called = true
        return this.#queue.toolStart(delta.tool, delta.id, this.#nameOf(delta.name))
      case 'tool-arguments':
        return this.#queue.toolArguments(delta.tool, delta.text)
      case 'finish':
        this.#finish = delta.reason
        this.#stopSequence = delta.stopSequence
        return this.#queue.end() + this.#sources()
    }
    return ''
  }

  #cite(citation: Fields | null): string {
    if (citation === null) return ''
    this.#citations.push(citation)
    return this.#queue.cite(citation)
  }

  /** The last blocks, each whole. */
  #sources(): string {
    return sourceBlocks(this.#citations.splice(0), this.#identity.id)
      .map((block) => {
        const index = this.#queue.skip()
        const opened = eventOf({ type: 'content_block_start', index, content_block: block })
        return opened + blocks.close(index)
      })
      .join('')
  }
}
