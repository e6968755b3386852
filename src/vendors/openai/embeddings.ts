import { GatewayError } from '../../errors/gateway-error'
import { fieldsOf, isFields, type Fields } from '../../formats/chat/wire'
import { readEmbeddings } from '../../formats/embeddings/reply'
import { inputsOf, type EmbeddingsBody } from '../../formats/embeddings/schema'
import { embeddedFailure } from '../failure'
import type { EmbedAbility } from '../vendor'
import { embeddingRulesOf, type EmbeddingRules } from './embedding-rules'
import { dialectOf } from './shape-request'

/** Vectors in the reference format. */
export const embeddings: EmbedAbility = {
  path: () => '/embeddings',
  isReference: true,
  mostInputs: ({ config }) => embeddingRulesOf(config.dialect).mostInputs,
  render(body, { route, traits, config }, { safetyId }) {
    const rules = embeddingRulesOf(config.dialect)
    const beyond = refusedBy(rules, body)
    if (beyond !== null) {
      const facts = { model: body.model, endpoint: `/v1/embeddings (${beyond})` }
      throw new GatewayError('endpoint_not_supported', facts, { param: beyond })
    }
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

/** What is asked that this vendor has no word for: a vector of another length is another vector. */
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
