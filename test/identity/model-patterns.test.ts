import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkPattern, matchesModel } from '../../src/gateway/identity/allowed-models'
import { leastCpuMs } from '../support/cpu-time'

const named = (id: string, ownedBy = 'someone') => ({ id, ownedBy })

/** The plainest matcher there can be: letter by letter, a star taking nothing or one more. */
function plain(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern.startsWith('*'))
    return plain(pattern.slice(1), text) || (text !== '' && plain(pattern, text.slice(1)))
  return text !== '' && pattern[0] === text[0] && plain(pattern.slice(1), text.slice(1))
}

describe('a list of models', () => {
  test.each([
    ['gpt-4o', named('gpt-4o'), true],
    ['gpt-4o', named('gpt-4o-mini'), false],
    ['gpt-*', named('gpt-4o'), true],
    ['*', named('anything/at:all'), true],
    ['*-mini', named('gpt-4o-mini'), true],
    ['g*o', named('gpt-4o'), true],
    ['g*o', named('gpt-4'), false],
    // An id is not a regular expression.
    ['gpt.4o', named('gpt-4o'), false],
    ['gpt-4[ao]', named('gpt-4o'), false],
    ['(a+)+*', named('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), false],
    ['GPT-4o', named('gpt-4o'), false],
    ['gpt-*', named('gpt-4\no'), true],
    ['', named('gpt-4o'), false],
    // With or without the owner in front.
    ['openai/*', named('gpt-4o', 'openai'), true],
    ['openai/*', named('openai/gpt-4o', 'reseller'), true],
    ['openai/*', named('gpt-4o', 'openai-compatible'), false],
    ['openai/*', named('gpt-4o', 'azure'), false],
    ['openai/gpt-4o', named('gpt-4o', 'openai'), true],
    ['openai/gpt-4o', named('gpt-4o', 'azure'), false],
    ['openai', named('gpt-4o', 'openai'), false],
  ])('%p names %p: %p', (pattern, model, expected) => {
    expect(matchesModel([pattern], model)).toBe(expected)
    expect(matchesModel(['never', pattern, 'nor/this*'], model)).toBe(expected)
  })

  test('any pattern of letters and stars means what it says', () => {
    const letters = (...from: readonly string[]) =>
      fc.string({ unit: fc.constantFrom(...from), maxLength: 8 })
    fc.assert(
      fc.property(letters('a', 'b', '.', '*'), letters('a', 'b', '.'), (pattern, id) => {
        const expected = plain(pattern, id) || plain(pattern, `o/${id}`)
        expect(matchesModel([pattern], named(id, 'o'))).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('that is empty names nothing', () => {
    expect(matchesModel([], named('gpt-4o'))).toBe(false)
  })

  test('is quick even for a pattern that is made to be slow', async () => {
    const pattern = `${'*a'.repeat(20)}b`
    const matches = () => matchesModel([pattern], named('a'.repeat(200)))
    expect(matches()).toBe(false)
    expect(await leastCpuMs(matches)).toBeLessThan(1000)
  })
})

describe('a pattern as it is given', () => {
  test.each(['gpt-4o', 'openai/*', '*', 'a:b/c.d_e', 'مدل'])('may be %p', (pattern) => {
    expect(checkPattern(pattern)).toBe(pattern)
  })

  test.each(['', ' ', 'a b', 'a,\tb', 'x'.repeat(257)])('may not be %p', (pattern) => {
    expect(() => checkPattern(pattern)).toThrow("neither a model's id nor a pattern")
  })
})
