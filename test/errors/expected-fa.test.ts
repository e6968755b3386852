import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { expectedFa } from '../../src/errors/expectations-fa'
import { GatewayError } from '../../src/errors/gateway-error'
import { persian } from '../../src/errors/bidi-isolates'
import { hole, saidPhrases } from '../support/said-phrases'

const source = join(import.meta.dir, '../../src')

/** What stands for parts of a phrase that are known only when the program runs. */
const fillings = ['7', 'word', 'one | other']

/** Names of fields and formats may stay in Latin letters; English may not, in backticks either. */
function isPersian(text: string): boolean {
  const quoted = [...text.matchAll(/`([^`]*)`/g)].map(([, word = '']) => word)
  const around = text.replace(/`[^`]*`/g, '').replace(/\b(?:JSON|Schema|base64|https)\b/g, '')
  return !/[A-Za-z]{2}/.test(around) && quoted.every((word) => !word.includes(' '))
}

const readings = (phrase: string): readonly string[] =>
  (phrase.includes(hole) ? fillings : ['']).map((filling) =>
    expectedFa(phrase.replaceAll(hole, filling)),
  )

describe('what a field must be, in Persian', () => {
  test.each([
    ['a string', 'رشته'],
    ['a whole number from 1', 'عدد صحیح از 1 به بالا'],
    ['a number from -2 to 2', 'عدد از -2 تا 2'],
    ['mp3 | wav', 'یکی از `mp3`، `wav`'],
    ['a string, an array of parts, or null', 'رشته، آرایه‌ای از بخش‌ها یا `null`'],
    ['none | auto | required, or an object', 'یکی از `none`، `auto`، `required` یا شیء'],
    ['an object with id, type and function', 'شیئی با `id` و `type` و `function`'],
    ['an object with a name and a schema', 'شیئی با `name` و `schema`'],
  ])('%p is %p', (english, persian) => {
    expect(expectedFa(english)).toBe(persian)
  })

  test('is known for every phrase that the program has', () => {
    const { phrases, unread } = saidPhrases(source)
    expect(unread).toEqual([])
    expect([...phrases].filter((phrase) => !readings(phrase).some(isPersian))).toEqual([])
  })

  test.each([
    ['an argument', 'a string of JSON'],
    ['a text with a variable in it', `steps of at most ${hole} characters`],
    ['a text with quotes in it', `at most ${hole} days before \`to\``],
    ['one of two texts', 'png'],
    ['words joined when the program runs', `${hole} | ${hole}`],
    ['a constant', 'a non-empty string'],
    ['a description of a schema', 'an object with a role'],
    ['a member of facts', 'one host'],
    ['a reason inside a phrase', `its host answered ${hole}`],
  ])('is looked for in %s', (_, phrase) => {
    expect([...saidPhrases(source).phrases]).toContain(phrase)
  })

  test.each(['an https URL or as long as the night', 'a sum of 7', 'text of one half or another'])(
    'is missing in %p',
    (phrase) => {
      expect(readings(phrase).some(isPersian)).toBe(false)
    },
  )

  test('quotes a phrase that it does not know', () => {
    expect(expectedFa('as long as the night')).toBe('`as long as the night`')
  })

  test('has its brackets on the side of the sentence', () => {
    const facts = { field: 'from', expected: 'at most 366 days before `to`' }
    const { message } = new GatewayError('invalid_field', facts).body('fa').error
    expect(message).toContain('\u2066`to`\u2069 (تاریخ')
    expect(message).not.toMatch(/[()]\u2069/)
  })

  test.each(['invalid_field', 'invalid_message'] as const)('stands in the text of %s', (code) => {
    const facts = { field: 'n', expected: 'a whole number from 1 to 4' }
    const error = new GatewayError(code, facts)
    expect(error.body('fa').error.message).toBe(
      persian`مقدار \`${facts.field}\` پذیرفته نیست؛ باید چنین باشد: ${expectedFa(facts.expected)}.`,
    )
    expect(error.body('en').error.message).toBe('`n` must be a whole number from 1 to 4.')
  })
})
