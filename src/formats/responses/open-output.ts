import type { Fields } from '../../json/fields'
import type { ReplyIdentity } from '../chat/wire'
import {
  callItem,
  callPrefixes,
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

/** The output of a response while it grows: what it says, as events, and what it has come to. */
export interface Output {
  /** @param logprobs of the tokens of a text, where they are known */
  say(kind: 'text' | 'refusal' | 'reasoning', text: string, logprobs?: readonly unknown[]): string
  annotate(annotation: Fields): string
  toolStart(tool: number, callId: string, name: string): string
  toolArguments(tool: number, text: string): string
  /** Closes what is open. @param cut whether it was not said to its end */
  close(cut: boolean): string
  /** Every item, in its place; what is open as far as it came. */
  items(): readonly Fields[]
  /** As of a renderer. */
  sent?(): boolean
}

interface Part {
  readonly kind: 'text' | 'refusal'
  text: string
  readonly annotations: Fields[]
  readonly logprobs: unknown[]
  /** What stands before each piece of it, made once. */
  readonly before: string
}

type Item =
  | { readonly kind: 'reasoning'; readonly index: number; text: string }
  | { readonly kind: 'message'; readonly index: number; readonly parts: Part[] }
  | {
      readonly kind: 'call'
      readonly index: number
      readonly callId: string
      /** As the vendor was told. */
      readonly name: string
      readonly tool: ClientTool
      text: string
    }

const none: readonly unknown[] = []

export interface OutputParts {
  readonly identity: ReplyIdentity
  readonly lines: EventLines
  toolOf(name: string): ClientTool
}

export function openOutput({ identity, lines, toolOf }: OutputParts): Output {
  const done: Fields[] = []
  const calls = new Map<number, Item & { kind: 'call' }>()
  /** A message or reasoning that goes on; calls may be open beside each other. */
  let talking: Exclude<Item, { kind: 'call' }> | null = null
  let count = 0

  const idOf = ({ kind, index, ...item }: Item): string => {
    if (kind === 'call')
      return itemId('tool' in item ? callPrefixes[item.tool.kind] : 'fc', identity, index)
    return itemId(kind === 'message' ? 'msg' : 'rs', identity, index)
  }
  const place = (item: Item) => ({ item_id: idOf(item), output_index: item.index })

  const open = (item: Item, shown: Fields): string =>
    lines.event('response.output_item.added', { output_index: item.index, item: shown })
  const shut = (item: Item, shown: Fields): string => {
    done[item.index] = shown
    return lines.event('response.output_item.done', { output_index: item.index, item: shown })
  }

  const partOf = ({ kind, text, annotations, logprobs }: Part): Fields =>
    kind === 'text' ? textPart(text, annotations, logprobs) : refusalPart(text)
  const shownOf = (item: Item, status: 'completed' | 'incomplete'): Fields => {
    switch (item.kind) {
      case 'reasoning':
        return reasoningItem(identity, item.index, item.text)
      case 'message':
        return messageItem(identity, item.index, status, item.parts.map(partOf))
    }
    const { index, callId, name, tool, text } = item
    const call = { id: callId, name, arguments: text }
    return callItem(identity, index, status, { call, tool })
  }

  const openReasoning = (): string => {
    const item: Item = { kind: 'reasoning', index: count++, text: '' }
    talking = item
    const part = { type: 'summary_text', text: '' }
    return (
      open(item, reasoningItem(identity, item.index, '')) +
      lines.event('response.reasoning_summary_part.added', {
        ...place(item),
        summary_index: 0,
        part,
      })
    )
  }
  const closeReasoning = (item: Item & { kind: 'reasoning' }): string => {
    const at = { ...place(item), summary_index: 0 }
    const { text } = item
    return (
      lines.event('response.reasoning_summary_text.done', { ...at, text }) +
      lines.event('response.reasoning_summary_part.done', {
        ...at,
        part: { type: 'summary_text', text },
      }) +
      shut(item, shownOf(item, 'completed'))
    )
  }

  const closePart = (item: Item & { kind: 'message' }): string => {
    const part = item.parts.at(-1)
    if (part === undefined) return ''
    const at = { ...place(item), content_index: item.parts.length - 1 }
    const said =
      part.kind === 'text'
        ? lines.event('response.output_text.done', {
            ...at,
            text: part.text,
            logprobs: part.logprobs,
          })
        : lines.event('response.refusal.done', { ...at, refusal: part.text })
    return said + lines.event('response.content_part.done', { ...at, part: partOf(part) })
  }
  const closeMessage = (item: Item & { kind: 'message' }, cut: boolean): string => {
    return closePart(item) + shut(item, shownOf(item, cut ? 'incomplete' : 'completed'))
  }

  const closeTalking = (cut = false): string => {
    const item = talking
    talking = null
    if (item === null) return ''
    return item.kind === 'reasoning' ? closeReasoning(item) : closeMessage(item, cut)
  }

  const closeCall = (item: Item & { kind: 'call' }, cut: boolean): string => {
    const { tool, text } = item
    const shown = shownOf(item, cut ? 'incomplete' : 'completed')
    if (tool.kind === 'search') return shut(item, shown)
    const said =
      tool.kind === 'custom'
        ? lines.event('response.custom_tool_call_input.done', {
            ...place(item),
            input: customInput(text),
          })
        : lines.event('response.function_call_arguments.done', {
            ...place(item),
            name: tool.name,
            arguments: text,
          })
    return said + shut(item, shown)
  }

  /** The message with an open part of this kind, and what opening both takes. */
  const message = (
    kind: Part['kind'],
  ): { out: string; item: Item & { kind: 'message' }; part: Part } => {
    let out = ''
    if (talking?.kind === 'reasoning') out += closeTalking()
    let item = talking?.kind === 'message' ? talking : null
    if (item === null) {
      item = { kind: 'message', index: count++, parts: [] }
      talking = item
      out += open(item, messageItem(identity, item.index, 'in_progress', []))
    }
    const last = item.parts.at(-1)
    if (last?.kind === kind) return { out, item, part: last }
    out += closePart(item)
    const at = { ...place(item), content_index: item.parts.length }
    const before = `${JSON.stringify(at).slice(1, -1)},"delta":`
    const part: Part = { kind, text: '', annotations: [], logprobs: [], before }
    item.parts.push(part)
    out += lines.event('response.content_part.added', { ...at, part: partOf(part) })
    return { out, item, part }
  }

  return {
    say(kind, text, logprobs = none) {
      if (kind === 'reasoning') {
        const before = talking?.kind === 'reasoning' ? '' : closeTalking() + openReasoning()
        const item = talking
        if (item?.kind !== 'reasoning') return before
        item.text += text
        const at = { ...place(item), summary_index: 0 }
        return before + lines.event('response.reasoning_summary_text.delta', { ...at, delta: text })
      }
      const last = talking?.kind === 'message' ? talking.parts.at(-1) : undefined
      const { out, part } = last?.kind === kind ? { out: '', part: last } : message(kind)
      part.text += text
      if (logprobs.length > 0) part.logprobs.push(...logprobs)
      const likely = logprobs.length === 0 ? '[]' : JSON.stringify(logprobs)
      const members = `${part.before}${JSON.stringify(text)},`
      return (
        out +
        (kind === 'text'
          ? lines.raw('response.output_text.delta', `${members}"logprobs":${likely},`)
          : lines.raw('response.refusal.delta', members))
      )
    },
    annotate(annotation) {
      const { out, item, part } = message('text')
      const shown = citation(annotation)
      part.annotations.push(shown)
      const at = { ...place(item), content_index: item.parts.length - 1 }
      const members = { ...at, annotation_index: part.annotations.length - 1, annotation: shown }
      return out + lines.event('response.output_text.annotation.added', members)
    },
    toolStart(tool, callId, name) {
      const before = closeTalking()
      const item = {
        kind: 'call' as const,
        index: count++,
        callId,
        name,
        tool: toolOf(name),
        text: '',
      }
      calls.set(tool, item)
      const call = { id: callId, name, arguments: '' }
      const shown = callItem(identity, item.index, 'in_progress', { call, tool: item.tool })
      return before + open(item, shown)
    },
    toolArguments(tool, text) {
      const item = calls.get(tool)
      if (item === undefined) return ''
      item.text += text
      // What is wrapped can only be told once it is whole.
      if (item.tool.kind !== 'function') return ''
      return lines.event('response.function_call_arguments.delta', { ...place(item), delta: text })
    },
    close(cut) {
      let out = closeTalking(cut)
      for (const item of calls.values()) out += closeCall(item, cut)
      calls.clear()
      return out
    },
    items() {
      const items = [...done]
      for (const item of [...(talking === null ? [] : [talking]), ...calls.values()])
        items[item.index] = shownOf(item, 'incomplete')
      return items.filter((item) => item !== undefined)
    },
  }
}
