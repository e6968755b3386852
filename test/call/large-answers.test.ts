import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, usage, type StandIn } from '../support/stand-in'
import { addTypedVendor } from '../support/typed-vendor'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    async prepare(storage) {
      await addTypedVendor(storage, {
        name: 'vectors',
        url: vendor.url,
        model: {
          id: 'vectors',
          type: 'embedding',
          vendorModel: 'vectors-1',
          lines: [{ meter: 'input', unit: 'million', price: '2' }],
        },
      })
      await addTypedVendor(storage, {
        name: 'pictures',
        dialect: 'openai',
        url: vendor.url,
        model: {
          id: 'pictures',
          type: 'image',
          vendorModel: 'pictures-1',
          lines: [
            { meter: 'output_image', unit: 'million', price: '40' },
            { meter: 'input', unit: 'million', price: '1' },
          ],
        },
      })
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const send = (path: string, body: object): Promise<Response> =>
  fetch(`${chapar.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const plays = (text: string) =>
  vendor.play(() => new Response(text, { headers: { 'content-type': 'application/json' } }))
const codeOf = async (answer: Response): Promise<unknown> =>
  fieldsOf(fieldsOf(await answer.json())['error'])['code']

const chatReply = (content: string, told: object | null = usage): string => {
  const message = `{"role":"assistant","content":${content},"refusal":null}`
  const choice = `{"index":0,"message":${message},"logprobs":null,"finish_reason":"stop"}`
  const counted = told === null ? '' : `,"usage":${JSON.stringify(told)}`
  return `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[${choice}]${counted}}`
}
const chat = { model: 'priced', messages: [{ role: 'user', content: 'hi' }] }

const probabilityOf = (at: number) => ({
  ...tokenOf(at),
  top_logprobs: Array.from({ length: 30 }, (_, other) => tokenOf(at * 31 + other)),
})
const tokenOf = (at: number) => ({
  token: ` w${at.toString(36)}`,
  logprob: -1 - at / 7,
  bytes: [...Buffer.from(` w${at.toString(36)}`)],
})

const numbers = Array.from({ length: 1536 }, (_, at) => Math.fround(Math.sin(at) / 40))
const base64 = Buffer.from(new Float32Array(numbers).buffer).toString('base64')
const vectorsReply = (vector: unknown, count: number): string => {
  const data = Array.from({ length: count }, (_, index) => ({
    object: 'embedding',
    index,
    embedding: vector,
  }))
  return JSON.stringify({
    object: 'list',
    data,
    model: 'm',
    usage: { prompt_tokens: 7, total_tokens: 7 },
  })
}
const asked = (count: number, encoding: string) => ({
  model: 'vectors',
  input: Array.from({ length: count }, () => 'a'),
  encoding_format: encoding,
})

describe('a large answer', () => {
  test.each([
    ['numbers', numbers, 'float'],
    ['numbers as base64', numbers, 'base64'],
    ['base64', base64, 'base64'],
    ['base64 as numbers', base64, 'float'],
  ])('of vectors arrives whole, in %s', async (_, vector, encoding) => {
    plays(vectorsReply(vector, 128))
    const answer = await send('/embeddings', asked(128, encoding))
    expect(answer.status).toBe(200)
    const reply = fieldsOf(await answer.json())
    const found = listOf(reply['data']).map((each) => fieldsOf(each)['embedding'])
    expect(found).toHaveLength(128)
    const expected = encoding === 'base64' ? base64 : numbers
    expect(found.every((each) => JSON.stringify(each) === JSON.stringify(expected))).toBe(true)
    expect([reply['model'], reply['usage']]).toEqual([
      'vectors',
      { prompt_tokens: 7, total_tokens: 7 },
    ])
  })

  test('of pictures arrives whole, in one piece or in many', async () => {
    for (const bytes of [2_000_000, 40_000_000]) {
      const picture = 'iVBORw0KGgo='.repeat(Math.ceil(bytes / 12))
      plays(
        JSON.stringify({
          created: 1,
          data: [{ b64_json: picture }],
          usage: { input_tokens: 5, output_tokens: 50 },
        }),
      )
      const answer = await send('/images/generations', { model: 'pictures', prompt: 'a' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-cost-usd')).toBe('0.002005')
      const [found] = listOf(fieldsOf(await answer.json())['data'])
      expect(fieldsOf(found)['b64_json'] === picture).toBe(true)
    }
  })

  test('of text is counted where its vendor does not', async () => {
    const said = 'Some "words" in a line.\n'.repeat(100_000)
    plays(chatReply(JSON.stringify(said), null))
    const answer = await send('/chat/completions', chat)
    const reply = fieldsOf(await answer.json())
    expect(fieldsOf(fieldsOf(listOf(reply['choices'])[0])['message'])['content'] === said).toBe(
      true,
    )
    const told = Number(fieldsOf(reply['usage'])['completion_tokens'])
    expect(told).toBeGreaterThan(600_000)
    expect(told).toBeLessThan(1_200_000)
  })

  test('of 14 MB of probabilities is passed and charged', async () => {
    const tokens = Array.from({ length: 6500 }, (_, at) => probabilityOf(at))
    const text = chatReply('"hi"').replace(
      '"logprobs":null',
      `"logprobs":${JSON.stringify({ content: tokens, refusal: null })}`,
    )
    expect(text.length).toBeGreaterThan(13_500_000)
    plays(text)
    const answer = await send('/chat/completions', chat)
    expect([answer.status, answer.headers.get('x-cost-usd')]).toEqual([200, '0.000450'])
    const reply = fieldsOf(await answer.json())
    const [choice] = listOf(reply['choices'])
    expect(fieldsOf(fieldsOf(choice)['logprobs'])['content']).toEqual(tokens)
    expect(reply['usage']).toMatchObject(usage)
  })

  test.each([
    ['a hundred thousand brackets', chatReply('['.repeat(100_000) + ']'.repeat(100_000))],
    ['nothing but brackets', '['.repeat(5_000_000)],
    ['ten million numbers', chatReply(`[${'1,'.repeat(10_000_000)}1]`)],
    [
      'half a million names',
      chatReply(`{${Array.from({ length: 500_000 }, (_, at) => `"${at}":1`).join(',')}}`),
    ],
  ])('of %s is none, and costs nothing', async (_, text) => {
    plays(text)
    const answer = await send('/chat/completions', chat)
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'upstream_error'])
    const messages = await send('/messages', { ...chat, max_tokens: 9 })
    expect(messages.status).toBe(502)
    expect((await chapar.rest()).held).toBe(0)
  })

  test.each([
    ['fewer', 127],
    ['more', 129],
  ])('of %s vectors than were asked for is none', async (_, count) => {
    plays(vectorsReply(numbers, count))
    const answer = await send('/embeddings', asked(128, 'float'))
    expect([answer.status, await codeOf(answer)]).toEqual([502, 'upstream_error'])
  })
})

test('arguments of a tool call that came as an object are the same text in a large answer', async () => {
  const content = 'line "one"\n'.repeat(40_000)
  const called = { path: 'a', content, more: { note: 'x'.repeat(700_000) } }
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'write', arguments: called } }],
  }
  plays(
    JSON.stringify({
      id: 'x',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage,
    }),
  )
  const answer = await send('/chat/completions', chat)
  const { choices } = (await answer.json()) as {
    choices: { message: { tool_calls: { function: { arguments: string } }[] } }[]
  }
  const told = choices[0]?.message.tool_calls[0]?.function.arguments ?? ''
  expect(JSON.parse(told)).toEqual(called)
})
