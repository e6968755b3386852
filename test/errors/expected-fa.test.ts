import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectedFa } from '../../src/errors/expected-fa'
import { GatewayError } from '../../src/errors/gateway-error'
import { persian } from '../../src/errors/isolates'

const source = join(import.meta.dir, '../../src')

/** Every phrase in the program that says what a field must be. */
function phrases(): readonly string[] {
  const found = new Set<string>()
  const says = [
    /\b(?:invalid\w*\)?|fault)\(\s*(?:`[^`]*`|'[^']*'|\w+),\s*'((?:[^'\\]|\\.)+)'/g,
    /\bdescription: '((?:[^'\\]|\\.)+)'/g,
    /\bexpected: '((?:[^'\\]|\\.)+)'/g,
    /\bfield\([^;]*?,\s*'((?:[^'\\]|\\.)+)',?\s*\)/g,
  ]
  for (const folder of ['formats', 'http', 'endpoints', 'call'])
    for (const path of new Bun.Glob(`${folder}/**/*.ts`).scanSync(source)) {
      // Models read what is described there.
      if (path.endsWith('/client-tools.ts')) continue
      const text = readFileSync(join(source, path), 'utf8')
      for (const pattern of says)
        for (const [, phrase = ''] of text.matchAll(pattern)) found.add(phrase)
    }
  return [...found].sort()
}

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
    const all = phrases()
    expect(all.length).toBeGreaterThan(20)
    expect(all).toContain('an https URL, or a data: URL with an image in base64')
    // Only names of fields and formats may stay in Latin letters.
    const names = /`[^`]*`|\b(?:JSON|Schema|base64|https)\b/g
    const english = all.filter((phrase) =>
      /[A-Za-z]{2}/.test(expectedFa(phrase).replace(names, '')),
    )
    // One word alone is a name.
    const unknown = all.filter(
      (phrase) => phrase.includes(' ') && expectedFa(phrase).includes(`\`${phrase}\``),
    )
    expect({ english, unknown }).toEqual({ english: [], unknown: [] })
  })

  test('quotes a phrase that it does not know', () => {
    expect(expectedFa('as long as the night')).toBe('`as long as the night`')
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
