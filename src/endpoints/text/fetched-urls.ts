import { invalidMessage } from '../../formats/chat/parts'
import { invalid } from '../../formats/schema-fault'
import { isFields, listOf, type Fields } from '../../json/fields'
import { mayBePublicUrl } from '../../net/address'

/**
 * Refuses addresses of pictures, files and tool servers that are not public. Vendors fetch them: those that
 * run in the operator's network would ask there what a client tells them to, and others cannot reach it.
 * @throws invalid_message | invalid_field
 */
export function refusePrivateUrls({ messages, input, tools, mcp_servers: servers }: Fields): void {
  checkAll(messages, 'messages')
  checkAll(input, 'input')
  for (const [name, list] of Object.entries({ tools, mcp_servers: servers }))
    listOf(list).forEach((tool, at) => {
      const found = isFields(tool) ? privateUrlIn(tool) : null
      if (found !== null) throw invalid(`${name}[${at}].${found}`, expected)
    })
}

const expected = 'a public address'

/** Members that hold further parts. What a tool was called with is not looked into: nobody fetches that. */
const holders = ['content', 'output', 'source', 'file'] as const

/** Most messages hold one text: where they stand is told of the others alone. */
function checkAll(messages: unknown, name: string): void {
  const all = listOf(messages)
  for (let at = 0; at < all.length; at++) {
    const message = all[at]
    if (isFields(message)) checkHeld(message, name, at)
  }
}

/** @param at its place in the list of this name; null where the name says it */
function checkHeld(part: Fields, name: string, at: number | null): void {
  for (const holder of holders) {
    const held = part[holder]
    if (typeof held !== 'object' || held === null) continue
    const place = `${at === null ? name : `${name}[${at}]`}.${holder}`
    if (Array.isArray(held))
      for (let index = 0; index < held.length; index++) checkPart(held[index], place, index)
    else checkPart(held, place, null)
  }
}

function checkPart(part: unknown, name: string, at: number | null): void {
  if (!isFields(part)) return
  const { type } = part
  // A text cites addresses, and so does what a search found.
  if (type === 'text' || type === 'web_search_result') return
  const found = privateUrlIn(part)
  if (found !== null)
    throw invalidMessage(`${at === null ? name : `${name}[${at}]`}.${found}`, expected)
  checkHeld(part, name, at)
}

/** `url`, `image_url`, `file_url`, `video_url`, `server_url`, `file_data` and the like. */
const named = /(?:^|_)ur[il]$|^file_data$/
const scheme = /^\s*(?:https?:|[a-z][a-z0-9+.-]*:[/\\])/i

/** The member that is such an address, or holds one; null for none. */
function privateUrlIn(part: Fields): string | null {
  for (const name in part) {
    if (!named.test(name)) continue
    const value = part[name]
    if (isPrivate(value)) return name
    if (isFields(value) && isPrivate(value['url'])) return `${name}.url`
  }
  return null
}

const isPrivate = (value: unknown): boolean =>
  typeof value === 'string' && scheme.test(value.slice(0, maxSchemeChars)) && !mayBePublicUrl(value)

/** Nobody's is longer; a picture in a `data:` URL is, and has no slash there. */
const maxSchemeChars = 32
