import { invalidMessage, textOfParts, type Part, type Source } from '../chat/parts'
import { callInput } from '../call-input'
import type { ToolResult, Turn, TurnCall } from '../chat/turns'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'

interface ContentParts {
  /** The signature that came with a call. */
  recall(call: object): unknown
  /** The model refuses a turn whose first call has no signature. */
  readonly signed: boolean
  /** Signatures that the client sent are to be left out. */
  readonly withoutSealed: boolean
}

interface Contents {
  /** All instructions, in order, wherever they stood. */
  readonly system: readonly string[]
  readonly contents: Fields[]
}

/** Documented stand-in for calls whose signature nobody knows. */
const unknownSignature = 'skip_thought_signature_validator'

/**
 * Turns as contents: neighbours of one role are one content, and the results of one turn's calls
 * stand together. Marks of caches have no form here: the vendor keeps prompts by itself, and caches with a name would
 * be the operator's (ai.google.dev, context caching, November 2026).
 * @throws invalid_message
 */
export function renderContents(turns: readonly Turn[], parts: ContentParts): Contents {
  const system: string[] = []
  const contents: Fields[] = []
  let last: Fields[] = []
  const inner = new InnerJson()
  const add = (role: 'user' | 'model', said: readonly Fields[]) => {
    if (said.length === 0) return
    if (contents.at(-1)?.['role'] !== role) contents.push({ role, parts: (last = []) })
    last.push(...said)
  }
  for (const turn of turns)
    switch (turn.role) {
      case 'system':
        system.push(turn.text)
        break
      case 'user':
        add('user', turn.parts.map(partOf))
        break
      case 'assistant': {
        const said = turn.text === '' ? [] : [{ text: turn.text }]
        add('model', [
          ...said,
          ...turn.calls.map((call, at) => callPart(call, at === 0, { ...parts, inner })),
        ])
        break
      }
      case 'results':
        add(
          'user',
          turn.results.flatMap((result) => resultParts(result, inner)),
        )
    }
  // Instructions alone are a question too.
  if (contents.length === 0 && system.length > 0)
    return { system: [], contents: [{ role: 'user', parts: system.map((text) => ({ text })) }] }
  const asks = turns.at(-1)?.role === 'user' && contents.at(-1)?.['role'] !== 'user'
  if (contents.length === 0 || asks) contents.push(nothingSaid())
  if (contents[0]?.['role'] !== 'user') contents.unshift(nothingSaid())
  return { system, contents }
}

/** A user who says nothing: the vendor wants a part of some text, and a user before the model's first call. */
const nothingSaid = (): Fields => ({ role: 'user', parts: [{ text: ' ' }] })

function callPart(
  call: TurnCall,
  first: boolean,
  { recall, signed, inner, withoutSealed }: ContentParts & { readonly inner: InnerJson },
): Fields {
  const { id, name, raw, arguments: text } = call
  const known = (withoutSealed ? null : signatureOf(call)) ?? recall(raw)
  const signature = known ?? (first && signed ? unknownSignature : null)
  const part: Fields = { functionCall: { id, name, args: callInput(text, inner) } }
  return typeof signature === 'string' ? { ...part, thoughtSignature: signature } : part
}

/** As the vendor's own extension of the chat format carries it. */
function signatureOf({ raw }: TurnCall): string | null {
  const { thought_signature: signature } = fieldsOf(fieldsOf(raw['extra_content'])['google'])
  return typeof signature === 'string' && signature !== '' ? signature : null
}

function resultParts(
  { callId, name, parts, missing }: ToolResult,
  inner: InnerJson,
): readonly Fields[] {
  const response = missing ? { error: 'no result' } : responseOf(textOfParts(parts), inner)
  const seen = parts.filter(({ type }) => type !== 'text').map(partOf)
  return [{ functionResponse: { id: callId, name, response } }, ...seen]
}

/** An object is taken as it is; anything else, and what takes too long to parse, is the result of the call. */
function responseOf(text: string, inner: InnerJson): Fields {
  if (!/^\s*\{/.test(text)) return { result: text }
  try {
    const value: unknown = inner.parse(text)
    return isFields(value) ? value : { result: text }
  } catch {
    return { result: text }
  }
}

function partOf(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { text: part.text }
    case 'audio':
      return { inlineData: { mimeType: `audio/${part.format}`, data: part.data } }
  }
  return fileOf(part.source)
}

/** Addresses that the vendor reads itself; all others must come as data. */
const readable =
  /^https:\/\/(?:generativelanguage\.googleapis\.com|(?:www\.)?youtube\.com|youtu\.be)\//

function fileOf(source: Source): Fields {
  if (source.kind === 'data')
    return { inlineData: { mimeType: source.mediaType, data: source.data } }
  if (!readable.test(source.url))
    throw invalidMessage('messages', 'with pictures and files as data: URLs for this model')
  return { fileData: { fileUri: source.url } }
}
