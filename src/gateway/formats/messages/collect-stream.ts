import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'
import type { StreamCollector } from '../stream-collector'
import { stopMembers } from './stop-reasons'

interface Draft {
  readonly block: Fields
  /** JSON text of an input that comes in pieces. */
  input: string
}

/**
 * Events of a stream of Messages as one message.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`RawMessageStreamEvent`)
 */
export function collectMessage(): StreamCollector {
  const blocks = new Map<unknown, Draft>()
  let message: Fields = {}
  let usage: Fields = {}
  let stop: Fields = {}

  return {
    add(event) {
      switch (event['type']) {
        case 'message_start':
          message = fieldsOf(event['message'])
          usage = fieldsOf(message['usage'])
          return
        case 'content_block_start':
          blocks.set(event['index'], { block: { ...fieldsOf(event['content_block']) }, input: '' })
          return
        case 'content_block_delta': {
          const draft = blocks.get(event['index'])
          if (draft !== undefined) addDelta(draft, fieldsOf(event['delta']))
          return
        }
        case 'message_delta':
          stop = { ...stop, ...fieldsOf(event['delta']) }
          usage = { ...usage, ...fieldsOf(event['usage']) }
      }
    },
    closing() {},
    whole(stopped) {
      const inner = new InnerJson()
      const content = [...blocks.values()]
        .map((draft) => wholeBlock(draft, inner))
        .filter((block) => block !== null)
      const ended = stopped ? stopMembers('max_tokens', null) : stop
      return { ...message, content, ...ended, usage }
    },
  }
}

function addDelta(draft: Draft, delta: Fields): void {
  const { block } = draft
  switch (delta['type']) {
    case 'text_delta':
      return append(block, 'text', delta['text'])
    case 'thinking_delta':
      return append(block, 'thinking', delta['thinking'])
    case 'signature_delta':
      return append(block, 'signature', delta['signature'])
    case 'input_json_delta':
      if (typeof delta['partial_json'] === 'string') draft.input += delta['partial_json']
      return
    case 'citations_delta':
      block['citations'] = [...listOf(block['citations']), delta['citation']]
  }
}

function append(block: Fields, name: string, text: unknown): void {
  const before = block[name]
  if (typeof text === 'string') block[name] = (typeof before === 'string' ? before : '') + text
}

/** Null for a call that was cut: nobody may run half a call. */
function wholeBlock({ block, input }: Draft, inner: InnerJson): Fields | null {
  if (input.trim() === '') return block
  try {
    const whole: unknown = inner.parse(input)
    return isFields(whole) ? { ...block, input: whole } : null
  } catch {
    return null
  }
}
