import { addReported, inputTokens, outputTokens, type Usage } from '../../../domain/usage'
import { yieldToLoop } from '../../../domain/yield-to-loop'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { type ReplyIdentity } from '../chat/wire'
import { readUsage } from '../chat/usage'
import { editMembers } from '../../json/edit-members'
import { tokenCount } from '../token-count'
import type { ScannedEmbeddings } from './scan'

/** A vector as numbers, as the base64 of little-endian floats of 32 bits, or as its JSON text. */
type Vector = readonly number[] | string | JsonVector

/** One that was not parsed, as it came. */
interface JsonVector {
  readonly json: Uint8Array
  readonly encoding: Encoding
}
export type Encoding = 'float' | 'base64'

/** A vendor's vectors, in the order of the inputs. */
export interface EmbeddingsReply {
  readonly vectors: readonly Vector[]
  /** Null when the vendor told none. */
  readonly usage: Usage | null
  /** The vendor's text, where it is in the reference shape but for what is ours to say. */
  readonly text?: string
  /** Vectors of a large reply, by their place in its bytes. */
  readonly scanned?: ScannedEmbeddings
}

/**
 * A reply in the reference shape.
 * @param text that it was parsed of
 * @throws Error when it is none
 * @see openai/openai-openapi `CreateEmbeddingResponse`, 2.3.0 of 2026-08-21
 */
export function readEmbeddings(reply: unknown, text: string): EmbeddingsReply {
  const data = listOf(fieldsOf(reply)['data']).filter(isFields)
  if (!isFields(reply) || data.length === 0) throw new Error('reply without embeddings')
  const placed = data.map(({ index, embedding }, at) => ({
    at: isCount(index) ? index : at,
    vector: vectorOf(embedding),
  }))
  const ordered = placed.every(({ at }, place) => at === place)
  const shaped = data.every(({ object, index }) => object === 'embedding' && isCount(index))
  return {
    vectors: placed.sort((a, b) => a.at - b.at).map(({ vector }) => vector),
    usage: usageOf(reply['usage']),
    ...(ordered && shaped ? { text } : {}),
  }
}

/** Reads a large reply that was scanned, not parsed. @throws Error when it holds no vector */
export function embeddingsIn(scanned: ScannedEmbeddings): EmbeddingsReply {
  const { bytes, vectors, others } = scanned
  if (vectors.length === 0) throw new Error('reply without embeddings')
  const placed = vectors.map(({ vector, encoding, index }, at) => ({
    at: isCount(index) ? index : at,
    vector: { json: bytes.subarray(vector.from, vector.to), encoding },
  }))
  const isReference = vectors.every(
    ({ object, index }, place) => object === 'embedding' && index === place,
  )
  return {
    vectors: placed.sort((a, b) => a.at - b.at).map(({ vector }) => vector),
    usage: usageOf(others['usage']),
    ...(isReference ? { scanned } : {}),
  }
}

const usageOf = (reported: unknown): Usage | null =>
  allWentIn(readUsage(reported) ?? totalOf(reported))

/** Embeddings have no output: a total beyond the prompt is input too. Zeros report nothing. */
function allWentIn(usage: Usage | null): Usage | null {
  if (usage === null || inputTokens(usage) + outputTokens(usage) === 0) return null
  const { output = 0, ...units } = usage.units
  return output === 0
    ? usage
    : { ...usage, units: { ...units, input: (units.input ?? 0) + output } }
}

/** A total alone is the input: some vendors report no more. */
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
    usage: addReported(replies.map(({ usage }) => usage)),
  }
}

function vectorOf(value: unknown): readonly number[] | string {
  if (typeof value === 'string') return value
  if (isVector(value)) return value
  throw new Error('malformed embedding')
}

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)

/** Numbers that are rendered in one turn of the event loop. */
const oneTurnNumbers = 65_536

