import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { readEmbeddings } from '../../formats/embeddings/reply'
import { inputsOf, type EmbeddingsBody } from '../../formats/embeddings/schema'
import { unsupported } from '../../formats/schema-fault'
import { embeddedFailure } from '../failure'
import type { EmbedAbility } from '../vendor'
import { embeddingRulesOf, type EmbeddingRules } from './embedding-rules'
import { dialectOf } from './shape-request'

/** Vectors in the reference format (openai/openai-openapi `CreateEmbeddingRequest`, 2.3.0 of 2026-08-21). */
export const embeddings: EmbedAbility = {
  path: () => '/embeddings',
  isReference: true,
  maxInputs: ({ config }) => embeddingRulesOf(config.dialect).maxInputs,
  render(body, { route, traits, config }, { safetyId, conditions }) {
    const rules = embeddingRulesOf(config.dialect)
    const beyond = refusedBy(rules, body)
    if (beyond !== null) throw unsupported(body.model, '/v1/embeddings', beyond)
    const { dimensions, encoding_format: encoding } = body
    const { safetyField } = dialectOf(config.dialect)
    const may = (name: string) => traits.drop?.includes(name) !== true
    const shorter = rules.dimensions !== null && typeof dimensions === 'number'
    // Who does not know it answers with numbers, which are what they are.
    const encoded = rules.encoding !== null && encoding === 'base64'
    return JSON.stringify({
      model: route.vendorModel,
      input: body.input,
      ...(shorter && may('dimensions') ? { [rules.dimensions]: dimensions } : {}),
      ...(encoded && may('encoding_format') ? { [rules.encoding]: 'base64' } : {}),
      ...passed(rules, fieldsOf(body)),
      ...(safetyField === null ? {} : { user: safetyId }),
      ...(conditions ? { provider: conditions } : {}),
    })
  },
  readReply(text, { model }) {
    const reply: unknown = JSON.parse(text)
    if (isFields(reply) && reply['error'] !== undefined && reply['data'] === undefined) {
      const failure = embeddedFailure(reply, model)
      if (failure !== null) throw failure
    }
    return readEmbeddings(reply, text)
  },
}

/** Option that this vendor lacks: a vector of another length is another vector. */
function refusedBy({ dimensions, tokens }: EmbeddingRules, body: EmbeddingsBody): string | null {
  if (!tokens && inputsOf(body).some((each) => typeof each !== 'string')) return 'input'
  return dimensions === null && typeof body.dimensions === 'number' ? 'dimensions' : null
}

const passed = ({ pass }: EmbeddingRules, body: Fields): Fields =>
  Object.fromEntries(
    pass
      .filter((name) => body[name] !== undefined && body[name] !== null)
      .map((name) => [name, body[name]]),
  )
