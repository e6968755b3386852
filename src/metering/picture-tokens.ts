import { yieldToLoop } from '../domain/yield-to-loop'
import type { PictureRule } from '../domain/model'
import { imageSize, type ImageSize } from './image-size'

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
