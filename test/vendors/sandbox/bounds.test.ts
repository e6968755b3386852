import { describe, expect, test } from 'bun:test'
import { fieldsOf, listOf } from '../../../src/gateway/json/fields'
import { maxSpeechMs, spokenMelody } from '../../../src/gateway/vendors/sandbox/melody'
import { serve } from '../../../src/gateway/vendors/sandbox/server'
import { transcriptReply } from '../../../src/gateway/vendors/sandbox/transcripts'
import { longestTurn } from '../../support/turns'
import { paced } from '../../support/pace'

/** Far below what one request took before, far above what a slice takes. */
const maxTurnMs = paced(250)

const ask = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  serve(
    new Request(`http://sandbox.invalid/v1/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    }),
  )
const embed = (input: unknown, rest: object = {}) =>
  ask('embeddings', { model: 'embed', input, ...rest })
const chat = (content: string, rest: object = {}) =>
  ask('chat/completions', { model: 'echo', messages: [{ role: 'user', content }], ...rest })
const bySchema = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
})
const times = <Each>(length: number, make: (at: number) => Each): Each[] =>
  Array.from({ length }, (_, at) => make(at))
const bodyOf = (answer: Response) => (answer.body ?? []) as AsyncIterable<Uint8Array>
const vectorsIn = async (answer: Response): Promise<(readonly number[])[]> =>
  listOf(fieldsOf(await answer.json())['data']).map(
    (each) => fieldsOf(each)['embedding'] as readonly number[],
  )
const refusal = async (answer: Response): Promise<unknown> => {
  expect(answer.status).toBe(400)
  return fieldsOf(await answer.json())['error']
}

describe('vectors', () => {
  test.each([
    ['many words in the longest vector', 'ab '.repeat(8000), { dimensions: 4096 }],
    [
      'many inputs',
      Array.from({ length: 2048 }, (_, at) => `word ${at} `.repeat(70).trim()),
      { dimensions: 256 },
    ],
    ['as many tokens as are taken', times(36, () => times(8192, () => 7)), {}],
  ])('of %s are drawn in slices', async (_, input, rest) => {
    let answer: Response | undefined
    const longest = await longestTurn(async () => {
      answer = await embed(input, rest)
      for await (const piece of bodyOf(answer)) expect(piece.byteLength).toBeGreaterThan(0)
    })
    expect(answer?.status).toBe(200)
    expect(longest).toBeLessThan(maxTurnMs)
  })

  test('have length one, are the same for the same text, and of any size', async () => {
    for (const dimensions of [1, 2, 64, 256, 4096]) {
      const texts = ['the red house', 'The  red house', 'x', ' ']
      const [first = [], same, ...more] = await vectorsIn(await embed(texts, { dimensions }))
      expect(first).toHaveLength(dimensions)
      expect(same).toEqual(first)
      for (const each of [first, ...more])
        expect(each.reduce((sum, at) => sum + at * at, 0)).toBeCloseTo(1, 4)
    }
  })

  test.each([
    ['an input of too many tokens', 'ab '.repeat(8193), {}, '8192 tokens'],
    ['an input that is one endless word', 'x'.repeat(200_000), {}, '8192 tokens'],
    ['too many tokens in all', Array.from({ length: 40 }, () => 'a '.repeat(8000)), {}, '300000'],
    ['too many values', Array.from({ length: 2048 }, () => 'a'), { dimensions: 257 }, '524288'],
    ['more than is worth parsing', 'hello world '.repeat(400_000), {}, '4194304'],
  ])('are refused for %s', async (_, input, rest, said) => {
    expect(await refusal(await embed(input, rest))).toMatchObject({
      type: 'invalid_request_error',
      param: 'input',
      message: expect.stringContaining(said) as string,
    })
  })
})

describe('an answer', () => {
  const endless = { type: 'array', minItems: 1e8, items: { type: 'string', minLength: 1e6 } }
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value]))
  const deep = { $defs: { a: { allOf: times(1000, () => ({ $ref: '#/$defs/a' })) } } }
  const root = { $ref: '#' }
  const hostile: readonly object[] = [
    endless,
    { type: 'array', minItems: 1e9, items: endless },
    { type: 'array', minItems: 1e9, items: { const: 'x'.repeat(1_000_000) } },
    { type: 'array', minItems: 1e9, items: { enum: [many(2000, 'long value')] } },
    { type: 'array', minItems: 1e9, items: { type: 'string', maxLength: 9000 } },
    { type: 'array', minItems: 1e9, items: { enum: times(100_000, () => 'x') } },
    { type: 'array', minItems: 1e9, items: { required: times(200_000, () => 'a') } },
    { type: 'array', minItems: 1e9, items: { properties: many(100_000, endless) } },
    { type: 'object', properties: many(20_000, { $ref: '#' }) },
    { type: 'object', properties: many(100, { $ref: '#' }), required: Object.keys(many(100, 0)) },
    { type: 'object', required: ['y'.repeat(2_000_000)] },
    { allOf: times(20_000, () => root) },
    { allOf: Array.from({ length: 5000 }, (_, at) => ({ properties: { [`q${at}`]: {} } })) },
    { properties: many(5000, { $ref: '#/$defs/a' }), ...deep },
    { anyOf: times(50_000, () => root), oneOf: times(50_000, () => root) },
    { $ref: `#${'/a'.repeat(500_000)}`, allOf: [{ $ref: '#' }] },
    { type: 'array', minItems: 1e9, items: {} },
  ]

  test.each(hostile.map((schema, at) => [at + 1, schema] as const))(
    'by hostile schema %d is bounded while it is made',
    async (_, schema) => {
      let text = ''
      const longest = await longestTurn(async () => {
        const answer = await chat('x'.repeat(100_000), bySchema(schema))
        expect(answer.status).toBe(200)
        text = await answer.text()
      })
      expect(longest).toBeLessThan(maxTurnMs)
      const { usage } = JSON.parse(text) as { usage: { completion_tokens: number } }
      expect(usage.completion_tokens).toBeLessThanOrEqual(16_384)
      expect(text.length).toBeLessThan(16_384 * 33 + 2000)
    },
  )

  test('by schema keeps to the tokens that were asked for', async () => {
    const reply = (await (await chat('Hi', { ...bySchema(endless), max_tokens: 10 })).json()) as {
      choices: { message: { content: string }; finish_reason: string }[]
      usage: { completion_tokens: number }
    }
    expect(reply.choices[0]?.message.content).toHaveLength(160)
    expect(reply.choices[0]?.finish_reason).toBe('length')
    expect(reply.usage.completion_tokens).toBe(10)
  })

  test('with tools that take an endless schema calls none of them', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: endless } }]
    const longest = await longestTurn(async () => {
      const answer = await chat('both', { tools, tool_choice: 'required', stream: true })
      expect(await answer.text()).toContain('"finish_reason":"length"')
    })
    expect(longest).toBeLessThan(maxTurnMs)
  })

  test('in a stream is said in slices, and no further when its client leaves', async () => {
    const leaving = new AbortController()
    let bytes = 0
    const body = { model: 'echo', stream: true, n: 4 }
    const messages = [{ role: 'user', content: 'word '.repeat(20_000) }]
    const longest = await longestTurn(async () => {
      const answer = await ask('chat/completions', { ...body, messages }, leaving.signal)
      const read = async () => {
        for await (const piece of bodyOf(answer))
          if ((bytes += piece.byteLength) > 1_000_000) leaving.abort()
      }
      expect(await read().catch((each: unknown) => each)).toMatchObject({ name: 'AbortError' })
    })
    expect(longest).toBeLessThan(maxTurnMs)
    expect(bytes).toBeLessThan(2_000_000)
  })

  test.each([
    ['long', ['x'.repeat(257)]],
    ['many', Array.from({ length: 65 }, (_, at) => `${at}`)],
  ])('with stop sequences that are too %s is refused', async (_, stop) => {
    expect(await refusal(await chat('Hi', { stop }))).toMatchObject({ param: 'stop' })
  })
})

