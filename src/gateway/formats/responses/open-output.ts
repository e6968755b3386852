import type { Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'
import type { ReplyIdentity } from '../chat/wire'
import {
  callItem,
  callPrefix,
  citation,
  customInput,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from './client-items'
import type { EventLines } from './event-line'
import type { ClientTool } from './parse-tools'
import { itemId } from './response-object'

/**
 * The output of a response while it grows: what it says, as events, and what it has come to.
 * @see openai/openai-openapi `ResponseStreamEvent`, `OutputItem`, 2.3.0 of 2026-08-21
 */
export interface Output {
  /** @param logprobs of the tokens of a text, where they are known */
  say(kind: 'text' | 'refusal' | 'reasoning', text: string, logprobs?: readonly unknown[]): string
  annotate(annotation: Fields): string
  toolStart(tool: number, callId: string, name: string): string
  toolArguments(tool: number, text: string): string
  /** Closes the open items. @param cut whether the answer was cut */
  close(cut: boolean): string
  /** Every item, in its place; open ones as far as they came. */
  items(): readonly Fields[]
  /** As of a renderer. */
  sent?(): boolean
}

interface Part {
  readonly kind: 'text' | 'refusal'
  text: string
  readonly annotations: Fields[]
  readonly logprobs: unknown[]
  /** Prefix of each delta event, made once. */
  readonly before: string
}

interface ReasoningItem {
  readonly kind: 'reasoning'
  readonly index: number
  text: string
}

interface MessageItem {
  readonly kind: 'message'
  readonly index: number
  readonly parts: Part[]
}

interface CallItem {
  readonly kind: 'call'
  readonly index: number
  readonly callId: string
  /** As the vendor was told. */
  readonly name: string
  readonly tool: ClientTool
  text: string
}

type Item = ReasoningItem | MessageItem | CallItem

const none: readonly unknown[] = []

/** All of them stand in the last event again. */
const maxItems = 2048

interface OutputParts {
  readonly identity: ReplyIdentity
  readonly lines: EventLines
  toolOf(name: string): ClientTool
}

export const openOutput = (parts: OutputParts): Output => new ItemsOutput(parts)

/** A message or reasoning goes on until something else begins; calls may be open beside each other. */
class ItemsOutput implements Output {
  readonly #identity: ReplyIdentity
  readonly #lines: EventLines
  readonly #toolOf: OutputParts['toolOf']
  readonly #done: Fields[] = []
  readonly #calls = new Map<number, CallItem>()
  readonly #inner = new InnerJson()
  /** The message or reasoning that goes on. */
  #talking: ReasoningItem | MessageItem | null = null
  #count = 0

  constructor({ identity, lines, toolOf }: OutputParts) {
    this.#identity = identity
    this.#lines = lines
    this.#toolOf = toolOf
  }

  say(kind: Part['kind'] | 'reasoning', text: string, logprobs = none): string {
    return kind === 'reasoning' ? this.#think(text) : this.#tell(kind, text, logprobs)
  }

  /** @throws Error when there are too many items */
  #nextIndex(): number {
    if (this.#count >= maxItems) throw new Error('too many output items')
    return this.#count++
  }

  annotate(annotation: Fields): string {
    const { out, item, part } = this.#openPart('text')
    const shown = citation(annotation)
    part.annotations.push(shown)
    const at = { ...this.#place(item), content_index: item.parts.length - 1 }
    const members = { ...at, annotation_index: part.annotations.length - 1, annotation: shown }
    return out + this.#lines.event('response.output_text.annotation.added', members)
  }

  toolStart(tool: number, callId: string, name: string): string {
    const before = this.#closeTalking()
    const item: CallItem = {
      kind: 'call',
      index: this.#nextIndex(),
      callId,
      name,
      tool: this.#toolOf(name),
      text: '',
    }
    this.#calls.set(tool, item)
    return before + this.#open(item, this.#shownCall(item, 'in_progress'))
  }

  toolArguments(tool: number, text: string): string {
    const item = this.#calls.get(tool)
    if (item === undefined) return ''
    item.text += text
    // What is wrapped can only be told once it is whole.
    if (item.tool.kind !== 'function') return ''
    const members = { ...this.#place(item), delta: text }
    return this.#lines.event('response.function_call_arguments.delta', members)
  }

  close(cut: boolean): string {
    let out = this.#closeTalking(cut)
    for (const item of this.#calls.values()) out += this.#closeCall(item, cut)
    this.#calls.clear()
    return out
  }

  items(): readonly Fields[] {
    const items = [...this.#done]
    if (this.#talking !== null)
      items[this.#talking.index] = this.#shown(this.#talking, 'incomplete')
    for (const item of this.#calls.values()) items[item.index] = this.#shown(item, 'incomplete')
    return items.filter((item) => item !== undefined)
  }

  #idOf(item: Item): string {
    const prefix = item.kind === 'call' ? callPrefix(item.tool.kind) : talkPrefixes[item.kind]
    return itemId(prefix, this.#identity, item.index)
  }

  #place(item: Item) {
    return { item_id: this.#idOf(item), output_index: item.index }
  }

  #open({ index }: Item, shown: Fields): string {
    return this.#lines.event('response.output_item.added', { output_index: index, item: shown })
  }

  #shut({ index }: Item, shown: Fields): string {
    this.#done[index] = shown
    return this.#lines.event('response.output_item.done', { output_index: index, item: shown })
  }

  #shown(item: Item, status: 'completed' | 'incomplete'): Fields {
    switch (item.kind) {
      case 'reasoning':
        return reasoningItem(this.#identity, item.index, item.text)
      case 'message':
        return messageItem(this.#identity, item.index, status, item.parts.map(shownPart))
    }
    return this.#shownCall(item, status)
  }

  #shownCall(item: CallItem, status: 'in_progress' | 'completed' | 'incomplete'): Fields {
    const { index, callId, name, tool, text } = item
    const call = { id: callId, name, arguments: text }
    return callItem(this.#identity, index, status, { call, tool, inner: this.#inner })
  }

  #think(text: string): string {
    const before =
      this.#talking?.kind === 'reasoning' ? '' : this.#closeTalking() + this.#openReasoning()
    const item = this.#talking
    if (item?.kind !== 'reasoning') return before
    item.text += text
    const members = { ...this.#place(item), summary_index: 0, delta: text }
    return before + this.#lines.event('response.reasoning_summary_text.delta', members)
  }

  #tell(kind: Part['kind'], text: string, logprobs: readonly unknown[]): string {
    const last = this.#talking?.kind === 'message' ? this.#talking.parts.at(-1) : undefined
    const { out, part } = last?.kind === kind ? { out: '', part: last } : this.#openPart(kind)
    part.text += text
    if (logprobs.length > 0) part.logprobs.push(...logprobs)
    const members = `${part.before}${JSON.stringify(text)},`
    if (kind === 'refusal') return out + this.#lines.raw('response.refusal.delta', members)
    const likely = logprobs.length === 0 ? '[]' : JSON.stringify(logprobs)
    return out + this.#lines.raw('response.output_text.delta', `${members}"logprobs":${likely},`)
  }

  #openReasoning(): string {
    const item: ReasoningItem = { kind: 'reasoning', index: this.#nextIndex(), text: '' }
    this.#talking = item
    const opened = this.#open(item, this.#shown(item, 'incomplete'))
    const part = { type: 'summary_text', text: '' }
    const members = { ...this.#place(item), summary_index: 0, part }
    return opened + this.#lines.event('response.reasoning_summary_part.added', members)
  }

  /** The message with an open part of this kind, and what opening both takes. */
  #openPart(kind: Part['kind']): { out: string; item: MessageItem; part: Part } {
    let out = this.#talking?.kind === 'reasoning' ? this.#closeTalking() : ''
    let item = this.#talking?.kind === 'message' ? this.#talking : null
    if (item === null) {
      item = { kind: 'message', index: this.#nextIndex(), parts: [] }
      this.#talking = item
      out += this.#open(item, messageItem(this.#identity, item.index, 'in_progress', []))
    }
    const last = item.parts.at(-1)
    if (last?.kind === kind) return { out, item, part: last }
    out += this.#closePart(item)
    const at = { ...this.#place(item), content_index: item.parts.length }
    const before = `${JSON.stringify(at).slice(1, -1)},"delta":`
    const part: Part = { kind, text: '', annotations: [], logprobs: [], before }
    item.parts.push(part)
    out += this.#lines.event('response.content_part.added', { ...at, part: shownPart(part) })
    return { out, item, part }
  }

  #closeTalking(cut = false): string {
    const item = this.#talking
    this.#talking = null
    if (item === null) return ''
    if (item.kind === 'reasoning') return this.#closeReasoning(item)
    return this.#closePart(item) + this.#shut(item, this.#shown(item, endOf(cut)))
  }

  #closeReasoning(item: ReasoningItem): string {
    const at = { ...this.#place(item), summary_index: 0 }
    const { text } = item
    const part = { type: 'summary_text', text }
    return (
      this.#lines.event('response.reasoning_summary_text.done', { ...at, text }) +
      this.#lines.event('response.reasoning_summary_part.done', { ...at, part }) +
      this.#shut(item, this.#shown(item, 'completed'))
    )
  }

  #closePart(item: MessageItem): string {
    const part = item.parts.at(-1)
    if (part === undefined) return ''
    const { kind, text, logprobs } = part
    const at = { ...this.#place(item), content_index: item.parts.length - 1 }
    const said =
      kind === 'text'
        ? this.#lines.event('response.output_text.done', { ...at, text, logprobs })
        : this.#lines.event('response.refusal.done', { ...at, refusal: text })
    const members = { ...at, part: shownPart(part) }
    return said + this.#lines.event('response.content_part.done', members)
  }

  #closeCall(item: CallItem, cut: boolean): string {
    return this.#inputDone(item) + this.#shut(item, this.#shown(item, endOf(cut)))
  }

  #inputDone(item: CallItem): string {
    const { tool, text } = item
    switch (tool.kind) {
      case 'custom': {
        const members = { ...this.#place(item), input: customInput(text, this.#inner) }
        return this.#lines.event('response.custom_tool_call_input.done', members)
      }
      case 'function': {
        const members = { ...this.#place(item), name: tool.name, arguments: text }
        return this.#lines.event('response.function_call_arguments.done', members)
      }
    }
    return ''
  }
}

const talkPrefixes = { message: 'msg', reasoning: 'rs' } as const

const endOf = (cut: boolean) => (cut ? 'incomplete' : 'completed')

const shownPart = ({ kind, text, annotations, logprobs }: Part): Fields =>
  kind === 'text' ? textPart(text, annotations, logprobs) : refusalPart(text)
