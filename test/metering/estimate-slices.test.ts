import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { estimateChatInput } from '../../src/gateway/metering/estimate-chat'
import { estimateTokens, estimateTokensInSlices } from '../../src/gateway/metering/estimate-text'

const pieces = fc.array(
  fc.constantFrom(
    'word ',
    'Word',
    '12',
    '!?',
    '  ',
    '\n',
    'سلام',
    '中文',
    'aB3/',
    '\u{1f600}',
    '\u0007',
  ),
  { minLength: 1, maxLength: 12 },
)

describe('a text that is counted in slices', () => {
  test('has as many tokens as one that is counted at once', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 60_000, max: 120_000 }), async (parts, times) => {
        const text = parts.join('').repeat(Math.ceil(times / parts.length))
        expect(await estimateTokensInSlices(text)).toBe(estimateTokens(text))
      }),
      { numRuns: 12 },
    )
  })

  test('lets others have turns', async () => {
    let turns = 0
    const count = () => void (turns++, again && setImmediate(count))
    let again = true
    setImmediate(count)
    await estimateTokensInSlices('some words '.repeat(400_000))
    again = false
    expect(turns).toBeGreaterThanOrEqual(10)
  })
})

describe('a long conversation', () => {
  const content = 'Some "words" of a prompt.\n'.repeat(500)
  const message = { role: 'user', content }
  const tool = { type: 'function', function: { name: 'f', description: content } }

  test('has the sum of what its messages have, and is counted later', async () => {
    const one = await estimateChatInput({ model: 'm', messages: [message], tools: [tool] })
    const none = await estimateChatInput({ model: 'm', messages: [] })
    const many = estimateChatInput({
      model: 'm',
      messages: Array.from({ length: 300 }, () => message),
      tools: Array.from({ length: 300 }, () => tool),
    })
    expect(many).toBeInstanceOf(Promise)
    expect((await many).tokens - none.tokens).toBe(300 * (one.tokens - none.tokens))
    expect((await many).textOnly).toBe(true)
  })

  test('teaches nothing where something unexpected is in it', async () => {
    const messages = Array.from({ length: 20 }, () => message)
    const odd = [{ role: 'user', content: 'a', odd: content }]
    expect((await estimateChatInput({ messages: [...messages, ...odd] })).textOnly).toBe(false)
  })
})
