import type { Origin } from './origin'

interface HeadParts {
  readonly method: string
  /** Below the origin's base address, beginning with `/`; printable ASCII, encoded already. */
  readonly path: string
  readonly contentType: string | null
  /** Null for none at all. */
  readonly contentBytes: number | null
  /** Of this request alone. */
  readonly fields?: Fields
}

type Fields = readonly (readonly [name: string, value: string])[]

/**
 * Request line and fields with the empty line (RFC 9112, 3 and 5), ASCII, in two parts: the first is mostly
 * the last one's.
 */
export type WireHead = readonly [begin: string, rest: string]

/** Makes heads of requests to one origin; their common part is built once. */
export type RequestHead = (parts: HeadParts) => WireHead

const printable = /^[\x21-\x7e][\x20-\x7e]*$/

/**
 * Opens a maker of request heads.
 * @throws TypeError for a field or path that would not be one line of printable ASCII
 */
export function openRequestHead({ host, pathPrefix }: Origin, fields: Fields): RequestHead {
  const same = lines([['host', host], ...fields])
  const beginOf = ({ method, path, contentType }: Beginning): string => {
    if (!printable.test(path) || path.includes(' ')) throw new TypeError(`a path of ${path}`)
    const type = contentType === null ? '' : `content-type: ${contentType}\r\n`
    return `${method} ${pathPrefix}${path} HTTP/1.1\r\n${same}${type}`
  }
  let last: Beginning = { method: '', path: '', contentType: null }
  let begin = ''
  return ({ method, path, contentType, contentBytes, fields: own }) => {
    if (path !== last.path || method !== last.method || contentType !== last.contentType) {
      const next = { method, path, contentType }
      begin = beginOf(next)
      last = next
    }
    const length = contentBytes === null ? '' : `content-length: ${contentBytes}\r\n`
    return [begin, `${length}${own === undefined ? '' : lines(own)}\r\n`]
  }
}

type Beginning = Pick<HeadParts, 'method' | 'path' | 'contentType'>

const lines = (fields: Fields): string =>
  fields
    .map(([name, value]) => {
      // Never the value: it may be a credential.
      if (!printable.test(value)) throw new TypeError(`the header ${name} has letters it may not`)
      return `${name}: ${value}\r\n`
    })
    .join('')
