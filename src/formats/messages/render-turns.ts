import { callIdForms, fittingCallId } from '../call-ids'
import { lastMark, withCacheMark } from '../chat/cache-marks'
import { invalidMessage, type Part, type Source } from '../chat/parts'
import { inputOf, type ToolResult, type Turn } from '../chat/turns'
import type { Fields } from '../../json/fields'
import { openInnerJson, type InnerJson } from '../../json/inner-json'
import type { KeptBlock } from './provider-state'

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: Fields[]
}

interface Conversation {
  /** Blocks of the instructions that stood at the start, in order. */
  readonly system: readonly Fields[]
  readonly messages: readonly Message[]
}

/**
 * Turns as messages: neighbours of one role are one message, and results stand first in the message
 * right behind their calls; the vendor refuses a call without its result there.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`MessageParam`)
 * @throws invalid_message
 */
export function renderConversation(
  turns: readonly Turn[],
  replayed: ReadonlyMap<Turn, readonly KeptBlock[]>,
): Conversation {
  const system: Fields[] = []
  const messages: Message[] = []
  const inner = openInnerJson()
  const add = (role: Message['role'], blocks: readonly Fields[]) => {
    if (blocks.length === 0) return
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else messages.push({ role, content: [...blocks] })
  }
  for (const turn of turns)
    switch (turn.role) {
      case 'system':
        if (messages.length === 0) system.push(...systemBlocks(turn.parts))
        else
          add('user', [
            withCacheMark(textBlock(`<system>${turn.text}</system>`), lastMark(turn.parts)),
          ])
        break
      case 'user':
        add('user', renderParts(turn.parts))
        break
      case 'assistant':
        add('assistant', assistantBlocks(turn, replayed.get(turn) ?? [], inner))
        break
      case 'results':
        add('user', turn.results.map(resultBlock))
    }
  trimPrefill(messages)
  // Instructions alone are a question too.
  if (messages.length === 0 && system.length > 0)
    return { system: [], messages: [{ role: 'user', content: system }] }
  return { system, messages }
}

/** A block of text. */
export const textBlock = (text: string): Fields => ({ type: 'text', text })

/** A block for each part. Blocks without a letter are refused: such a part belongs to its neighbour. */
function systemBlocks(parts: readonly Part[]): readonly Fields[] {
  const blocks: Fields[] = []
  for (const part of parts) {
    const [text, last] = [part.type === 'text' ? part.text : '', blocks.at(-1)]
    const joins = last !== undefined && (text.trim() === '' || String(last['text']).trim() === '')
    const block = joins
      ? { ...blocks.pop(), text: `${String(last['text'])}${text}` }
      : textBlock(text)
    blocks.push(withCacheMark(block, part.cache))
  }
  return blocks
}

function assistantBlocks(
  turn: Extract<Turn, { role: 'assistant' }>,
  kept: readonly KeptBlock[],
  inner: InnerJson,
): readonly Fields[] {
  const thoughtBefore = (calls: number) =>
    kept.filter(({ before }) => before === calls).map(({ block }) => block)
  const blocks = thoughtBefore(0)
  // Blocks without a letter are refused.
  if (turn.text.trim() !== '') blocks.push(withCacheMark(textBlock(turn.text), turn.cache))
  turn.calls.forEach((call, index) => {
    if (index > 0) blocks.push(...thoughtBefore(index))
    const input = inputOf(call, inner)
    const block = { type: 'tool_use', id: wireId(call.id), name: call.name, input }
    blocks.push(withCacheMark(block, call.cache))
  })
  return blocks
}

/** Marks stand on whole results: blocks inside of them have none (platform.claude.com/docs, prompt caching, 2026-11). */
function resultBlock({ callId, parts, missing, cache }: ToolResult): Fields {
  const block: Fields = { type: 'tool_result', tool_use_id: wireId(callId) }
  if (missing) return { ...block, content: 'no result', is_error: true }
  const only = parts.length === 1 ? parts[0] : undefined
  const content = only?.type === 'text' ? only.text : parts.map(renderPart)
  return withCacheMark({ ...block, content }, cache)
}

const wireId = (id: string): string => fittingCallId(id, callIdForms.anthropic)

/** An answer to be continued may not end in white space. */
function trimPrefill(messages: Message[]): void {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return
  const block = last.content.at(-1)
  if (block?.['type'] === 'text') block['text'] = String(block['text']).trimEnd()
}

/** @throws invalid_message for sounds, and for files that are neither text nor PDF */
const renderParts = (parts: readonly Part[]): readonly Fields[] =>
  parts.map((part) => withCacheMark(renderPart(part), part.cache))

function renderPart(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image', source: sourceOf(part.source) }
    case 'audio':
      throw invalidMessage('messages', 'without input_audio: this model does not listen')
  }
  const title = part.name === null ? {} : { title: part.name }
  return { type: 'document', source: documentOf(part.source), ...title }
}

const sourceOf = (source: Source): Fields =>
  source.kind === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.data }

function documentOf(source: Source): Fields {
  if (source.kind === 'url' || source.mediaType === 'application/pdf') return sourceOf(source)
  if (!source.mediaType.startsWith('text/') && source.mediaType !== 'application/json')
    throw invalidMessage('messages', 'with files of text or PDF only for this model')
  const bytes = Uint8Array.fromBase64(source.data)
  return { type: 'text', media_type: 'text/plain', data: new TextDecoder().decode(bytes) }
}
