import { describe, expect, test } from 'bun:test'
import { estimateChatInput } from '../../src/gateway/metering/estimate-chat'

const user = { role: 'user', content: 'Hello' }
const long = 'lorem ipsum dolor '.repeat(1000)
const body = (rest: object) => ({ model: 'm', messages: [user], ...rest })
const messages = (rest: object) =>
  body({ messages: [{ role: 'assistant', content: null, ...rest }] })
const parts = (part: object) => body({ messages: [{ role: 'user', content: [part] }] })

describe('what a vendor may read', () => {
  test.each([
    ['messages', messages({ content: long })],
    ['functions', body({ functions: [{ name: 'f', description: long }] })],
    ['a prediction', body({ prediction: { type: 'content', content: long } })],
    ['members that nobody knows', body({ documents: [{ text: long }] })],
    ['a text that nobody knows', body({ context: long })],
    ['a refusal', messages({ refusal: long })],
    ['a retired call', messages({ function_call: { name: 'f', arguments: long } })],
    ['reasoning of any name', messages({ reasoning: long })],
    ['details of reasoning', messages({ reasoning_details: [{ text: long }] })],
    ['a part that nobody knows', parts({ type: 'odd', data: long })],
  ])('is counted: %s', async (_, asked) => {
    const { tokens } = await estimateChatInput(asked)
    expect(tokens).toBeGreaterThan(2500)
    expect(tokens).toBeLessThan(6000)
  })

  test('is counted beside the body too, and such a body teaches nothing', async () => {
    const plain = await estimateChatInput(body({}))
    const more = await estimateChatInput(body({}), [
      { type: 'web_search_tool_result', content: long },
    ])
    expect(more.tokens).toBeGreaterThan(plain.tokens + 2500)
    expect([plain.textOnly, more.textOnly]).toEqual([true, false])
  })

  test('is a picture where a model has drawn it', async () => {
    const url = `data:image/png;base64,${Buffer.alloc(100_000).toString('base64')}`
    const { tokens, pictures } = await estimateChatInput(
      messages({ images: [{ type: 'image_url', image_url: { url } }] }),
    )
    expect(pictures).toHaveLength(1)
    expect(tokens).toBeLessThan(100)
  })

  test('is counted where a text stands beside it', async () => {
    const image = { url: 'https://host/picture.png' }
    const { pictures } = await estimateChatInput(
      parts({ type: 'image_url', text: '', image_url: image }),
    )
    expect(pictures).toHaveLength(1)
  })
})

test('what no model reads costs nothing', async () => {
  const plain = await estimateChatInput(body({}))
  const options = { temperature: 1, user: long, metadata: { a: long }, logit_bias: { 1: 2 } }
  expect(await estimateChatInput(body({ ...options, stream: true, seed: 3 }))).toEqual(plain)
  expect(plain.textOnly).toBe(true)
})