/**
 * The answer as the client asked for it; a large one in pieces, made in slices of the event loop.
 * @param usage charged usage
 */
export async function renderEmbeddings(
  { vectors, text, scanned }: EmbeddingsReply,
  { model }: Pick<ReplyIdentity, 'model'>,
  encoding: Encoding,
  usage: Usage,
): Promise<string | readonly Uint8Array[]> {
  const tokens = inputTokens(usage)
  const ours = { object: 'list', model, usage: { prompt_tokens: tokens, total_tokens: tokens } }
  const fits = vectors.every((vector) => encodingOf(vector) === encoding)
  if (text !== undefined && fits) return editMembers(text, { set: ours, drop: notPassed })
  if (scanned !== undefined && fits) return passed(scanned, ours)
  if (vectors.reduce((sum, vector) => sum + sizeOf(vector), 0) > oneTurnNumbers)
    return await renderInSlices(vectors, ours, encoding)
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: encoding === 'base64' ? encoded(vector) : decoded(vector),
  }))
  return JSON.stringify({ ...ours, data })
}

const notPassed = ['id', 'error']
const textEncoder = new TextEncoder()

/** The vendor's vectors and other members, byte for byte. */
function passed({ bytes, data, others }: ScannedEmbeddings, ours: Fields): readonly Uint8Array[] {
  const kept = Object.entries(others).filter(([name]) => !notPassed.includes(name))
  const members = JSON.stringify({ ...Object.fromEntries(kept), ...ours })
  return [
    textEncoder.encode(`${members.slice(0, -1)},"data":`),
    bytes.subarray(data.from, data.to),
    textEncoder.encode('}'),
  ]
}

async function renderInSlices(
  vectors: readonly Vector[],
  ours: Fields,
  encoding: Encoding,
): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = []
  const put = (text: string) => pieces.push(textEncoder.encode(text))
  put(`${JSON.stringify(ours).slice(0, -1)},"data":[`)
  let left = oneTurnNumbers
  for (const [index, vector] of vectors.entries()) {
    put(`${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":`)
    if (isJson(vector) && vector.encoding === encoding) pieces.push(vector.json)
    else put(JSON.stringify(encoding === 'base64' ? encoded(vector) : decoded(vector)))
    put('}')
    left -= sizeOf(vector)
    if (left > 0) continue
    left = oneTurnNumbers
    await yieldToLoop()
  }
  put(']}')
  return pieces
}

const isJson = (vector: Vector): vector is JsonVector =>
  typeof vector === 'object' && 'json' in vector

const encodingOf = (vector: Vector): Encoding =>
  isJson(vector) ? vector.encoding : typeof vector === 'string' ? 'base64' : 'float'

/** Numbers or letters, about as many as take the time of a number. */
const sizeOf = (vector: Vector): number =>
  isJson(vector) ? vector.json.byteLength / 8 : vector.length

/** @throws Error when it is no vector */
const parsed = (vector: Vector): readonly number[] | string =>
  isJson(vector) ? vectorOf(JSON.parse(textDecoder.decode(shortEnough(vector.json)))) : vector

/** Written anew in one turn of the event loop; no model has a tenth of as many dimensions. */
const maxVectorBytes = 2 * 1024 * 1024

function shortEnough(json: Uint8Array): Uint8Array {
  if (json.byteLength > maxVectorBytes) throw new Error('embedding of too many dimensions')
  return json
}

const textDecoder = new TextDecoder()

function encoded(raw: Vector): string {
  const vector = parsed(raw)
  return typeof vector === 'string'
    ? vector
    : Buffer.from(new Float32Array(vector).buffer).toString('base64')
}

function decoded(raw: Vector): readonly number[] {
  const vector = parsed(raw)
  if (typeof vector !== 'string') return vector
  // A copy: floats begin at multiples of four.
  const bytes = new Uint8Array(Buffer.from(vector, 'base64'))
  return Array.from(new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4)))
}
