import { fieldsOf, isFields, type Fields } from '../../json/fields'
import type { Delta, DeltaStream, ProviderState } from '../hub'
import { citationOf } from './web-search'
import { providerStatesOf, type KeptBlock } from './provider-state'
import { finishOf } from './stop-reasons'
import { mergedUsage, readMessagesUsage } from './usage'

interface MessagesStreamParts {
  /** The tool whose input is the answer itself; null when there is none. */
  readonly answerTool: string | null
  /** @throws the vendor's failure that an error event is */
  refuse(event: Fields): void
}

/** A block on its way. */
interface Block {
  readonly kind: 'text' | 'thinking' | 'tool' | 'answer' | 'other'
  /** Counts calls, not blocks. */
  readonly tool: number
  /** Of a call that came whole. */
  readonly input: unknown
  /** Length of the answer before it. */
  readonly from: number
  readonly citations: Fields[]
  begun: boolean
  readonly kept: KeptBlock | null
}

const none: readonly Delta[] = []
const choice = 0

/**
 * A stream of the Messages format as deltas. Usage of the last `message_delta` replaces that of the start.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`RawMessageStreamEvent`)
 */
export const openMessagesStream = (parts: MessagesStreamParts): DeltaStream =>
  new MessagesStream(parts)

class MessagesStream implements DeltaStream {
  readonly #answerTool: string | null
  readonly #refuse: MessagesStreamParts['refuse']
  readonly #blocks = new Map<unknown, Block>()
  readonly #callIds: string[] = []
  readonly #kept: KeptBlock[] = []
  #messageId: unknown = null
  #reported: Fields = {}
  #stopReason: unknown = null
  #stopSequence: string | null = null
  #over = false
  /** Characters of the answer so far. */
  #said = 0

  constructor({ answerTool, refuse }: MessagesStreamParts) {
    this.#answerTool = answerTool
    this.#refuse = refuse
  }

  event(data: string): readonly Delta[] {
    const event: unknown = JSON.parse(data)
    if (!isFields(event) || this.#over) return none
    const block = this.#blocks.get(event['index'])
    switch (event['type']) {
      case 'content_block_delta':
        return block === undefined ? none : this.#add(block, fieldsOf(event['delta']))
      case 'message_start':
        return this.#start(fieldsOf(event['message']))
      case 'content_block_start':
        return this.#open(event['index'], fieldsOf(event['content_block']))
      case 'content_block_stop':
        this.#blocks.delete(event['index'])
        return block === undefined ? none : this.#close(block)
      case 'message_delta':
        return this.#stop(fieldsOf(event['delta']), event['usage'])
      case 'message_stop':
        return this.#finish()
    }
    if (event['type'] === 'error' || event['error'] !== undefined) this.#refuse(event)
    return none
  }

  ended(): readonly Delta[] {
    // Why it stopped was said: only the last event is missing.
    return this.#over || this.#stopReason === null ? none : this.#finish()
  }

  finished(): boolean {
    return this.#stopReason !== null
  }

  thinks(): boolean {
    return this.#kept.length > 0
  }

  complete(): boolean {
    return this.#over
  }

  providerStates(): readonly ProviderState[] {
    return providerStatesOf(this.#kept, this.#callIds)
  }

  #start(message: Fields): readonly Delta[] {
    const { id } = message
    if (this.#messageId !== null) {
      // Broken proxies repeat the start; another message is another answer.
      if (id === this.#messageId) return none
      throw new Error('second message in one stream')
    }
    this.#messageId = id ?? ''
    this.#reported = mergedUsage(this.#reported, message['usage'])
    return this.#usage(true)
  }

  #usage(estimated: boolean): readonly Delta[] {
    const read = readMessagesUsage(this.#reported)
    if (read === null) return none
    if (!estimated) return [{ type: 'usage', usage: read }]
    // So far only the input is counted truly.
    const { output: _, ...units } = read.units
    return [{ type: 'usage', usage: { units, reasoning: 0, estimated } }]
  }

  #open(index: unknown, block: Fields): readonly Delta[] {
    const { type, text, thinking } = block
    switch (type) {
      case 'text':
        this.#keep(index, block, 'text')
        return this.#tell('text', text)
      case 'thinking':
      case 'redacted_thinking': {
        const kept = { before: this.#callIds.length, block: { ...block } }
        this.#kept.push(kept)
        this.#keep(index, block, 'thinking', kept)
        return this.#tell('reasoning', thinking)
      }
      case 'tool_use':
        return this.#openTool(index, block)
    }
    this.#keep(index, block, 'other')
    return none
  }

  #openTool(index: unknown, block: Fields): readonly Delta[] {
    if (block['name'] === this.#answerTool) {
      this.#keep(index, block, 'answer')
      return none
    }
    this.#keep(index, block, 'tool')
    const tool = this.#callIds.length
    const id = String(block['id'])
    this.#callIds.push(id)
    return [{ type: 'tool-start', choice, tool, id, name: String(block['name']) }]
  }

  #keep(index: unknown, { input }: Fields, kind: Block['kind'], kept: KeptBlock | null = null) {
    const tool = this.#callIds.length
    const block: Block = { kind, tool, input, from: this.#said, citations: [], begun: false, kept }
    this.#blocks.set(index, block)
  }

  #add(block: Block, delta: Fields): readonly Delta[] {
    switch (delta['type']) {
      case 'text_delta':
        return this.#tell('text', delta['text'])
      case 'citations_delta':
        block.citations.push(fieldsOf(delta['citation']))
        return none
      case 'thinking_delta':
        append(block, 'thinking', delta['thinking'])
        return this.#tell('reasoning', delta['thinking'])
      case 'signature_delta':
        append(block, 'signature', delta['signature'])
        return none
      case 'input_json_delta': {
        const text = delta['partial_json']
        if (typeof text !== 'string' || text === '' || !isForClient(block)) return none
        block.begun = true
        return input(block, text)
      }
    }
    return none
  }

