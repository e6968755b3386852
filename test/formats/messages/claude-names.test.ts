import { describe, expect, test } from 'bun:test'
import { readSeed } from '../../../src/gateway/catalogue/seed'
import { checkChatBody } from '../../../src/gateway/formats/chat/schema'
import { thinksByBudget } from '../../../src/gateway/formats/messages/claude-names'
import { renderMessagesRequest } from '../../../src/gateway/formats/messages/render-request'
import type { Traits } from '../../../src/domain/model'

const thinkingOf = (model: string, traits: Traits = {}): unknown =>
  renderMessagesRequest({
    body: checkChatBody({
      model: 'own-name',
      messages: [{ role: 'user', content: 'hi' }],
      reasoning_effort: 'high',
      max_tokens: 9000,
    }),
    model,
    traits,
    maxOutputTokens: 64_000,
    safetyId: 'user_1',
    stream: false,
    search: null,
    recall: () => undefined,
  })['thinking']

const budget = { type: 'enabled', budget_tokens: 8999 }

describe('a model of Claude that nobody said anything of', () => {
  test.each([
    'claude-sonnet-4-5',
    'claude-sonnet-4-5-20250929',
    'claude-3-7-sonnet-latest',
    'claude-3.7-sonnet',
    'claude-3-5-haiku-20241022',
    'claude-opus-4-1@20250805',
    'claude-sonnet-4-20250514',
    'claude-4-sonnet',
    'claude-4.5-sonnet-thinking',
    'anthropic/claude-sonnet-4.5',
    'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    'anthropic.claude-opus-4-20250514-v1:0',
    'relay:Claude Opus 4.1',
  ])('%p thinks by a budget', (name) => {
    expect(thinkingOf(name)).toEqual(budget)
  })

  test.each(['claude-sonnet-4-6', 'claude-opus-latest', 'some-4-1', 'a-deployment'])(
    '%p weighs it itself',
    (name) => {
      expect(thinkingOf(name)).toEqual({ type: 'adaptive' })
    },
  )

  test.each([
    'claude-opus-4.8',
    'claude-opus-4-10',
    'claude-sonnet-5',
    'claude-fable-5-20260601',
    'us.anthropic.claude-opus-4-7-v1:0',
  ])('%p weighs it itself, and shows it where that is requested', (name) => {
    expect(thinkingOf(name)).toEqual({ type: 'adaptive', display: 'summarized' })
  })

  test('is as its traits say, where they do', () => {
    expect(thinkingOf('claude-sonnet-4-5', { thinking: 'adaptive' })).toEqual({ type: 'adaptive' })
    expect(thinkingOf('a-deployment', { thinking: 'budget' })).toEqual(budget)
  })
})

test('the name says of every known model what the catalogue says', () => {
  const known = readSeed('anthropic')
  expect(known.length).toBeGreaterThan(10)
  for (const { vendorModel, traits } of known)
    expect([vendorModel, thinksByBudget(vendorModel)]).toEqual([
      vendorModel,
      traits.thinking === 'budget',
    ])
})
