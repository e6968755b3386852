import type { Fields } from '../../json/fields'
import { openJsonEnd, type JsonEnd } from '../../json/json-end'

/** Opening of a block. */
export type BlockStart =
  | { readonly kind: 'text' | 'thinking' }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string }

/**
 * Told of blocks one after another, as the format demands. @returns what the client gets
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`RawContentBlockDelta`)
 */
export interface BlockWriter {
  open(index: number, start: BlockStart): string
  say(index: number, kind: BlockStart['kind'], text: string): string
  cite(index: number, citation: Fields): string
  close(index: number): string
}

/**
 * Blocks of which one is open at a time: what belongs to a later one waits. Calls of tools that come
 * interleaved are so brought into a row; a call is over when its arguments are.
 */
interface BlockQueue {
  text(kind: 'text' | 'thinking', text: string): string
  /** Where a text is open; nothing elsewhere. */
  cite(citation: Fields): string
  toolStart(tool: number, id: string, name: string): string
  toolArguments(tool: number, text: string): string
  /** Closes all, in order. */
  end(): string
  /** The place of a block that is written by somebody else. Only while none is open. */
  skip(): number
}

interface Block {
  readonly start: BlockStart
  readonly tool: number | null
  /** Not yet said; always empty for the one that is open. */
  waiting: string
  readonly ends: JsonEnd | null
}

export function openBlockQueue(writer: BlockWriter): BlockQueue {
  /** The first is open. */
  const queue: Block[] = []
  let index = -1

  const add = (block: Block): string => {
    queue.push(block)
    if (queue.length > 1) return advance()
    index++
    return writer.open(index, block.start)
  }

  const next = (): string => {
    queue.shift()
    const closed = writer.close(index)
    const block = queue[0]
    if (block === undefined) return closed
    index++
    const { waiting, start } = block
    block.waiting = ''
    return closed + writer.open(index, start) + (waiting && writer.say(index, start.kind, waiting))
  }

  /** Goes on to the next block wherever nothing more can come of the open one. */
  const advance = (): string => {
    let out = ''
    while (queue.length > 1 && queue[0]?.ends?.over() !== false) out += next()
    return out
  }

  const say = (block: Block, text: string): string => {
    block.ends?.push(text)
    if (block !== queue[0]) {
      block.waiting += text
      return ''
    }
    return writer.say(index, block.start.kind, text) + advance()
  }

  return {
    text(kind, text) {
      const last = queue.at(-1)
      if (last?.start.kind === kind) return say(last, text)
      const block: Block = { start: { kind }, tool: null, waiting: '', ends: null }
      const opened = add(block)
      return opened + say(block, text)
    },
    cite: (citation) =>
      queue.length === 1 && queue[0]?.start.kind === 'text' ? writer.cite(index, citation) : '',
    toolStart(tool, id, name) {
      const start = { kind: 'tool', id, name } as const
      return add({ start, tool, waiting: '', ends: openJsonEnd() })
    },
    toolArguments(tool, text) {
      const block = queue.find((each) => each.tool === tool)
      // What comes after the end of its arguments belongs to nothing.
      return block === undefined || text === '' ? '' : say(block, text)
    },
    end() {
      let out = ''
      while (queue.length > 0) out += next()
      return out
    },
    skip: () => ++index,
  }
}
