import { isMarked, knownMark, withCacheMark } from '../chat/cache-marks'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { foundFor, foundLines, withFound } from './found-text'
import type { MessagesBody } from './schema'
import { compactedText } from './compaction'
import { shortName } from './tool-names'

type ChatMessage = ChatBody['messages'][number]

/**
 * Claude Code puts its version into a block of the system text that begins so: it would only spoil the
 * caches of others.
 */
const billingMark = 'x-anthropic-billing-header'

/** Instructions as one text; as parts, which together are that text, where one has a mark of caches. */
export function systemContent(system: MessagesBody['system']): string | Fields[] {
  const parts = textPartsOf(system)
  return joined(
    parts.filter(({ text }) => !String(text).startsWith(billingMark)),
    '\n\n',
  )
}

/** Parts of text as one, or apart where one has a mark. @param between what stands between two */
function joined(parts: readonly Fields[], between: string): string | Fields[] {
  const said = parts.filter(({ text }) => text !== '')
  if (!said.some(isMarked)) return said.map(({ text }) => text).join(between)
  return said.map((part, at) =>
    at === 0 ? part : { ...part, text: `${between}${String(part['text'])}` },
  )
}

/**
 * Messages as chat knows them: results of tools as messages of their own, before all else. What tools at the
 * vendor found for an answer is shown by the user behind it.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`MessageParam`)
 */
export function parseConversation(messages: MessagesBody['messages']): ChatMessage[] {
  const out: ChatMessage[] = []
  const found: string[] = []
  const behind = (content: Content): Content =>
    found.length === 0 ? content : withFound(found.splice(0).join('\n'), content)
  for (const { role, content } of messages)
    switch (role) {
      case 'assistant': {
        out.push(...assistantMessage(content))
        const note = foundFor(content)
        if (note !== '') found.push(note)
        break
      }
      case 'system': {
        const instructions = systemContent(content)
        if (instructions.length > 0) out.push({ role: 'system', content: instructions })
        break
      }
      case 'user':
        out.push(...userMessages(behind(content)))
    }
  return found.length === 0 ? out : [...out, ...userMessages(behind(''))]
}

type Content = MessagesBody['messages'][number]['content']

const blocksOf = (content: unknown): readonly Fields[] => listOf(content).filter(isFields)

const textsOf = (content: unknown): readonly string[] =>
  textPartsOf(content).map(({ text }) => String(text))

/** Text of a block, or of the conversation that it stands for; null where it has none. */
function textIn(block: Fields): string | null {
  const { type, text } = block
  if (type === 'text') return typeof text === 'string' ? text : null
  const summary = compactedText(block)
  return summary === null || summary === '' ? null : `${summary}\n\n`
}

/** Texts with the marks behind them. */
const textPartsOf = (content: unknown): readonly Fields[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : blocksOf(content).flatMap((block) => {
        const text = textIn(block)
        return text === null ? [] : [marked(block, { type: 'text', text })]
      })

/** A part or call with the mark of its block. */
const marked = (block: Fields, part: Fields): Fields => withCacheMark(part, knownMark(block))

function userMessages(content: Content): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content }]
  const results: ChatMessage[] = []
  const parts: Fields[] = []
  for (const block of blocksOf(content)) {
    if (block['type'] !== 'tool_result') continue
    const { output, media } = readResult(block)
    results.push({ role: 'tool', tool_call_id: String(block['tool_use_id']), content: output })
    // A message of a tool holds nothing but text.
    parts.push(...media)
  }
  for (const block of blocksOf(content))
    if (block['type'] !== 'tool_result') parts.push(...partsOf(block))
  // A user who says nothing asks all the same, and an answer before would be gone on with.
  if (parts.length === 0) return results.length > 0 ? results : [{ role: 'user', content: '' }]
  return [...results, { role: 'user', content: simplest(parts) }]
}

/** Text alone as a string: every vendor takes that. */
function simplest(parts: readonly Fields[]): string | Fields[] {
  const [only, ...more] = parts
  return only?.['type'] === 'text' && more.length === 0 && !isMarked(only)
    ? String(only['text'])
    : [...parts]
}

