import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { maskNationalCode, parseNationalCode } from '../../src/business/verification/national-code'
import { isNationalCode } from '../../src/web/national-code'
import { nationalCode } from './codes'

test('a code is taken in digits of any script, with its leading zeroes or without', () => {
  const known = '0012345679'
  for (const typed of [
    known,
    '۰۰۱۲۳۴۵۶۷۹',
    '٠٠١٢٣٤٥٦٧٩',
    '12345679',
    ' 001-234567-9 ',
    '\u200f0012345679',
  ])
    expect(parseNationalCode(typed) as string | null).toBe(known)
})

test('what is no code is none', () => {
  for (const typed of [
    '',
    '1',
    '1111111111',
    '0000000000',
    '00123456790',
    '001234567a',
    '0012345670',
  ])
    expect(parseNationalCode(typed)).toBeNull()
})

test('any single wrong digit is noticed, by the page as by the server', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000, max: 999_999_998 }),
      fc.nat(9),
      fc.integer({ min: 1, max: 9 }),
      (number, place, shift) => {
        const code = nationalCode(number)
        fc.pre(!/^(\d)\1+$/.test(code))
        expect(parseNationalCode(code) as string | null).toBe(code)
        expect(isNationalCode(code)).toBe(true)
        const digits = Array.from(code, Number)
        digits[place] = ((digits[place] ?? 0) + shift) % 10
        const wrong = digits.join('')
        const isTaken = parseNationalCode(wrong) !== null
        expect(isNationalCode(wrong)).toBe(isTaken)
        // Of remainders below two both stand for themselves: one digit in eleven of the last place.
        if (place === 9) expect(isTaken).toBe(false)
      },
    ),
  )
})

test('a masked code shows its last four digits', () => {
  const code = parseNationalCode('0012345679')
  expect(code === null ? null : maskNationalCode(code)).toBe('······5679')
})
