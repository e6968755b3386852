import { invalidMessage } from '../formats/chat/parts'
import { invalid } from '../formats/schema-fault'
import type { Fields } from '../json/fields'
import { mayBePublicUrl } from '../net/address'

/*
 * Addresses that vendors fetch. Those that run in the operator's network would ask there what a client tells them to,
 * and others cannot reach it.
 */

/**
 * Names of members whose texts vendors fetch: addresses, and media, which many take as data or as an address. Matched
 * in any case, as Go's `encoding/json` does.
 * - `image_url`, `video_url`, `audio_url` of a part, whatever its `type` (vLLM, `chat_utils.py`, 2026-11)
 * - `ref_audio` of speech (vLLM-Omni), `file` and `ref_images` of pictures, `start_image` of videos (LocalAI)
 * - `image` and `video` of a part (DashScope), `input_audio.data` (DashScope), `reference_images` (Together)
 * - `source.url`, `file_url`, `file_data`, `server_url`, `mcp_servers[].url` (Anthropic, OpenAI)
 */
const fetched =
  /ur[il]s?(?:\[.*)?$|(?:^|_)(?:image|picture|photo|frame|mask|video|audio|voice|speaker|wav|media|file|data|reference)s?(?:[_[]|$)/i

/**
 * Members that vendors do not fetch from: citations, arguments and results of tools, schemas of tools and answers,
 * and notes of the client's own.
 */
const unfetched: ReadonlySet<string> = new Set([
  'annotations',
  'citations',
  'search_results',
  'results',
  'arguments',
  'action',
  'actions',
  'parameters',
  'input_schema',
  'output_schema',
  'schema',
  'json_schema',
  'metadata',
  'attributes',
])

/** Texts and names that are in every message. */
const isPlain = (name: string): boolean =>
  name === 'content' || name === 'text' || name === 'role' || name === 'type'

/** As in `file:/`. */
const minUrlChars = 6

/** The deepest place that a vendor reads is half as deep. */
const maxDepth = 16

/**
 * Refuses a body with an address of a vendor's to fetch that is not public.
 * @param conversations members that hold messages, whose faults have a code of their own
 * @throws invalid_field | invalid_message
 */
export function refusePrivateUrls(body: Fields, conversations: readonly string[] = []): void {
  const found = privateUrlIn(body, 0)
  if (found === null) return
  const param = found.slice(1)
  const isMessage = conversations.some((name) => param.startsWith(`${name}[`))
  throw (isMessage ? invalidMessage : invalid)(param, 'a public address')
}

/** Members of text requests that hold messages. */
export const conversationMembers = ['messages', 'input'] as const

/** Place of the first such address, as `.messages[0].image_url`; null for none. */
function privateUrlIn(fields: Fields, depth: number): string | null {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string') {
      if (value.length < minUrlChars || isPlain(name) || !fetched.test(name)) continue
      if (isPrivate(value) && !isFound(fields, name)) return `.${name}`
    } else if (typeof value === 'object' && value !== null && !isUnfetched(fields, name, depth)) {
      const inner = Array.isArray(value)
        ? privateUrlAmong(value, fetched.test(name), depth + 1)
        : privateUrlIn(value as Fields, depth + 1)
      if (inner !== null) return `.${name}${inner}`
    }
  }
  return null
}

/** @param areFetched its texts are addresses, as in `images: [...]` */
function privateUrlAmong(
  list: readonly unknown[],
  areFetched: boolean,
  depth: number,
): string | null {
  if (depth > maxDepth) return null
  for (let at = 0; at < list.length; at++) {
    const value = list[at]
    // Tokens come by the million.
    if (typeof value === 'number') continue
    if (typeof value === 'string') {
      if (areFetched && isPrivate(value)) return `[${at}]`
    } else if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value)
        ? privateUrlAmong(value, areFetched, depth + 1)
        : privateUrlIn(value as Fields, depth + 1)
      if (inner !== null) return `[${at}]${inner}`
    }
  }
  return null
}

function isUnfetched(fields: Fields, name: string, depth: number): boolean {
  if (depth >= maxDepth || unfetched.has(name)) return true
  // Of a whole body it is the conversation.
  if (name !== 'input' || depth === 0) return false
  const { type } = fields
  return typeof type === 'string' && /_(?:use|call)$/.test(type)
}

/** Result of a vendor's search. */
const isFound = (fields: Fields, name: string): boolean =>
  name === 'url' && fields['type'] === 'web_search_result'

const scheme = /^(?:https?:|[a-z][a-z0-9+.-]*:[/\\])/i
/** Programs leave these out before they read an address (WHATWG URL, 4.4; Python's `urlsplit`). */
// eslint-disable-next-line no-control-regex
const blank = /[\u0000-\u0020\u007f]|\s/g
/** A scheme is shorter; a picture in a `data:` URL is longer, and has no slash there. */
const maxHeadChars = 256
const maxSchemeChars = 32

function isPrivate(text: string): boolean {
  const head = text.slice(0, maxHeadChars).replace(blank, '').slice(0, maxSchemeChars)
  const isHidden = head.length < maxSchemeChars && text.length > maxHeadChars
  return (isHidden || scheme.test(head)) && !mayBePublicUrl(text)
}
