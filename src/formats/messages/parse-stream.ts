import { fieldsOf, isFields, type Fields } from '../../json/fields'
import type { Delta, DeltaStream } from '../hub'
import { citationOf } from './citation'
import { keepsakesOf, type KeptBlock } from './keepsake'
import { finishOf } from './stop-reasons'
import { mergedUsage, readMessagesUsage } from './usage'

export interface MessagesStreamParts {
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
  /** What of the answer stood before it. */
  readonly from: number
  readonly citations: Fields[]
  begun: boolean
  kept: { readonly before: number; readonly block: Fields } | null
}

const none: readonly Delta[] = []
const choice = 0

/** A stream of the Messages format as deltas. */
export function openMessagesStream({ answerTool, refuse }: MessagesStreamParts): DeltaStream {
  const blocks = new Map<unknown, Block>()
  const callIds: string[] = []
  const kept: KeptBlock[] = []
  let messageId: unknown = null
  let told: Fields = {}
  let stopReason: unknown = null
  let stopSequence: string | null = null
  let over = false
  /** Characters of the answer so far. */
  let said = 0

  const usage = (estimated: boolean): readonly Delta[] => {
    const read = readMessagesUsage(told)
    if (read === null) return none
    if (!estimated) return [{ type: 'usage', usage: read }]
    // So far only what went in is told in truth.
    const { output: _, ...units } = read.units
    return [{ type: 'usage', usage: { units, reasoning: 0, estimated } }]
  }

  const start = (message: Fields): readonly Delta[] => {
    const { id } = message
    if (messageId !== null) {
      // Broken upstreams repeat the start; another message is another answer.
      if (id === messageId) return none
      throw new Error('a second message in one stream')
    }
    messageId = id ?? ''
    told = mergedUsage(told, message['usage'])
    return usage(true)
  }

  const tell = (type: 'text' | 'reasoning', text: unknown): readonly Delta[] => {
    if (typeof text !== 'string' || text === '') return none
    if (type === 'text') said += text.length
    return [{ type, choice, text }]
  }

  const open = (index: unknown, block: Fields): readonly Delta[] => {
    const { type, id, name, text, thinking } = block
    const before = callIds.length
    const base = {
      tool: before,
      input: block['input'],
      from: said,
      citations: [],
      begun: false,
      kept: null,
    }
    switch (type) {
      case 'text':
        blocks.set(index, { ...base, kind: 'text' })
        return tell('text', text)
      case 'thinking':
      case 'redacted_thinking': {
        const mine = { before, block: { ...block } }
        kept.push(mine)
        blocks.set(index, { ...base, kind: 'thinking', kept: mine })
        return tell('reasoning', thinking)
      }
      case 'tool_use': {
        if (name === answerTool) {
          blocks.set(index, { ...base, kind: 'answer' })
          return none
        }
        callIds.push(String(id))
        blocks.set(index, { ...base, kind: 'tool' })
        return [{ type: 'tool-start', choice, tool: before, id: String(id), name: String(name) }]
      }
    }
    blocks.set(index, { ...base, kind: 'other' })
    return none
  }

  const add = (block: Block, delta: Fields): readonly Delta[] => {
    switch (delta['type']) {
      case 'text_delta':
        return tell('text', delta['text'])
      case 'citations_delta':
        block.citations.push(fieldsOf(delta['citation']))
        return none
      case 'thinking_delta':
        append(block, 'thinking', delta['thinking'])
        return tell('reasoning', delta['thinking'])
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

  /** A call without arguments sends no delta, one that came whole had them at its start. */
  const close = (block: Block): readonly Delta[] => {
    if (block.kind === 'text')
      return block.citations.flatMap((each) => {
        const annotation = citationOf(each, block.from, said)
        return annotation === null ? [] : [{ type: 'annotation', choice, annotation }]
      })
    if (block.begun || !isForClient(block)) return none
    block.begun = true
    return input(block, isFields(block.input) ? JSON.stringify(block.input) : '{}')
  }

  const finish = (): readonly Delta[] => {
    over = true
    const reason = finishOf(stopReason, callIds.length > 0)
    return [...usage(false), { type: 'finish', choice, reason, stopSequence }]
  }

  return {
    event(data) {
      const event: unknown = JSON.parse(data)
      if (!isFields(event) || over) return none
      const block = blocks.get(event['index'])
      switch (event['type']) {
        case 'content_block_delta':
          return block === undefined ? none : add(block, fieldsOf(event['delta']))
        case 'message_start':
          return start(fieldsOf(event['message']))
        case 'content_block_start':
          return open(event['index'], fieldsOf(event['content_block']))
        case 'content_block_stop':
          blocks.delete(event['index'])
          return block === undefined ? none : close(block)
        case 'message_delta': {
          const delta = fieldsOf(event['delta'])
          stopReason = delta['stop_reason'] ?? stopReason
          const sequence = delta['stop_sequence']
          if (typeof sequence === 'string') stopSequence = sequence
          told = mergedUsage(told, event['usage'])
          return usage(false)
        }
        case 'message_stop':
          return finish()
      }
      if (event['type'] === 'error' || event['error'] !== undefined) refuse(event)
      return none
    },
    // Why it stopped was said: only the last event is missing.
    ended: () => (over || stopReason === null ? none : finish()),
    begun: () => messageId !== null,
    complete: () => over,
    keepsakes: () => keepsakesOf(kept, callIds),
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
