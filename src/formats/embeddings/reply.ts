import { addTold, inputTokens, outputTokens, type Usage } from '../../domain/usage'
import { fieldsOf, isCount, isFields, listOf, type ReplyIdentity } from '../chat/wire'
import { readUsage } from '../chat/usage'
import { editMembers } from '../splice'
import { tokenCount } from '../token-count'

/** A vector as numbers, or as the base64 of little-endian floats of 32 bits. */
export type Vector = readonly number[] | string
export type Encoding = 'float' | 'base64'

/** A vendor's vectors, in the order of what was asked. */
export interface EmbeddingsReply {
  readonly vectors: readonly Vector[]
  /** Null when the vendor told none. */
  readonly usage: Usage | null
  /** The vendor's text, where it is in the reference shape but for what is ours to say. */
  readonly text?: string
}

/** A reply in the reference shape. @throws Error when it is none */
export function readEmbeddings(text: string): EmbeddingsReply {
  const reply: unknown = JSON.parse(text)
  const data = listOf(fieldsOf(reply)['data']).filter(isFields)
  if (!isFields(reply) || data.length === 0) throw new Error('a reply without vectors')
  const placed = data.map(({ index, embedding }, at) => ({
    at: isCount(index) ? index : at,
    vector: vectorOf(embedding),
  }))
  const ordered = placed.every(({ at }, place) => at === place)
  const shaped = data.every(({ object, index }) => object === 'embedding' && isCount(index))
  return {
    vectors: placed.sort((a, b) => a.at - b.at).map(({ vector }) => vector),
    usage: allWentIn(readUsage(reply['usage']) ?? totalOf(reply['usage'])),
    ...(ordered && shaped ? { text } : {}),
  }
}

/** Nothing comes out: what a total holds beyond the prompt went in too. Zeros tell nothing. */
function allWentIn(usage: Usage | null): Usage | null {
  if (usage === null || inputTokens(usage) + outputTokens(usage) === 0) return null
  const { output = 0, ...units } = usage.units
  return output === 0
    ? usage
    : { ...usage, units: { ...units, input: (units.input ?? 0) + output } }
}

/** A total alone is what went in: some tell no more. */
function totalOf(usage: unknown): Usage | null {
  const input = tokenCount(fieldsOf(usage), 'total_tokens')
  return input === 0 ? null : { units: { input }, reasoning: 0, estimated: false }
}

/** Several replies to parts of one request, as one. */
export function joinEmbeddings(replies: readonly EmbeddingsReply[]): EmbeddingsReply {
  const [only] = replies
  if (only !== undefined && replies.length === 1) return only
  return {
    vectors: replies.flatMap(({ vectors }) => vectors),
    usage: addTold(replies.map(({ usage }) => usage)),
  }
}

function vectorOf(value: unknown): Vector {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number'))
    return value
  throw new Error('a vector that is none')
}

/** The answer as the client asked for it. @param usage what is charged */
export function renderEmbeddings(
  { vectors, text }: EmbeddingsReply,
  { model }: Pick<ReplyIdentity, 'model'>,
  encoding: Encoding,
  usage: Usage,
): string {
  const tokens = inputTokens(usage)
  const ours = { object: 'list', model, usage: { prompt_tokens: tokens, total_tokens: tokens } }
  const fits = vectors.every((vector) => (typeof vector === 'string') === (encoding === 'base64'))
  if (text !== undefined && fits) return editMembers(text, { set: ours, drop: ['id', 'error'] })
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: encoding === 'base64' ? encoded(vector) : decoded(vector),
  }))
  return JSON.stringify({ ...ours, data })
}

const encoded = (vector: Vector): string =>
  typeof vector === 'string'
    ? vector
    : Buffer.from(new Float32Array(vector).buffer).toString('base64')

function decoded(vector: Vector): readonly number[] {
  if (typeof vector !== 'string') return vector
  // A copy: floats begin at multiples of four.
  const bytes = new Uint8Array(Buffer.from(vector, 'base64'))
  return Array.from(new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)))
}
