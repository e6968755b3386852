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

/** Instructions as one text. */
export const systemText = (system: MessagesBody['system']): string =>
  textsOf(system)
    .filter((text) => text !== '' && !text.startsWith(billingMark))
    .join('\n\n')

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
        const text = systemText(content)
        if (text !== '') out.push({ role: 'system', content: text })
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
  typeof content === 'string'
    ? [content]
    : blocksOf(content).flatMap((block) => {
        const { type, text } = block
        if (type === 'text' && typeof text === 'string') return [text]
        const summary = compactedText(block)
        return summary === null || summary === '' ? [] : [`${summary}\n\n`]
      })

function userMessages(content: Content): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content }]
  const results: ChatMessage[] = []
  const parts: Fields[] = []
  for (const block of blocksOf(content)) {
    if (block['type'] !== 'tool_result') continue
    const { text, media } = readResult(block)
    results.push({ role: 'tool', tool_call_id: String(block['tool_use_id']), content: text })
    // A message of a tool holds nothing but text.
    parts.push(...media)
  }
  for (const block of blocksOf(content))
    if (block['type'] !== 'tool_result') parts.push(...partsOf(block))
  if (parts.length === 0) return results
  return [...results, { role: 'user', content: simplest(parts) }]
}

/** Text alone as a string: every vendor takes that. */
function simplest(parts: readonly Fields[]): string | Fields[] {
  const [only, ...more] = parts
  return only?.['type'] === 'text' && more.length === 0 ? String(only['text']) : [...parts]
}

function assistantMessage(content: Content): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'assistant', content }]
  const blocks = blocksOf(content)
  const text = textsOf(content).join('')
  const calls = blocks.flatMap(({ type, id, name, input }) =>
    type === 'tool_use'
      ? [
          {
            id: String(id),
            type: 'function',
            function: { name: shortName(String(name)), arguments: JSON.stringify(input ?? {}) },
          },
        ]
      : [],
  )
  const thought = blocks
    .map(({ type, thinking }) =>
      type === 'thinking' && typeof thinking === 'string' ? thinking : '',
    )
    .join('')
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(thought === '' ? {} : { reasoning_content: thought }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

interface Result {
  readonly text: string
  /** Pictures and files, which the user shows in the tool's place. */
  readonly media: readonly Fields[]
}

function readResult({ content, is_error: failed }: Fields): Result {
  const parts =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : blocksOf(content).flatMap(partsOf)
  const text = parts
    .flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : []))
    .join('\n')
  return {
    text: failed === true ? `ERROR: ${text}` : text,
    media: parts.filter(({ type }) => type !== 'text'),
  }
}

/** A block as parts of a chat message; what only the vendor of the format understands is none. */
function partsOf(block: Fields): Fields[] {
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
