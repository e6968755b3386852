import { isFields, type Fields } from '../../json/fields'
import { readImages } from '../../formats/images/reply'
import { invalid } from '../../formats/schema-fault'
import { editMembers } from '../../json/edit-members'
import type { ImagesBody } from '../../formats/images/schema'
import { refuseEmbedded } from '../failure'
import type { ImagesAbility } from '../vendor'
import { dialectOf } from './shape-request'
import { pictureShape } from '../picture-shape'
import { sidesIn } from '../dimensions'
import { openRules } from './deviations'

/** Deviations of a vendor's images endpoint from the reference. */
interface ImageRules {
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
const imageRulesOf = openRules(reference, {
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

/** Never the client's: it tells who he is, asks for another form of answer, or is a name of ours. */
const neverPassed: ReadonlySet<string> = new Set([
  'user',
  'response_format',
  'safety_identifier',
  'provider',
  'providerOptions',
  'plugins',
])
/**
 * All that passes where pictures are sold by the piece: members of the reference, and others that change the
 * picture and never its price. What else a vendor knows may buy more than is charged, as `width` and `steps` of
 * Together, or `resolution` of xAI.
 */
const ofPieces: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'style',
  'background',
  'moderation',
  'output_format',
  'output_compression',
  'stream',
  'partial_images',
  'seed',
  'negative_prompt',
  'guidance',
  'guidance_scale',
])
/** Mean nothing where nothing is shown before the end. */
const ofStreams: ReadonlySet<string> = new Set(['stream', 'partial_images'])

/** Pictures in the reference format (openai/openai-openapi `CreateImageRequest`, 2.3.0 of 2026-08-21). */
export const images: ImagesAbility = {
  path: () => '/images/generations',
  maxPictures: ({ config }) => imageRulesOf(config.dialect).most,
  streams: ({ config }) => imageRulesOf(config.dialect).streams,
  isDearSize: (size, { config }) => imageRulesOf(config.dialect).isDearSize(size),
  render({ text, body, count, stream }, { config, route, traits, sells }, { safetyId }) {
    const rules = imageRulesOf(config.dialect)
    checkRequested(rules, body)
    const dialect = dialectOf(config.dialect)
    const countsTokens = sells('output_image')
    const drop = Object.entries(body).flatMap(([name, value]) =>
      neverPassed.has(name) ||
      (!countsTokens && !ofPieces.has(name)) ||
      (!stream && ofStreams.has(name)) ||
      value === null ||
      rules.drop.includes(name) ||
      traits.drop?.includes(name) === true ||
      (name === 'size' && rules.size !== null)
        ? [name]
        : [],
    )
    const set = {
      model: route.vendorModel,
      ...(count === (body.n ?? 1) ? {} : { n: count }),
      ...rules.size?.(body.size),
      ...(dialect.safetyField === null ? {} : { user: safetyId }),
      ...(rules.data === null ? {} : { response_format: rules.data }),
    }
    return editMembers(text, { set, drop })
  },
  readReply(text, model) {
    const reply: unknown = JSON.parse(text)
    if (isFields(reply) && reply['error'] !== undefined && reply['data'] === undefined)
      refuseEmbedded(reply, model)
    return readImages(text)
  },
}

/** @throws invalid_field for what the vendor would leave out without a word */
function checkRequested({ formats, transparent }: ImageRules, body: ImagesBody): void {
  const { output_format: format, background } = body
  if (typeof format === 'string' && !formats.includes(format))
    throw invalid('output_format', formats.join(' | '))
  if (background === 'transparent' && !transparent) throw invalid('background', 'opaque | auto')
}
