import { isFields } from '../../json/fields'
import { readImages } from '../../formats/images/reply'
import { invalid } from '../../formats/schema-fault'
import { editMembers } from '../../json/edit-members'
import type { ImagesBody } from '../../formats/images/schema'
import { embeddedFailure } from '../failure'
import type { ImagesAbility } from '../vendor'
import { imageRulesOf, type ImageRules } from './image-rules'
import { dialectOf } from './shape-request'

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
    checkAsked(rules, body)
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
    if (isFields(reply) && reply['error'] !== undefined && reply['data'] === undefined) {
      const failure = embeddedFailure(reply, model)
      if (failure !== null) throw failure
    }
    return readImages(text)
  },
}

/** @throws invalid_field for what the vendor would leave out without a word */
function checkAsked({ formats, transparent }: ImageRules, body: ImagesBody): void {
  const { output_format: format, background } = body
  if (typeof format === 'string' && !formats.includes(format))
    throw invalid('output_format', formats.join(' | '))
  if (background === 'transparent' && !transparent) throw invalid('background', 'opaque | auto')
}
