import { createHash } from 'node:crypto'
import { refused, type SettingType } from './types'

/** A picture that stands for the service. */
export interface BrandLogo {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly bytes: Uint8Array
  /** Of the bytes, hexadecimal; short, for an address. */
  readonly hash: string
}

const maxBytes = 65_536
const maxPixels = 1024
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/**
 * What an SVG may not hold: what runs, what loads from elsewhere, and what another parser could read
 * as either. Pages show it as a picture, which runs nothing; whoever opens its address is kept from
 * it by a policy as well.
 */
const unsafeSvg: readonly (readonly [RegExp, string])[] = [
  [/<\s*(?:\w+:)?script\b/i, 'a script'],
  [/\son\w+\s*=/i, 'an event handler'],
  [
    /<\s*(?:\w+:)?(?:foreignObject|iframe|embed|object|audio|video|animate\w*|set|handler|listener)\b/i,
    'an element that is no drawing',
  ],
  [/<!(?:DOCTYPE|ENTITY)/i, 'a document type'],
  [/<\?xml-stylesheet/i, 'a style sheet from elsewhere'],
  [/(?:href|src)\s*=\s*["']\s*(?!#|data:image\/(?:png|jpeg|webp);)/i, 'a link to elsewhere'],
  [/url\(\s*["']?\s*(?!#)/i, 'a link to elsewhere'],
  [/@import/i, 'a style sheet from elsewhere'],
  [/(?:java|vb)script\s*:/i, 'a script'],
]

const written = 'a file with an SVG or PNG picture, or none'
const keptForm = /^(image\/(?:svg\+xml|png));base64,([A-Za-z\d+/=]+)$/

function typeOf(bytes: Uint8Array): BrandLogo['type'] {
  if (bytes.length > maxBytes)
    throw new RangeError(`has ${bytes.length} bytes; a logo has at most ${maxBytes}`)
  if (pngSignature.every((byte, at) => bytes[at] === byte)) {
    checkPng(bytes)
    return 'image/png'
  }
  checkSvg(bytes)
  return 'image/svg+xml'
}

/** Width and height stand in its first chunk (PNG, third edition, 11.2.1). */
function checkPng(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = bytes.length < 33 ? [0, 0] : [view.getUint32(16), view.getUint32(20)]
  if (width === 0 || height === 0) throw new RangeError('is no whole PNG picture')
  if (width > maxPixels || height > maxPixels)
    throw new RangeError(
      `is ${width} by ${height} pixels; a logo is at most ${maxPixels} wide and high`,
    )
}

function checkSvg(bytes: Uint8Array): void {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new RangeError(`must be ${written}`)
  }
  const drawn = text.replace(/<!--[\s\S]*?-->/g, '')
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?<svg[\s>]/i.test(drawn) || !/<\/svg>\s*$/i.test(drawn))
    throw new RangeError(`must be ${written}`)
  // Written out: an entity of characters could hide any of the words.
  const plain = drawn.replace(/&#(?:x([\da-f]+)|(\d+));?/gi, (_, hex?: string, digits?: string) =>
    String.fromCodePoint(
      Math.min(0x10ffff, hex === undefined ? Number(digits) : Number.parseInt(hex, 16)),
    ),
  )
  const found = unsafeSvg.find(([mark]) => mark.test(plain))
  if (found !== undefined) throw new RangeError(`holds ${found[1]}, which a logo may not`)
}

const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** Settings are read again whenever one of them changes: the same logo is taken apart once. */
let last: { readonly text: string; readonly logo: BrandLogo } | null = null

/** A picture that is kept whole, or `none` for the service's own. */
export const brandLogo: SettingType<BrandLogo | null> = {
  written,
  parse(text) {
    if (text === 'none') return null
    if (last?.text === text) return last.logo
    const [, type, base64] = keptForm.exec(text) ?? []
    if (type === undefined || base64 === undefined) throw refused(written, text.slice(0, 40))
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
    const logo = { type: typeOf(bytes), bytes, hash: hashOf(bytes) }
    last = { text, logo }
    return logo
  },
  show: (value) =>
    value === null ? 'none' : `${value.type};base64,${Buffer.from(value.bytes).toString('base64')}`,
  plain: (value) =>
    value === null ? null : `${value.type}, ${value.bytes.length} bytes, sha256 ${value.hash}…`,
  fromFile: (bytes) => `${typeOf(bytes)};base64,${Buffer.from(bytes).toString('base64')}`,
}
