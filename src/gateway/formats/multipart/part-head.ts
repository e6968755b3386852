/** Header of a part of a form. */
export interface PartHead {
  readonly name: string
  /** Null for a plain field. */
  readonly filename: string | null
}

const disposition = /^content-disposition\s*:\s*form-data\s*(;.*)?$/i
const fieldLine = /^[!#$%&'*+\-.^_`|~\w]+\s*:/
const named = /;\s*(name|filename|filename\*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi

/**
 * Reads the head of a form's part.
 * @param text the lines above the empty one
 * @returns null when it names no field
 */
export function readPartHead(text: string): PartHead | null {
  let found: PartHead | null = null
  for (const line of text.split('\r\n')) {
    if (!fieldLine.test(line)) return null
    const rest = disposition.exec(line)
    if (rest === null) continue
    if (found !== null) return null
    found = readNames(rest[1] ?? '')
    if (found === null) return null
  }
  return found
}

function readNames(text: string): PartHead | null {
  let name: string | null = null
  let filename: string | null = null
  for (const [, which = '', quoted, bare = ''] of text.matchAll(named)) {
    const value = quoted === undefined ? bare : quoted.replaceAll(/\\(["\\])/g, '$1')
    if (which.toLowerCase() === 'name') name ??= value
    else filename ??= value
  }
  return name === null || name === '' ? null : { name, filename }
}

const formType = /^\s*multipart\/form-data\s*(?:;|$)/i
const inQuotes = /;\s*boundary\s*=\s*"([^"]{1,70})"/i
const plain = /;\s*boundary\s*=\s*([^\s";]{1,70})(?=[\s;]|$)/i

/** Boundary of a form by its `content-type` (RFC 2046, 5.1.1); null when it is no form. */
export function boundaryOf(contentType: string | null): string | null {
  if (contentType === null || !formType.test(contentType)) return null
  const boundary = (inQuotes.exec(contentType) ?? plain.exec(contentType))?.[1]?.trimEnd()
  return boundary === undefined || boundary === '' ? null : boundary
}
