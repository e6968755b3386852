import { GatewayError } from '../../../errors/gateway-error'
import { messageOnly, VendorFailure } from '../../../errors/vendor-failure'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { readGeminiUsage } from '../../formats/gemini/usage'
import { invalid } from '../../formats/schema-fault'
import { pictureShape } from '../picture-shape'
import { scrub } from '../scrub'
import type { ImagesAbility } from '../vendor'
import { googleEmbeddedFailure } from './failure'
import { contentMethod } from './method'

/** @see Google's published interface of pictures, November 2026 */
const ratios = '1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9 1:4 4:1 1:8 8:1'.split(' ')

/** Pictures of models that also talk: one a request, of a shape rather than of a size. */
export const images: ImagesAbility = {
  path: (target) => contentMethod(target, false),
  maxPictures: () => 1,
  streams: () => false,
  isDearSize: (size) => pictureShape(size, ratios)?.scale !== '1K',
  render({ body }) {
    const { output_format: format, background } = body
    if (typeof format === 'string' && format !== 'png') throw invalid('output_format', 'png')
    if (background === 'transparent') throw invalid('background', 'opaque | auto')
    const shape = pictureShape(body.size, ratios)
    const imageConfig = shape !== null && {
      aspectRatio: shape.ratio,
      // Some models make one scale only, and refuse to be asked.
      ...(shape.scale === '1K' ? {} : { imageSize: shape.scale }),
    }
    return JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: body.prompt }] }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        ...(imageConfig === false ? {} : { imageConfig }),
      },
    })
  },
  readReply(text, model) {
    const reply: unknown = JSON.parse(text)
    const failure = isFields(reply) ? googleEmbeddedFailure(reply, model) : null
    if (failure !== null) throw failure
    const picture = pictureIn(reply)
    if (picture === null) throw refused(fieldsOf(reply))
    const usage = readGeminiUsage(fieldsOf(reply)['usageMetadata'])
    return { data: [{ b64_json: picture }], usage }
  },
}

const partsIn = (reply: unknown): readonly Fields[] =>
  listOf(fieldsOf(reply)['candidates'])
    .flatMap((each) => listOf(fieldsOf(fieldsOf(each)['content'])['parts']))
    .map(fieldsOf)

/** The base64 of the first picture; drafts that belong to a thought are none. */
function pictureIn(reply: unknown): string | null {
  const made = partsIn(reply)
    .filter(({ thought }) => thought !== true)
    .map(({ inlineData }) => fieldsOf(inlineData))
    .find(({ mimeType }) => typeof mimeType === 'string' && mimeType.startsWith('image/'))
  const data = made?.['data']
  return typeof data === 'string' && data !== '' ? data : null
}

/** An answer without a picture: the vendor says why in a word of its own, or in a sentence. */
function refused(reply: Fields): GatewayError {
  const [candidate] = listOf(reply['candidates']).map(fieldsOf)
  const reasons = [
    fieldsOf(reply['promptFeedback'])['blockReason'],
    candidate?.['finishMessage'],
    candidate?.['finishReason'] === 'STOP' ? undefined : candidate?.['finishReason'],
    partsIn(reply)
      .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
      .join(' '),
  ]
  const reason = reasons.find((each) => typeof each === 'string' && each !== '')
  const said = `no picture was made: ${typeof reason === 'string' ? reason.slice(0, 300) : 'no reason was told'}`
  return new GatewayError(
    'upstream_rejected',
    { said },
    { cause: new VendorFailure(200, messageOnly(scrub(said)), null) },
  )
}
