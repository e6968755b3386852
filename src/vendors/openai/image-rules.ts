import type { Fields } from '../../json/fields'
import type { ImagesBody } from '../../formats/images/schema'
import { pictureShape } from '../picture-shape'
import { sidesIn } from '../sides'
import { openRules } from './deviations'

/** Deviations of a vendor's images endpoint from the reference. */
export interface ImageRules {
  /** Its word for pictures as data; null: it always sends them so and refuses to be asked. */
  readonly data: string | null
  /** Shows pictures while it makes them, or answers whole where it does not know how. */
  readonly streams: boolean
  /** The most pictures of one request. */
  readonly most: number
  /** Forms of file that it makes when it is asked for them. */
  readonly formats: readonly string[]
  readonly transparent: boolean
  /** In its own words; null: the reference's `size` goes as it stands. */
  readonly size: ((size: ImagesBody['size']) => Fields) | null
  /** Whether it bills a picture of this size as more than one of the usual. */
  readonly isDearSize: (size: string) => boolean
  /** Fields of the reference that it lacks. */
  readonly drop: readonly string[]
}

const reference: ImageRules = {
  data: 'b64_json',
  streams: true,
  most: 10,
  formats: ['png', 'jpeg', 'webp'],
  transparent: true,
  size: null,
  isDearSize: () => false,
  drop: [],
}

const xaiRatios = ['1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2', '1:2', '2:1', '9:20', '20:9']

/** Rules of images by dialect. @see each vendor's published interface, November 2026 */
export const imageRulesOf = openRules(reference, {
  openai: { data: null },
  azure: { data: null },
  xai: {
    streams: false,
    formats: ['jpeg'],
    transparent: false,
    size(size) {
      const shape = pictureShape(size, xaiRatios)
      if (shape === null) return {}
      return { aspect_ratio: shape.ratio, ...(shape.scale === '1K' ? {} : { resolution: '2k' }) }
    },
    isDearSize: (size) => pictureShape(size, xaiRatios)?.scale !== '1K',
    drop: ['background', 'output_format', 'output_compression', 'style', 'moderation'],
  },
  together: {
    data: 'base64',
    streams: false,
    most: 4,
    formats: ['png', 'jpeg'],
    transparent: false,
    size: (size) => ({ ...sidesIn(size) }),
    // By the megapixel.
    isDearSize(size) {
      const sides = sidesIn(size)
      return sides !== null && sides.width * sides.height > 1024 * 1024
    },
    drop: ['background', 'quality', 'output_compression', 'style', 'moderation'],
  },
})
