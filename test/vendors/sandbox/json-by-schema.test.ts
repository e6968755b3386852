import { describe, expect, test } from 'bun:test'
import { Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { valueBySchema as steps } from '../../../src/gateway/vendors/sandbox/json-by-schema'
import { leastCpuMs } from '../../support/cpu-time'

const usualChars = 100_000

/** All the steps at once. */
function valueBySchema(schema: unknown, text: string, maxChars = usualChars): unknown {
  const making = steps(schema, text, maxChars)
  for (;;) {
    const { done, value } = making.next()
    if (done === true) return value
  }
}

const span = (most: number) =>
  fc
    .tuple(fc.nat(most), fc.nat(most))
    .map(([one, other]) => ({ low: Math.min(one, other), high: Math.max(one, other) }))

const scalar: fc.Arbitrary<TSchema> = fc.oneof(
  fc.constant(Type.Boolean()),
  fc.constant(Type.Null()),
  fc.string().map((each) => Type.Literal(each)),
  fc.integer().map((each) => Type.Literal(each)),
  span(50).map(({ low, high }) => Type.String({ minLength: low, maxLength: high })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.nat(50))
    .map(([low, more]) => Type.Integer({ minimum: low, maximum: low + more })),
  fc.integer({ min: -50, max: 50 }).map((low) => Type.Integer({ exclusiveMinimum: low })),
  fc.integer({ min: -50, max: 50 }).map((high) => Type.Integer({ exclusiveMaximum: high })),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -50, max: 50 }))
    .map(([step, low]) => Type.Integer({ multipleOf: step, minimum: low })),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -50, max: 50 }))
    .map(([step, high]) => Type.Integer({ multipleOf: step, maximum: high })),
  fc
    .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 50 }))
    .map(([low, more]) =>
      Type.Number({ exclusiveMinimum: low / 8, exclusiveMaximum: (low + more) / 8 }),
    ),
  fc
    .uniqueArray(fc.string(), { minLength: 1, maxLength: 4 })
    .map((all) => Type.Unsafe({ type: 'string', enum: all })),
)

const schema: fc.Arbitrary<TSchema> = fc.letrec<{ any: TSchema }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium' },
    { arbitrary: scalar, weight: 3 },
    {
      arbitrary: fc
        .tuple(tie('any'), span(5))
        .map(([items, { low, high }]) => Type.Array(items, { minItems: low, maxItems: high })),
      weight: 1,
    },
    {
      arbitrary: fc
        // TypeBox takes every object to have a property of this name.
        .dictionary(
          fc.string().filter((name) => name !== '__proto__'),
          fc.tuple(tie('any'), fc.boolean()),
        )
        .map((all) =>
          Type.Object(
            Object.fromEntries(
              Object.entries(all).map(([name, [each, optional]]) => [
                name,
                optional ? Type.Optional(each) : each,
              ]),
            ),
            { additionalProperties: false },
          ),
        ),
      weight: 2,
    },
    {
      arbitrary: fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((all) => Type.Union(all)),
      weight: 1,
    },
  ),
})).any

/** As it comes from a client: TypeBox's own marks do not travel. */
const plain = (each: TSchema): Record<string, unknown> =>
  JSON.parse(JSON.stringify(each)) as Record<string, unknown>

const isTypeBoxKind = (each: TSchema): boolean => !JSON.stringify(each).includes('"enum"')

describe('a value by schema', () => {
  test('any schema gets a value that it accepts, always the same', () => {
    fc.assert(
      fc.property(schema.filter(isTypeBoxKind), fc.string({ unit: 'grapheme' }), (each, text) => {
        const root = Type.Object({ it: each })
        const value = valueBySchema(plain(root), text)
        expect(
          [...Value.Errors(root, value)].map(({ path, message }) => `${path} ${message}`),
        ).toEqual([])
        expect(valueBySchema(plain(root), text)).toEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    [{ type: 'string', format: 'date-time' }, '2026-01-01T00:00:00Z'],
    [{ type: 'string', format: 'email' }, 'echo@example.com'],
    [{ type: ['string', 'null'] }, 'Hi'],
    [{ enum: [null, 'a'] }, null],
    [{ const: 0 }, 0],
    [{ properties: { a: {} } }, { a: 'Hi' }],
    [{ required: ['a'] }, { a: 'Hi' }],
    [{ $ref: '#/$defs/x', $defs: { x: { type: 'integer', minimum: 3 } } }, 3],
    [
      { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
      { a: 1, b: 2 },
    ],
    [{ type: 'array', items: { type: 'integer', minimum: 2 }, minItems: 3 }, [2, 2, 2]],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
    [{ type: 'number', multipleOf: 0.1, minimum: 0.25 }, 0.3],
    [{}, {}],
    [undefined, {}],
  ])('%j is %j', (each, value) => {
    expect(valueBySchema(each, 'Hi')).toEqual(value)
  })

  test('of a schema that names itself ends', () => {
    const list = {
      type: 'object',
      properties: {
        value: { type: 'integer' },
        next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
      },
      required: ['value', 'next'],
    }
    let at: unknown = valueBySchema(list, '')
    let length = 0
    while (typeof at === 'object' && at !== null && 'next' in at) {
      expect(at).toHaveProperty('value', 1)
      at = at.next
      length++
    }
    expect(at).toBeNull()
    expect(length).toBeGreaterThan(1)
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['children'],
    }
    expect(JSON.stringify(valueBySchema(tree, ''))).toContain('"children":[]')
  })

  test('of a schema that asks for too much is bounded', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`p${at}`, { $ref: '#' }]),
    )
    const schemas = [
      { type: 'array', minItems: 1e9, items: { type: 'string' } },
      { type: 'string', minLength: 1e9 },
      { type: 'object', properties: wide, required: Object.keys(wide) },
      { $ref: '#' },
      { anyOf: [{ $ref: '#' }] },
      { allOf: [{ $ref: '#' }, { $ref: '#' }] },
    ]
    const most = () =>
      Math.max(...schemas.map((each) => JSON.stringify(valueBySchema(each, 'x')).length))
    expect(most()).toBeLessThan(2_000_000)
    expect(await leastCpuMs(most)).toBeLessThan(1000)
  })
})
