import { callIdForms, fittingCallId } from '../call-ids'
import { lastMark, withCacheMark } from '../chat/cache-marks'
import { invalidMessage, type Part, type Source } from '../chat/parts'
import { callInput } from '../call-input'
import type { ToolResult, Turn, TurnCall } from '../chat/turns'
import type { Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'
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
  const inner = new InnerJson()
  const ids = openCallIds()
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
        ids.begin(turn.calls)
        add('assistant', assistantBlocks(turn, { kept: replayed.get(turn) ?? [], inner, ids }))
        break
      case 'results':
        add(
          'user',
          turn.results.map((result, at) => resultBlock(result, ids.of(at))),
        )
    }
  trimPrefill(messages)
  const instructions = system.filter(({ text }) => String(text).trim() !== '')
  // Instructions alone are a question too.
  if (messages.length === 0 && instructions.length > 0)
    return { system: [], messages: [{ role: 'user', content: instructions }] }
  const asks = turns.at(-1)?.role === 'user' && messages.at(-1)?.role !== 'user'
  if (messages.length === 0 || asks) messages.push(nothingSaid())
  if (messages[0]?.role !== 'user') messages.unshift(nothingSaid())
  return { system: instructions, messages }
}

/** A user who says nothing: a conversation begins with a user, and blocks without a letter are refused. */
const nothingSaid = (): Message => ({ role: 'user', content: [textBlock('.')] })

/** Ids of the calls of one turn after the other, as the vendor takes them. */
interface CallIds {
  begin(calls: readonly TurnCall[]): void
  /** @param at place of the call in its turn */
  of(at: number): string
}

/** Of two calls with one id the vendor refuses the second (docs.claude.com, tool use, 2026-11); some vendors count anew each turn. */
function openCallIds(): CallIds {
  const used = new Set<string>()
  let current: readonly string[] = []
  return {
    begin(calls) {
      current = calls.map(({ id }) => {
        let fitting = fittingCallId(id, callIdForms.anthropic)
        for (let again = 2; used.has(fitting); again++)
          fitting = fittingCallId(`${id}:${again}`, callIdForms.anthropic)
        used.add(fitting)
        return fitting
      })
    },
    of: (at) => current[at] ?? '',
  }
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
  {
    kept,
    inner,
    ids,
  }: { readonly kept: readonly KeptBlock[]; readonly inner: InnerJson; readonly ids: CallIds },
): readonly Fields[] {
  const thoughtBefore = (calls: number) =>
    kept.filter(({ before }) => before === calls).map(({ block }) => block)
  const blocks = thoughtBefore(0)
  // Blocks without a letter are refused.
  if (turn.text.trim() !== '') blocks.push(withCacheMark(textBlock(turn.text), turn.cache))
  turn.calls.forEach((call, index) => {
    if (index > 0) blocks.push(...thoughtBefore(index))
    const input = callInput(call.arguments, inner)
    const block = { type: 'tool_use', id: ids.of(index), name: call.name, input }
    blocks.push(withCacheMark(block, call.cache))
  })
  return blocks
}

/** Marks stand on whole results: blocks inside of them have none (platform.claude.com/docs, prompt caching, 2026-11). */
function resultBlock({ parts: all, missing, cache }: ToolResult, id: string): Fields {
  const block: Fields = { type: 'tool_result', tool_use_id: id }
  if (missing) return { ...block, content: 'no result', is_error: true }
  const parts = all.filter(hasLetters)
  const only = parts.length === 1 ? parts[0] : undefined
  const content = only?.type === 'text' ? only.text : parts.map(renderPart)
  return withCacheMark({ ...block, content }, cache)
}

/** An answer to be continued may not end in white space. */
function trimPrefill(messages: Message[]): void {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return
  const block = last.content.at(-1)
  if (block?.['type'] === 'text') block['text'] = String(block['text']).trimEnd()
}

/** @throws invalid_message for sounds, and for files that are neither text nor PDF */
const renderParts = (parts: readonly Part[]): readonly Fields[] =>
  parts.filter(hasLetters).map((part) => withCacheMark(renderPart(part), part.cache))

/** Whether a part is no text of spaces alone, which is refused. */
const hasLetters = (part: Part): boolean => part.type !== 'text' || part.text.trim() !== ''

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
