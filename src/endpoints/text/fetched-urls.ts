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
  listOf(messages).forEach((message, at) => checkPart(message, `messages[${at}]`))
  listOf(input).forEach((item, at) => checkPart(item, `input[${at}]`))
  for (const [name, list] of Object.entries({ tools, mcp_servers: servers }))
    listOf(list).forEach((tool, at) => {
      const found = isFields(tool) ? privateUrlIn(tool) : null
      if (found !== null) throw invalid(`${name}[${at}].${found}`, expected)
    })
}

const expected = 'a public address'

/** Members that hold further parts. What a tool was called with is not looked into: nobody fetches that. */
const holders = ['content', 'output', 'source', 'file'] as const

function checkPart(part: unknown, at: string): void {
  if (!isFields(part)) return
  const { type } = part
  // A text cites addresses, and so does what a search found.
  if (type === 'text' || type === 'web_search_result') return
  const found = privateUrlIn(part)
  if (found !== null) throw invalidMessage(`${at}.${found}`, expected)
  for (const name of holders) {
    const held = part[name]
    if (Array.isArray(held))
      held.forEach((each, index) => checkPart(each, `${at}.${name}[${index}]`))
    else checkPart(held, `${at}.${name}`)
  }
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
