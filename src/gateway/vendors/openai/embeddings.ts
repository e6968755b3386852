import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { readEmbeddings } from '../../formats/embeddings/reply'
import { inputsOf, type EmbeddingsBody } from '../../formats/embeddings/schema'
import { unsupported } from '../../formats/schema-fault'
import { refuseEmbedded } from '../failure'
import type { EmbedAbility } from '../vendor'
import { openRules } from './deviations'
import { dialectOf } from './shape-request'

/** Deviations of a vendor's embeddings endpoint from the reference. */
interface EmbeddingRules {
  /** Its name for `dimensions`; null: it shortens no vector. */
  readonly dimensions: string | null
  /** The field that asks for base64; null: it is not asked for it. */
  readonly encoding: string | null
  /** Takes tokens of the client's own counting in place of texts. */
  readonly tokens: boolean
  /** The most inputs of one request. */
  readonly maxInputs: number
  /** Fields of its own that say what the vectors are for, and cost nothing. */
  readonly pass: readonly string[]
}

const reference: EmbeddingRules = {
  dimensions: 'dimensions',
  encoding: 'encoding_format',
  tokens: true,
  maxInputs: 2048,
  pass: [],
}

/** Rules of embeddings by dialect. @see each vendor's published interface, November 2026 */
const embeddingRulesOf = openRules(reference, {
  mistral: { dimensions: 'output_dimension', tokens: false },
  cohere: { dimensions: null, encoding: null, tokens: false, maxInputs: 96 },
  voyage: {
    dimensions: 'output_dimension',
    tokens: false,
    maxInputs: 1000,
    pass: ['input_type', 'truncation'],
  },
  jina: { encoding: 'embedding_type', tokens: false, pass: ['task', 'truncate'] },
  ollama: { tokens: false },
})

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
    if (isFields(reply) && reply['error'] !== undefined && reply['data'] === undefined)
      refuseEmbedded(reply, model)
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