describe('other models', () => {
  test('a text too long to be judged is refused', async () => {
    const judge = (input: unknown) => ask('moderations', { model: 'moderate', input })
    expect((await judge('word '.repeat(30_000))).status).toBe(200)
    expect(await refusal(await judge('word '.repeat(1_000_000)))).toMatchObject({ param: 'input' })
    expect(await refusal(await judge(times(2048, () => 'word '.repeat(20))))).toMatchObject({
      param: 'input',
    })
  })

  test('the longest text said slowly ends within ten minutes of sound, all words said', async () => {
    const text = 'a '.repeat(2048)
    const notes = spokenMelody(text, 'alloy', 0.25)
    expect(notes).toHaveLength(4096)
    expect(notes.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo(maxSpeechMs, 3)
    for (const format of ['flac', 'opus']) {
      let bytes = 0
      const body = { model: 'speak', input: text, voice: 'alloy', speed: 0.25 }
      const longest = await longestTurn(async () => {
        const answer = await ask('audio/speech', { ...body, response_format: format })
        for await (const piece of bodyOf(answer)) bytes += piece.byteLength
      })
      expect(bytes).toBeLessThan(29_000_000)
      expect(longest).toBeLessThan(maxTurnMs)
    }
  })

  test('ten of the largest pictures are drawn in slices', async () => {
    const longest = await longestTurn(async () => {
      const body = { model: 'draw', prompt: 'x', n: 10, size: '1024x1024' }
      expect((await ask('images/generations', body)).status).toBe(200)
    })
    expect(longest).toBeLessThan(maxTurnMs)
    const prompt = 'x'.repeat(32_001)
    expect(await refusal(await ask('images/generations', { model: 'draw', prompt }))).toMatchObject(
      { param: 'prompt' },
    )
  })

  test('a recording whose head tells of a thousand years is an hour of sentences', () => {
    const fields = new Map([['sandbox_seconds', '31536000000']])
    const reply = fieldsOf(JSON.parse(transcriptReply({ fields, seed: 1 }, false)))
    expect(reply['duration']).toBe(31_536_000_000)
    expect(listOf(reply['segments'])).toHaveLength(900)
  })
})
