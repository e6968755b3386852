import type { Usage } from '../../../domain/usage'
import { GatewayError } from '../../../errors/gateway-error'
import { fieldsOf, isFields, listOf } from '../../json/fields'
import { inputsOf } from '../../formats/embeddings/schema'
import { tokenCount } from '../../formats/token-count'
import type { EmbedAbility } from '../vendor'
import { methodOf, nameOf } from './method'

/**
 * Vectors in Google's own format, many in one request.
 * @see Google's discovery document of `generativelanguage` v1beta, 2026-08-22 (`BatchEmbedContentsRequest`)
 */
export const embeddings: EmbedAbility = {
  path: (target) => methodOf(target, 'batchEmbedContents'),
  maxInputs: () => 100,
  render(body, target) {
    const model = nameOf(target)
    const requests = inputsOf(body).map((input) => {
      // It counts in tokens of its own.
      if (typeof input !== 'string')
        throw new GatewayError(
          'endpoint_not_supported',
          { model: body.model, endpoint: '/v1/embeddings' },
          { param: 'input' },
        )
      const { dimensions } = body
      return {
        model,
        content: { parts: [{ text: input }] },
        ...(typeof dimensions === 'number' ? { outputDimensionality: dimensions } : {}),
      }
    })
    return JSON.stringify({ requests })
  },
  readReply(text, { body }) {
    const reply: unknown = JSON.parse(text)
    const vectors = listOf(fieldsOf(reply)['embeddings'])
      .filter(isFields)
      .map(({ values }) => listOf(values).map(Number))
    if (
      vectors.length === 0 ||
      vectors.some((vector) => vector.length === 0 || !vector.every(Number.isFinite))
    )
      throw new Error('reply without embeddings')
    // A shortened one is no longer of length one.
    const cut = typeof body.dimensions === 'number'
    return { vectors: cut ? vectors.map(unit) : vectors, usage: usageIn(reply) }
  },
}

/** Its older models count nothing. */
function usageIn(reply: unknown): Usage | null {
  const input = tokenCount(fieldsOf(fieldsOf(reply)['usageMetadata']), 'promptTokenCount')
  return input === 0 ? null : { units: { input }, reasoning: 0, estimated: false }
}

function unit(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((each) => each / length)
}
