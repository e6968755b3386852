import { Type, type TSchema } from '@sinclair/typebox'
import { describe, expect, test } from 'bun:test'
import {
  AdminError,
  isAdminError,
  type AdminFacts,
} from '../../src/business/operations/admin-error'
import { orNull } from '../../src/business/operations/fields'
import { operationRows } from '../../src/business/operations/table'
import { checkInput } from '../../src/business/operations/refusals/check-input'
import { refusalSentence, refusalText } from '../../src/business/operations/refusals/refusal-text'
import { refusalsEn } from '../../src/business/operations/refusals/refusals-en'
import { refusalsFa } from '../../src/business/operations/refusals/refusals-fa'
import { openConsoleApi } from '../../src/console/api/console-api'
import { openOperatorApi } from '../../src/console/api/operator/operator-api'
import { violationsOf } from '../support/violations'

const faultOf = (schema: TSchema, value: unknown): AdminFacts['input_invalid'] | null => {
  try {
    checkInput(schema, value)
  } catch (thrown) {
    if (isAdminError(thrown) && thrown.code === 'input_invalid')
      return thrown.facts as AdminFacts['input_invalid']
    throw thrown
  }
  return null
}

const texts = (schema: TSchema, value: unknown): readonly string[] => {
  const facts = faultOf(Type.Object({ x: schema }), { x: value })
  if (facts === null) return []
  const error = new AdminError('input_invalid', facts)
  return [refusalText(error, 'en'), refusalText(error, 'fa').replaceAll(/[\u2066-\u2069]/g, '')]
}

const isPersian = (text: string) => /[آ-ی]/.test(text)

describe('the texts of refusals', () => {
  test('are there for the same codes in both languages, each in its own', () => {
    expect(Object.keys(refusalsFa).toSorted()).toEqual(Object.keys(refusalsEn).toSorted())
  })

  test('are clauses for commands and programs, and sentences for pages', () => {
    const missing = new AdminError('account_not_found', { account: 7 as never })
    expect(refusalText(missing, 'en')).toBe('there is no account 7')
    expect(refusalSentence(missing, 'en')).toBe('There is no account 7.')
    const named = new AdminError('gateway_kind_stays', { name: 'zarin', kind: 'zarinpal' })
    expect(refusalSentence(named, 'en')).toStartWith('zarin is a zarinpal gateway')
  })

  test.each([
    ['key_refused', 'acme refuses our key (401). Nothing was saved.'],
    ['no_answer', 'https://acme.example/v1 does not answer. Nothing was saved.'],
  ] as const)('say of a vendor who fails a trial by %s that it does', (problem, sentence) => {
    const address = 'https://acme.example/v1'
    const facts = { vendor: 'acme', problem, answered: 401, address }
    expect(refusalSentence(new AdminError('vendor_trial_failed', facts), 'en')).toBe(sentence)
  })
})

describe('a field that breaks a rule of its schema', () => {
  test.each([
    [Type.String(), 5, 'x: must be a text', 'x: باید چنین باشد: متن.'],
    [Type.String({ minLength: 1 }), '', 'x: must not be empty', 'x: نباید خالی باشد.'],
    [Type.String({ maxLength: 3 }), 'long', 'x: at most 3 characters', 'x: دست‌بالا ۳ نویسه است.'],
    [Type.Integer(), 1.5, 'x: must be a whole number', 'x: باید چنین باشد: عدد صحیح.'],
    [Type.Integer({ minimum: 1 }), 0, 'x: 1 at least', 'x: دست‌کم ۱ است.'],
    [Type.Integer({ maximum: 9 }), 10, 'x: 9 at most', 'x: دست‌بالا ۹ است.'],
    [Type.Array(Type.Null(), { maxItems: 0 }), [null], 'x: at most 0 of them', null],
    [orNull(Type.String({ maxLength: 3 })), 'long', 'x: at most 3 characters', null],
    [
      Type.Union([Type.Integer(), Type.String()]),
      true,
      'x: must be a whole number or a text',
      null,
    ],
    [
      orNull(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      'c',
      'x: must be one of: a, b',
      'x: باید یکی از این‌ها باشد: a، b.',
    ],
    [Type.Object({ y: Type.Integer() }), {}, 'x.y: is needed', 'x.y: لازم است.'],
  ])('is refused with a text of the rule', (schema, value, english, persian) => {
    const [en, fa] = texts(schema, value)
    expect(en).toBe(english)
    if (persian !== null) expect(fa).toBe(persian)
  })

  test('is named where nobody knows it', () => {
    const closed = Type.Object({}, { additionalProperties: false })
    expect(faultOf(closed, { y: 1 })).toEqual({ field: 'y', rule: 'unknown_field' })
  })
})

const parts = ['params', 'query', 'body'] as const
const routesOfPages = [
  openConsoleApi({} as never),
  openOperatorApi({ signIn: {} } as never, () => ''),
]
  .flatMap(({ routes }) => routes)
  .map(({ method, path, hooks }) => ({ ...(hooks as Hooks), name: `${method} ${path}` }))

type Hooks = { readonly [Part in (typeof parts)[number]]?: TSchema }

/** Of a choice of bodies those of each. */
const objectsOf = (schema?: TSchema): readonly TSchema[] =>
  schema === undefined ? [] : ((schema['anyOf'] as TSchema[] | undefined) ?? [schema])

const fields = [...operationRows, ...routesOfPages].flatMap((row) =>
  parts.flatMap((part) =>
    objectsOf(row[part]).flatMap(({ properties }) =>
      Object.entries(properties as Readonly<Record<string, TSchema>>).map(
        ([field, schema]) => [`${row.name} ${field}`, field, schema] as const,
      ),
    ),
  ),
)

test('every field of every operation and of every route of pages is refused by its name, in both languages', () => {
  const seen = new Set<string>()
  for (const [where, field, schema] of fields)
    for (const value of violationsOf(schema)) {
      const facts = faultOf(Type.Object({ [field]: schema }), { [field]: value })
      if (facts === null) throw new Error(`${where} takes ${JSON.stringify(value)}`)
      const error = new AdminError('input_invalid', facts)
      const [en, fa] = [refusalText(error, 'en'), refusalText(error, 'fa')]
      expect(en, where).toStartWith(field)
      expect(fa, where).toContain(field)
      expect(`${en} ${fa}`, where).not.toMatch(/Expected|undefined|NaN/)
      expect([isPersian(en), isPersian(fa)], where).toEqual([false, true])
      seen.add(facts.rule)
    }
  expect(fields.length).toBeGreaterThan(400)
  expect([...seen].toSorted()).toEqual(
    'bad_form not_one_of required too_few too_large too_long too_many too_short too_small unknown_field wrong_type'.split(
      ' ',
    ),
  )
})
