import { describe, expect, test } from 'bun:test'
import { nanoUsd } from '../../src/domain/money'
import type { Usage } from '../../src/domain/usage'
import { grownUsage, wholeUsage, withInput } from '../../src/gateway/formats/plausible-usage'
import { mergedUsage, readMessagesUsage } from '../../src/gateway/formats/messages/usage'

const told = (units: Usage['units'], more: Partial<Usage> = {}): Usage => ({
  units,
  reasoning: 0,
  estimated: false,
  ...more,
})

describe('usages of one stream are cumulative', () => {
  test.each([
    ['the first', null, { input: 10, output: 5 }, { input: 10, output: 5 }],
    [
      'the same again',
      { input: 10, output: 5 },
      { input: 10, output: 5 },
      { input: 10, output: 5 },
    ],
    ['more output', { input: 10, output: 5 }, { input: 10, output: 6 }, { input: 10, output: 6 }],
    [
      'input that turns out to be cached',
      { input: 10, output: 5 },
      { input: 2, cached_input: 8, output: 5 },
      { input: 2, cached_input: 8, output: 5 },
    ],
    ['less of all', { input: 10, output: 5 }, { input: 9, output: 4 }, { input: 10, output: 5 }],
    ['zeros at the end', { input: 10, output: 5 }, {}, { input: 10, output: 5 }],
    ['one side at a time', { input: 10 }, { output: 5 }, { input: 10, output: 5 }],
    [
      'less input, more output, and a search',
      { input: 2, cached_input: 8, output: 5 },
      { input: 3, output: 7, 'tool:web_search': 1 },
      { input: 2, cached_input: 8, output: 7, 'tool:web_search': 1 },
    ],
  ] as const)('%s', (_, before, later, units) => {
    const first = before === null ? null : told(before)
    expect(grownUsage(first, told(later))).toEqual(told(units))
  })

  test('what was only estimated is replaced, and the larger bill is kept', () => {
    const estimate = told({ input: 100 }, { estimated: true })
    expect(grownUsage(estimate, told({ input: 10 }))).toEqual(told({ input: 10 }))
    const dear = told({ input: 10 }, { billed: nanoUsd(7), reasoning: 1 })
    const cheap = told({ input: 9, output: 3 }, { billed: nanoUsd(5), reasoning: 2 })
    expect(grownUsage(dear, cheap)).toEqual(
      told({ input: 10, output: 3 }, { billed: nanoUsd(7), reasoning: 2 }),
    )
  })
})

describe('usages of a stream of Messages', () => {
  const start = { input_tokens: 50, cache_read_input_tokens: 20, output_tokens: 1 }
  const unitsOf = (...deltas: readonly object[]) =>
    readMessagesUsage(
      deltas.reduce(
        (before: Record<string, unknown>, delta, at) => mergedUsage(before, delta, at > 0),
        start,
      ),
    )?.units

  test.each([
    ['output alone', [{ output_tokens: 9 }], { input: 50, cached_input: 20, output: 9 }],
    [
      'the last event twice',
      [{ output_tokens: 9 }, { output_tokens: 9 }],
      { input: 50, cached_input: 20, output: 9 },
    ],
    [
      'an estimate at the start, and the truth at the end',
      [{ input_tokens: 4, cache_read_input_tokens: 2, output_tokens: 9 }],
      { input: 4, cached_input: 2, output: 9 },
    ],
    [
      'zeros for what went in (relays)',
      [{ input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 9 }],
      { input: 50, cached_input: 20, output: 9 },
    ],
    [
      'a last event that takes back',
      [
        { input_tokens: 60, output_tokens: 9 },
        { input_tokens: 10, cache_read_input_tokens: 0, output_tokens: 3 },
      ],
      { input: 60, cached_input: 20, output: 9 },
    ],
    [
      'searches and passes that a last event takes back',
      [
        {
          output_tokens: 9,
          server_tool_use: { web_search_requests: 2 },
          iterations: [{ type: 'compaction', input_tokens: 30, output_tokens: 4 }],
        },
        { output_tokens: 9, server_tool_use: { web_search_requests: 0 }, iterations: [] },
      ],
      { input: 80, cached_input: 20, output: 13, 'tool:web_search': 2 },
    ],
    [
      'tokens of the prompt that turn out to be written to a cache',
      [
        { output_tokens: 3 },
        { input_tokens: 10, cache_creation_input_tokens: 40, output_tokens: 9 },
      ],
      { input: 10, cached_input: 20, cache_write_5m: 40, output: 9 },
    ],
    [
      'counts that are none',
      [{ input_tokens: -1, cache_read_input_tokens: 0.5, output_tokens: 9 }],
      { input: 50, cached_input: 20, output: 9 },
    ],
  ] as const)('%s', (_, deltas, units) => {
    expect(unitsOf(...deltas)).toEqual(units)
  })
})

describe('one side that a vendor does not count is counted by us', () => {
  const ours = () => told({ input: 30, output: 4 }, { estimated: true })
  test.each([
    ['both', { input: 10, output: 5 }, { input: 10, output: 5 }, false],
    ['input alone', { input: 10 }, { input: 10, output: 4 }, true],
    ['output alone', { output: 5 }, { input: 30, output: 5 }, true],
    [
      'cached input alone is input',
      { cached_input: 10, output: 5 },
      { cached_input: 10, output: 5 },
      false,
    ],
    ['neither', {}, { input: 30, output: 4 }, true],
  ] as const)('%s', (_, units, charged, estimated) => {
    expect(wholeUsage(told(units), ours)).toEqual(told(charged, { estimated }))
  })

  test('in a stream as well', () => {
    const output = told({ output: 5 })
    expect(withInput(output, 30)).toEqual(told({ input: 30, output: 5 }, { estimated: true }))
    const silent = told({})
    expect(withInput(silent, 30)).toBe(silent)
  })
})
