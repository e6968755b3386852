import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  embeddingsIn,
  readEmbeddings,
  renderEmbeddings,
  type Encoding,
} from '../../../src/gateway/formats/embeddings/reply'
import { scanEmbeddings } from '../../../src/gateway/formats/embeddings/scan'

const usage = { units: { input: 7 }, reasoning: 0, estimated: false }
const identity = { model: 'ours' }
const base64 = (vector: readonly number[]) =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')

/** A reply in the reference shape, as a vendor may write it. */
const replies = fc
  .record({
    vectors: fc.array(fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    }),
    encoded: fc.boolean(),
    named: fc.boolean(),
    backwards: fc.boolean(),
    // No object of ours can be asked for this one.
    more: fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      fc.jsonValue(),
      { maxKeys: 3 },
    ),
    indent: fc.constantFrom(0, 1),
  })
  .map(({ vectors, encoded, named, backwards, more, indent }) => {
    const data = vectors.map((vector, index) => ({
      ...(named ? { object: 'embedding' } : {}),
      index,
      'ends"\\': ']}',
      embedding: encoded ? base64(vector) : vector,
    }))
    const all = backwards ? data.toReversed() : data
    const told = { prompt_tokens: 7, total_tokens: 7 }
    return JSON.stringify({ id: 'x', ...more, data: all, usage: told }, null, indent)
  })

const textOf = async (answer: ReturnType<typeof renderEmbeddings>): Promise<string> => {
  const rendered = await answer
  return typeof rendered === 'string' ? rendered : Buffer.concat(rendered).toString()
}
const jsonOf = async (answer: ReturnType<typeof renderEmbeddings>): Promise<unknown> =>
  JSON.parse(await textOf(answer))

describe('a reply that is not parsed', () => {
  test('gives the client what the parsed one gives, in either encoding', async () => {
    const encodings = fc.constantFrom<Encoding>('float', 'base64')
    await fc.assert(
      fc.asyncProperty(replies, encodings, async (text, encoding) => {
        const parsed = readEmbeddings(JSON.parse(text), text)
        const scanned = await scanEmbeddings(Buffer.from(text), 5)
        if (scanned === null) throw new Error('not found')
        const found = embeddingsIn(scanned)
        expect(found.usage).toEqual(parsed.usage)
        expect(found.vectors.length).toBe(parsed.vectors.length)
        expect(await jsonOf(renderEmbeddings(found, identity, encoding, usage))).toEqual(
          await jsonOf(renderEmbeddings(parsed, identity, encoding, usage)),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('keeps the digits of its numbers', async () => {
    const text = `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1.0, -0.10e0]}],"model":"m"}`
    const scanned = await scanEmbeddings(Buffer.from(text), 1)
    if (scanned === null) throw new Error('not found')
    const answer = renderEmbeddings(embeddingsIn(scanned), identity, 'float', usage)
    expect(await textOf(answer)).toContain('"embedding":[1.0, -0.10e0]')
  })

  test.each([
    ['a failure', '{"error":{"message":"no"}}'],
    ['another shape', '{"embeddings":[[1,2]]}'],
    ['vectors of objects', '{"data":[{"embedding":[{"a":1}]}]}'],
    ['no vector', '{"data":[{"index":0}]}'],
    ['cut', '{"data":[{"embedding":[1,2]}'],
    ['followed by more', '{"data":[{"embedding":[1,2]}]} {}'],
    ['two lists', '{"data":[{"embedding":[1]}],"data":[]}'],
    ['nothing', ''],
    ['escapes without an end', `{"data":[{"embedding":"${'\\"'.repeat(100_000)}"}]}`],
    ['too many members', `{${'"a":1,'.repeat(100)}"data":[]}`],
    ['brackets without an end', `{"a":${'['.repeat(100_000)}`],
  ])('is left to the parser when it is %s', async (_, text) => {
    expect(await scanEmbeddings(Buffer.from(text), 5)).toBeNull()
  })

  test('has no more vectors than were asked for', async () => {
    const text = '{"data":[{"embedding":[1]},{"embedding":[1]}]}'
    expect(await scanEmbeddings(Buffer.from(text), 1).catch(String)).toContain('more vectors')
  })
})
