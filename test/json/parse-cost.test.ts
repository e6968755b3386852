import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isGatewayError } from '../../src/errors/gateway-error'
import { isParseable, parseCostOf } from '../../src/gateway/json/parse-cost'
import { readJson } from '../../src/gateway/http/json-body'

const longest = 20 * 1024 * 1024
const deepest = 512
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

const list = (count: number, each: (at: number) => string) =>
  `[${Array.from({ length: count }, (_, at) => each(at)).join(',')}]`

/** What somebody may really send. */
const welcome: readonly (readonly [string, string])[] = [
  ['300,000 tokens', list(300_000, (at) => String(at % 99_999))],
  ['2,048 lists of 400 tokens', list(2048, () => list(400, (at) => String(at)))],
  [
    'the 12,000 items of a conversation with tools',
    list(12_000, (at) =>
      JSON.stringify(
        at % 2 === 0
          ? {
              type: 'function_call',
              id: `f${at}`,
              call_id: `c${at}`,
              name: 'read',
              arguments: '{}',
            }
          : { type: 'function_call_output', call_id: `c${at}`, output: 'line\n'.repeat(60) },
      ),
    ),
  ],
  [
    '500 tools of 40 fields',
    list(500, (tool) =>
      JSON.stringify({
        type: 'function',
        function: {
          name: `t${tool}`,
          parameters: {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: 40 }, (_, at) => [`f_${tool}_${at}`, { type: 'string' }]),
            ),
          },
        },
      }),
    ),
  ],
  [
    '8,000 tokens with 20 likely others each',
    list(160_000, (at) => `{"token":"a${at % 3000}","logprob":-1.5,"bytes":[1,2,3]}`),
  ],
  ['20 MB of Persian as ASCII', `["${'\\u0645'.repeat(3_400_000)}"]`],
  ['20 MB of code in one string', JSON.stringify(`if (a) {\n  b('\\n')\n}\n`.repeat(800_000))],
  ['20 MB without an escape', `["${'x'.repeat(longest)}"]`],
]

const refused: readonly (readonly [string, string])[] = [
  ['490,000 names in one object', `{${list(490_000, (at) => `"k${at}":1`).slice(1, -1)}}`],
  [
    '490,000 names in objects of five',
    list(98_000, (at) => `{"a${at}":1,"b":1,"c":1,"d":1,"e":1}`),
  ],
  [
    'few names in ever other orders',
    list(98_000, (at) => `{"${at % 997}":1,"_${at % 991}":1,"${at % 983}.":1}`),
  ],
  ['a million short texts', list(1_000_000, (at) => `"s${at}"`)],
  ['four million numbers', list(4_000_000, () => '1')],
  ['ten million line ends in one string', `["${'\\n'.repeat(10_000_000)}"]`],
  ['ten million of them in short strings', list(400_000, () => `"${'\\n'.repeat(25)}"`)],
]

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

  test.each(welcome)('%s are parsed', async (_, text) => {
    expect(await parseCostOf(Buffer.from(text))).toBeNumber()
  })

  test.each(refused)('%s are not', async (_, text) => {
    expect(await parseCostOf(Buffer.from(text)).catch(String)).toContain('too many')
  })

  test('names are known again wherever blanks stand, and by the names before them', async () => {
    const rows = (row: (at: number) => object) =>
      JSON.stringify(Array.from({ length: 20_000 }, (_, at) => row(at)))
    const [same, spaced, other] = await Promise.all([
      parseCostOf(Buffer.from(rows(() => ({ a: 1, b: 2 })))),
      parseCostOf(Buffer.from(rows(() => ({ a: 1, b: 2 })).replaceAll(':', '\n: '))),
      parseCostOf(Buffer.from(rows((at) => ({ [`a${at}`]: 1, b: 2 })))),
    ])
    expect(spaced).toBeLessThan(same * 3)
    expect(other).toBeGreaterThan(same * 5)
  })

  test('what lies inside a string is no shape, however long it is', () => {
    expect(isParseable(JSON.stringify('[{,'.repeat(1_000_000)))).toBe(true)
    expect(isParseable(JSON.stringify('\\"[,'.repeat(1_000_000)))).toBe(true)
  })

  test('a string ends at the same quote wherever slices of it end', async () => {
    const tooDeep = '['.repeat(deepest + 1)
    const ends = ['"', '\\\\"', '\\\\\\\\"', '\\n"', '\\\\n"']
    const goesOn = ['\\"', '\\\\\\"', '\\\\\\\\\\"', '\\n\\"']
    const cost = (text: string) => parseCostOf(Buffer.from(text)).catch(String)
    for (let before = 262_144 - 12; before < 262_144; before++) {
      const start = `["${'x'.repeat(before - 2)}`
      for (const end of ends) expect(await cost(start + end + tooDeep)).toContain('too deeply')
      for (const more of goesOn) expect(await cost(`${start}${more}${tooDeep}"]`)).toBeNumber()
    }
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
  /** What parsing as much takes here and now: a bar that is the same on every machine. */
  let parsedMs = Number.POSITIVE_INFINITY

  beforeAll(() => {
    const text = `[${'[],'.repeat(longest / 3 - 2)}[]]`
    for (let times = 0; times < 3; times++) {
      const began = performance.now()
      JSON.parse(text)
      parsedMs = Math.min(parsedMs, performance.now() - began)
    }
  })

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
    expect(quickestMs).toBeLessThan(parsedMs / 2)
  })
})
