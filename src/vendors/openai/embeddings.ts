import { isFields } from '../../formats/chat/wire'
import { readEmbeddings } from '../../formats/embeddings/reply'
import { embeddedFailure } from '../failure'
import type { EmbedAbility } from '../vendor'
import { dialectOf } from './shape-request'

/** Vectors in the reference format. */
export const embeddings: EmbedAbility = {
  path: () => '/embeddings',
  render(
    { input, dimensions, encoding_format: encoding },
    { route, traits, config },
    { safetyId },
  ) {
    const { safetyField } = dialectOf(config.dialect)
    const may = (name: string) => traits.drop?.includes(name) !== true
    return JSON.stringify({
      model: route.vendorModel,
      input,
      ...(typeof dimensions === 'number' && may('dimensions') ? { dimensions } : {}),
      // Who does not know it answers with numbers, which are what they are.
      ...(encoding === 'base64' && may('encoding_format') ? { encoding_format: encoding } : {}),
      ...(safetyField === null ? {} : { user: safetyId }),
    })
  },
  readReply(text, { model }) {
    const reply: unknown = JSON.parse(text)
    if (isFields(reply) && reply['error'] !== undefined && reply['data'] === undefined) {
      const failure = embeddedFailure(reply, model)
      if (failure !== null) throw failure
    }
    return readEmbeddings(text)
  },
}
