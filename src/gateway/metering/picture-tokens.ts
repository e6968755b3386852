import { yieldToLoop } from '../../domain/yield-to-loop'
import type { PictureRule } from '../../domain/model'

/** Properties of a picture that vendors count it by. */
interface Pictured extends ImageSize {
  /** The client is content with a rough look, which some vendors count as less. */
  readonly rough: boolean
}

/** A picture in a prompt, in pixels. */
export interface SeenPicture extends Pictured {
  /** Read in its own bytes; otherwise guessed. */
  readonly isMeasured: boolean
}

/** Of an address, or of a format that we cannot read. */
const unknownSize: ImageSize = { width: 1024, height: 1024 }

/** A picture as the chat format names it. */
export function seenPicture(image: Readonly<Record<string, unknown>>): SeenPicture {
  const { url, detail } = image
  const size = typeof url === 'string' ? imageSize(url) : null
  return { ...(size ?? unknownSize), rough: detail === 'low', isMeasured: size !== null }
}

/** As many are looked at in one turn of the event loop: of each the head is decoded. */
export const fewPictures = 128

/** Pictures as the chat format names them, in slices of the event loop. */
export async function* seenPictures(
  images: readonly Readonly<Record<string, unknown>>[],
): AsyncGenerator<SeenPicture> {
  for (const [at, image] of images.entries()) {
    if (at % fewPictures === 0) await yieldToLoop()
    yield seenPicture(image)
  }
}

/** Usual count of vendors that do not publish theirs; most stay below it. */
const usualRule: PictureRule = { by: 'picture', each: 1000 }

/** Vendors refuse larger ones, or make them smaller first. */
const maxSize: ImageSize = { width: 4096, height: 4096 }
/** Upper bound for vendors that do not publish how they count: Claude reads up to 4,784 tokens. */
const unknownRuleMost = 5000

/** The most tokens that a picture can come to, whatever look the vendor takes. */
export function maxPictureTokens(picture: SeenPicture, rule?: PictureRule): number {
  if (rule === undefined) return unknownRuleMost
  const { width, height } = picture.isMeasured ? picture : maxSize
  return Math.ceil(pictureTokens({ width, height, rough: false }, rule) * 1.1)
}

const tilePixels = 512
const squarePixels = 768
const smallPixels = 384

/** Tokens of a picture, as the model's vendor counts them. */
export function pictureTokens(picture: Pictured, rule = usualRule): number {
  switch (rule.by) {
    case 'tiles':
      return rule.base + (picture.rough ? 0 : rule.each * tilesOf(picture))
    case 'patches': {
      const patches = partsOf(picture, rule.side)
      return Math.ceil(rule.each * Math.min(patches, rule.most ?? patches))
    }
    case 'squares': {
      const small = Math.max(picture.width, picture.height) <= smallPixels
      return rule.each * (small ? 1 : partsOf(picture, squarePixels))
    }
    case 'picture':
      return rule.each
  }
}

/** Fit into 2048², the shortest side to 768, then tiles of 512². */
function tilesOf({ width, height }: ImageSize): number {
  const fit = Math.min(1, 2048 / Math.max(width, height, 1))
  const shrink = Math.min(1, 768 / Math.max(1, Math.min(width, height) * fit))
  const scaled = { width: width * fit * shrink, height: height * fit * shrink }
  return partsOf(scaled, tilePixels)
}

const partsOf = ({ width, height }: ImageSize, side: number): number =>
  Math.max(1, Math.ceil(width / side) * Math.ceil(height / side))

/** Width and height in pixels. */
interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Enough for the headers of all formats; a JPEG with more than this before its frame is unknown. */
const headerBase64Chars = 87_384

/**
 * Size of the image in a `data:` URL, read from its header and never decoded.
 * @returns null when it is no data URL or no format we know
 */
function imageSize(url: string): ImageSize | null {
  if (!url.startsWith('data:')) return null
  const comma = url.indexOf(',', 5)
  if (comma < 0 || comma > 200) return null
  const bytes = Buffer.from(url.slice(comma + 1, comma + 1 + headerBase64Chars), 'base64')
  return png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes)
}

function png(bytes: Buffer): ImageSize | null {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function gif(bytes: Buffer): ImageSize | null {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 4) !== 'GIF8') return null
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function webp(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

function jpeg(bytes: Buffer): ImageSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