function assistantMessage(content: Content): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'assistant', content }]
  const blocks = blocksOf(content)
  const text = joined(textPartsOf(content), '')
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(callOf)
  const thought = blocks
    .map(({ type, thinking }) =>
      type === 'thinking' && typeof thinking === 'string' ? thinking : '',
    )
    .join('')
  const isSilent = text.length === 0
  if (isSilent && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: isSilent ? null : text,
      ...(thought === '' ? {} : { reasoning_content: thought }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

function callOf(block: Fields) {
  const { id, name, input } = block
  const called = { name: shortName(String(name)), arguments: JSON.stringify(input ?? {}) }
  const mark = knownMark(block)
  return {
    id: String(id),
    type: 'function',
    function: called,
    ...(mark === null ? {} : { cache_control: mark }),
  }
}

interface Result {
  /** Text, as a part where it has a mark. */
  readonly output: string | Fields[]
  /** Pictures and files, which the user shows in the tool's place. */
  readonly media: readonly Fields[]
}

function readResult(block: Fields): Result {
  const { content, is_error: failed } = block
  const parts =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : blocksOf(content).flatMap(partsOf)
  const said = parts.filter(({ type }) => type === 'text')
  const text = `${failed === true ? 'ERROR: ' : ''}${said.map((part) => part['text']).join('\n')}`
  const mark = knownMark(block) ?? knownMark(said.findLast(isMarked) ?? {})
  return {
    output: mark === null || text === '' ? text : [withCacheMark({ type: 'text', text }, mark)],
    media: parts.filter(({ type }) => type !== 'text'),
  }
}

/** A block as parts of a chat message, its mark on the last; what only the vendor of the format understands is none. */
function partsOf(block: Fields): Fields[] {
  const parts = unmarkedParts(block)
  const last = isMarked(block) ? parts.pop() : undefined
  return last === undefined ? parts : [...parts, marked(block, last)]
}

function unmarkedParts(block: Fields): Fields[] {
  const { type, text, source, title } = block
  switch (type) {
    case 'text':
      return text === '' ? [] : [{ type: 'text', text }]
    case 'image':
      return [{ type: 'image_url', image_url: { url: addressOf(fieldsOf(source)) } }]
    case 'document':
      return [...contextParts(block), ...documentParts(fieldsOf(source), title)]
    case 'search_result': {
      const told = textsOf(block['content']).join('\n')
      return [{ type: 'text', text: [title, source, told].filter(Boolean).join('\n') }]
    }
    case 'tool_reference':
      return [{ type: 'text', text: `loaded: ${String(block['tool_name'])}` }]
    case 'compaction': {
      const summary = compactedText(block) ?? ''
      return summary === '' ? [] : [{ type: 'text', text: summary }]
    }
  }
  return foundLines(block).map((line) => ({ type: 'text', text: line }))
}

const addressOf = ({ type, url, media_type: media, data }: Fields): string =>
  type === 'url' ? String(url) : `data:${String(media)};base64,${String(data)}`

/** What the user says of a document (`RequestDocumentBlock`, 1.14.0), which is no part of it. */
const contextParts = ({ context }: Fields): Fields[] =>
  isText(context) ? [{ type: 'text', text: context }] : []

function documentParts(source: Fields, title: unknown): Fields[] {
  const named = typeof title === 'string' && title !== '' ? title : null
  switch (source['type']) {
    case 'text':
      return [{ type: 'text', text: [named, String(source['data'])].filter(Boolean).join('\n') }]
    case 'content':
      return [
        ...(named === null ? [] : [{ type: 'text', text: named }]),
        ...(typeof source['content'] === 'string'
          ? [{ type: 'text', text: source['content'] }]
          : blocksOf(source['content']).flatMap(partsOf)),
      ]
  }
  const file = { file_data: addressOf(source), filename: named ?? 'document.pdf' }
  return [{ type: 'file', file }]
}