  #tell(type: 'text' | 'reasoning', text: unknown): readonly Delta[] {
    if (typeof text !== 'string' || text === '') return none
    if (type === 'text') this.#said += text.length
    return [{ type, choice, text }]
  }

  /** A call without arguments sends no delta, one that came whole had them at its start. */
  #close(block: Block): readonly Delta[] {
    if (block.kind === 'text')
      return block.citations.flatMap((each) => {
        const annotation = citationOf(each, block.from, this.#said)
        return annotation === null ? [] : [{ type: 'annotation', choice, annotation }]
      })
    if (block.begun || !isForClient(block)) return none
    block.begun = true
    return input(block, isFields(block.input) ? JSON.stringify(block.input) : '{}')
  }

  #stop({ stop_reason: reason, stop_sequence: sequence }: Fields, usage: unknown) {
    const isFinal = this.#stopReason !== null
    this.#stopReason = reason ?? this.#stopReason
    if (typeof sequence === 'string') this.#stopSequence = sequence
    this.#reported = mergedUsage(this.#reported, usage, isFinal)
    return this.#usage(false)
  }

  #finish(): readonly Delta[] {
    this.#over = true
    const reason = finishOf(this.#stopReason, this.#callIds.length > 0)
    const stopSequence = this.#stopSequence
    return [...this.#usage(false), { type: 'finish', choice, reason, stopSequence }]
  }
}

/** Other input is that of tools which the vendor runs itself: no call of the client's. */
const isForClient = ({ kind }: Block): boolean => kind === 'tool' || kind === 'answer'

const input = (block: Block, text: string): readonly Delta[] =>
  block.kind === 'answer'
    ? [{ type: 'text', choice, text }]
    : [{ type: 'tool-arguments', choice, tool: block.tool, text }]

function append({ kept }: Block, name: string, text: unknown): void {
  if (kept === null || typeof text !== 'string') return
  const before = kept.block[name]
  kept.block[name] = (typeof before === 'string' ? before : '') + text
}
