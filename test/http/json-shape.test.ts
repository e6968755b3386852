import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isGatewayError } from '../../src/errors/gateway-error'
import { readJson } from '../../src/http/json-body'
import { isParseable } from '../../src/http/json-shape'

const longest = 20 * 1024 * 1024
const deepest = 512
const mostValues = 1_000_000
/** Long enough to be looked at, and without a bracket of its own. */
const padding = 'x'.repeat(40_000)

/** A value inside so many arrays and objects. */
const nested = (depth: number, inner: string): string => {
  const half = Math.floor(depth / 2)
  const [opened, closed] = ['[{"a":'.repeat(half), '}]'.repeat(half)]
  return depth % 2 === 0 ? opened + inner + closed : `[${opened}${inner}${closed}]`
}

/** Strings that a careless reader of brackets stumbles over. */
const tricky = fc
  .array(fc.constantFrom('[', '{', ']', '}', '"', '\\', ',', 'ی', '\n', 'a', '\u2028'), {
    maxLength: 60,
  })
  .map((letters) => JSON.stringify(letters.join('')))

describe('the shape of a body', () => {
  test('any depth is allowed up to the limit and none beyond, whatever strings stand in between', () => {
    const depth = fc.integer({ min: deepest - 3, max: deepest + 3 })
    fc.assert(
      fc.property(depth, tricky, tricky, fc.boolean(), (levels, first, last, closed) => {
        const inner = `[${first},"${padding}",${last}]`
        const text = nested(levels - 1, inner)
        expect(JSON.parse(text)).toBeDefined()
        expect(isParseable(closed ? text : text.slice(0, -1))).toBe(levels <= deepest)
      }),
      { numRuns: 60 },
    )
  })

  test('any ordinary body passes, wherever its brackets stand', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), tricky, (value, text) => {
        const lists = `[${`${JSON.stringify(value)},`.repeat(20)}${text},"${padding}"]`
        expect(isParseable(lists)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('so many siblings are nested no deeper than one', () => {
    expect(isParseable(`[${'[{}],'.repeat(100_000)}[]]`)).toBe(true)
  })

  test('as many values as the limit pass, and more do not', () => {
    const values = (count: number) => `[${'1,'.repeat(count - 1)}1]`
    expect(isParseable(values(mostValues))).toBe(true)
    expect(isParseable(values(mostValues + 1))).toBe(false)
  })

  test('what lies inside a string is no shape, however long it is', () => {
    expect(isParseable(JSON.stringify('[{,'.repeat(1_000_000)))).toBe(true)
    expect(isParseable(JSON.stringify('\\"[,'.repeat(1_000_000)))).toBe(true)
  })

  test('a string that never ends is left to the parser', () => {
    expect(isParseable(`["${'['.repeat(100_000)}\\"`)).toBe(true)
  })
})

const hostile: readonly (readonly [string, string])[] = [
  ['that open only', '['.repeat(longest)],
  ['that open and close', '['.repeat(longest / 2) + ']'.repeat(longest / 2)],
  ['of objects in objects', '{"a":'.repeat(longest / 6) + '1' + '}'.repeat(longest / 6)],
  ['of empty arrays', `[${'[],'.repeat(longest / 3 - 2)}[]]`],
  ['of empty objects', `[${'{},'.repeat(longest / 3 - 2)}{}]`],
  ['inside a chat body', `{"model":"m","messages":${'['.repeat(longest - 100)}`],
  ['after a string', `["${padding}",${'['.repeat(longest - 50_000)}`],
]

describe('20 MB of brackets', () => {
  test.each(hostile)('%s are refused before anybody else has to wait', async (_, text) => {
    const bytes = new TextEncoder().encode(text)
    let quickestMs = Number.POSITIVE_INFINITY
    // Three times: the machine may be busy with something else once.
    for (let times = 0; times < 3; times++) {
      const headers = { 'content-length': String(bytes.byteLength) }
      const request = new Request('http://localhost/', { method: 'POST', body: bytes, headers })
      const began = performance.now()
      const thrown: unknown = await readJson(request, longest).catch((error: unknown) => error)
      quickestMs = Math.min(quickestMs, performance.now() - began)
      expect(isGatewayError(thrown) && thrown.code).toBe('invalid_json')
    }
    expect(quickestMs).toBeLessThan(100)
  })
})
