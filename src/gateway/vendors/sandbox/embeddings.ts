import { listOf, type Fields } from '../../json/fields'
import { RefusedRequest } from './faults'
import type { Steps } from './slices'
import { countTokensInSteps } from './tokens'

const defaultDimensions = 256
const maxDimensions = 4096

/*
 * What a request may be; more is refused, as by the reference.
 * https://platform.openai.com/docs/api-reference/embeddings/create, 2026-11-22: 8192 tokens an input,
 * 300,000 in all.
 */
const maxInputTokens = 8192
const maxRequestTokens = 300_000
/** Numbers in an answer: 2048 vectors as they come, 128 of the longest. */
const maxValues = 524_288
/** Tokens as numbers are the longest way to say them; a longer body is not even parsed. */
export const maxEmbeddingsChars = 4_194_304

/** Places of the vector that a word moves. */
const drawsPerWord = 32

/** A request that was read: what is left is to draw its vectors. */
interface EmbeddingsWork {
  readonly model: unknown
  readonly texts: readonly string[]
  readonly dimensions: number
  readonly encoded: boolean
  readonly tokens: number
}

/** @throws RefusedRequest for more than a real vendor takes */
export function* readInputs(body: Fields): Steps<EmbeddingsWork> {
  const { input, dimensions: asked } = body
  const dimensions = Math.min(typeof asked === 'number' ? asked : defaultDimensions, maxDimensions)
  const list = listOf(input)
  const inputs = typeof input === 'string' || typeof list[0] === 'number' ? [input] : list
  if (inputs.length * dimensions > maxValues)
    throw new RefusedRequest(
      `The sandbox answers with at most ${maxValues} values: ${inputs.length} inputs of ${dimensions} dimensions are more.`,
      'input',
    )
  const texts: string[] = []
  let tokens = 0
  for (const each of inputs) {
    const count = yield* tokensOf(each)
    if (count > maxInputTokens)
      throw new RefusedRequest(
        `This model's maximum context length is ${maxInputTokens} tokens; input ${texts.length} has more.`,
        'input',
      )
    tokens += count
    if (tokens > maxRequestTokens)
      throw new RefusedRequest(`A request has at most ${maxRequestTokens} tokens.`, 'input')
    texts.push(typeof each === 'string' ? each : listOf(each).join(' '))
    yield
  }
  return {
    model: body['model'],
    texts,
    dimensions,
    encoded: body['encoding_format'] === 'base64',
    tokens,
  }
}

/** Of an input that is far too long, more than it may have. */
function* tokensOf(input: unknown): Steps<number> {
  return typeof input === 'string' ? yield* countTokensInSteps(input) : listOf(input).length
}

const encoder = new TextEncoder()

/** The answer, a vector at a time. */
export function* embeddingsPieces(work: EmbeddingsWork): Generator<Uint8Array, void> {
  const { model, texts, dimensions, encoded, tokens } = work
  yield encoder.encode('{"object":"list","data":[')
  for (const [index, text] of texts.entries()) {
    const vector = vectorOf(text, dimensions)
    const shown = encoded ? base64(vector) : Array.from(vector)
    const each = JSON.stringify({ object: 'embedding', index, embedding: shown })
    yield encoder.encode(index === 0 ? each : `,${each}`)
  }
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  const end = JSON.stringify({ model, usage }).slice(1)
  yield encoder.encode(`],${end}`)
}

/**
 * A sparse random projection: each word moves some places by one, always the same ones, so that texts
 * with words in common come near each other. Linear in the words, whatever the dimensions.
 */
function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of text.toLowerCase().split(/\s+/)) {
    let state = Bun.hash.xxHash32(word)
    for (let draw = 0; draw < drawsPerWord; draw++) {
      state = (state + 0x6d2b79f5) | 0
      const drawn = mixed(state)
      const at = (drawn >>> 1) % dimensions
      vector[at] = (vector[at] ?? 0) + ((drawn & 1) === 0 ? 1 : -1)
    }
  }
  let squares = 0
  for (const each of vector) squares += each * each
  // Words may cancel each other out.
  if (squares === 0) vector[0] = squares = 1
  const length = Math.sqrt(squares)
  return vector.map((each) => each / length)
}

/** The output function of mulberry32: neighbours in, nothing alike out. */
function mixed(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}

const base64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
