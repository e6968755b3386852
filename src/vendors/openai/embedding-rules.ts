import { openRules } from './deviations'

/** Deviations of a vendor's embeddings endpoint from the reference. */
export interface EmbeddingRules {
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
export const embeddingRulesOf = openRules(reference, {
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
