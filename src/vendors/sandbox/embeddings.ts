import { fieldsOf, listOf, type Fields } from '../../formats/chat/wire'
import { countWords } from './words'

const defaultDimensions = 256
const mostDimensions = 4096

/** Unit vectors that are the same for the same input, and near for inputs with words in common. */
export function embeddingsReply(body: Fields): string {
  const { input, dimensions: asked } = body
  const dimensions = Math.min(typeof asked === 'number' ? asked : defaultDimensions, mostDimensions)
  const list = listOf(input)
  const inputs = typeof input === 'string' || typeof list[0] === 'number' ? [input] : list
  const texts = inputs.map((each) => (typeof each === 'string' ? each : listOf(each).join(' ')))
  const tokens = texts.reduce((sum, text) => sum + countWords(text), 0)
  const vectors = texts.map((text) => vectorOf(text, dimensions))
  return JSON.stringify({
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: body['encoding_format'] === 'base64' ? base64(vector) : vector,
    })),
    model: fieldsOf(body)['model'],
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  })
}

/** Each word pulls in a direction of its own. */
function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const words = text.toLowerCase().split(/\s+/)
  for (const word of words)
    for (let at = 0; at < dimensions; at++) {
      const drawn = Number(Bun.hash(`${word} ${at}`) % 20_001n) / 10_000 - 1
      vector[at] = (vector[at] ?? 0) + drawn
    }
  const length = Math.hypot(...vector)
  return vector.map((each) => Math.fround(each / (length || 1)))
}

const base64 = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')
