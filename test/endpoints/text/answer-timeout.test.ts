import { describe, expect, test } from 'bun:test'
import { answerTimeoutMs } from '../../../src/gateway/endpoints/text/answer-timeout'

type Parts = Parameters<typeof answerTimeoutMs>

const timeoutMs = 90_000

interface Facts {
  readonly stream?: boolean
  readonly tokens?: number
  readonly body?: object
  readonly traits?: object
  readonly capabilities?: object
  readonly firstTokenTimeout?: number | null
  readonly firstTokenTimeoutMs?: number | null
}

const timeoutOf = ({
  stream = true,
  tokens = 0,
  body = {},
  traits = {},
  capabilities = {},
  firstTokenTimeout = null,
  firstTokenTimeoutMs = null,
}: Facts): number =>
  answerTimeoutMs(
    { body, input: { tokens }, stream } as unknown as Parts[0],
    { config: { timeoutMs, firstTokenTimeoutMs }, traits } as unknown as Parts[1],
    { settings: { firstTokenTimeout }, offer: { model: { capabilities } } } as unknown as Parts[2],
  )

describe('how long an answer may take to begin', () => {
  test('is the timeout of its vendor', () => {
    expect([timeoutOf({}), timeoutOf({ stream: false })]).toEqual([timeoutMs, timeoutMs])
  })

  test('is what the operator set, for streams: whole answers begin when they end', () => {
    const firstTokenTimeout = 20_000
    expect(timeoutOf({ firstTokenTimeout })).toBe(firstTokenTimeout)
    expect(timeoutOf({ firstTokenTimeout, stream: false })).toBe(timeoutMs)
  })

  test('is what its vendor is set to instead, and that of its model before both', () => {
    const ofVendor = { firstTokenTimeout: 20_000, firstTokenTimeoutMs: 30_000 }
    expect(timeoutOf(ofVendor)).toBe(30_000)
    expect(timeoutOf({ ...ofVendor, traits: { firstTokenSeconds: 40 } })).toBe(40_000)
    expect(timeoutOf({ traits: { firstTokenSeconds: 40 }, stream: false })).toBe(timeoutMs)
    expect(timeoutOf({ ...ofVendor, stream: false })).toBe(timeoutMs)
  })

  test.each([
    { traits: { reasoning: true } },
    { capabilities: { reasoning: true } },
    { body: { reasoning_effort: 'low' } },
    { body: { thinking: { type: 'enabled', budget_tokens: 5000 } } },
  ])('is twice as long where the model thinks: %j', (facts) => {
    expect(timeoutOf(facts)).toBe(2 * timeoutMs)
    expect(timeoutOf({ ...facts, firstTokenTimeout: 20_000 })).toBe(40_000)
  })

  test('is no longer where thinking is switched off', () => {
    const body = { reasoning_effort: 'none' }
    expect(timeoutOf({ body })).toBe(timeoutMs)
    expect(timeoutOf({ body, traits: { reasoning: true } })).toBe(timeoutMs)
  })

  test('is thirty seconds longer for each 100,000 tokens of the prompt', () => {
    expect(timeoutOf({ tokens: 200_000 })).toBe(timeoutMs + 60_000)
    expect(timeoutOf({ tokens: 100_000, traits: { reasoning: true } })).toBe(2 * timeoutMs + 30_000)
  })
})
