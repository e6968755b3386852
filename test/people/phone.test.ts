import { describe, expect, test } from 'bun:test'
import { localPhone, maskPhone, parsePhone, showPhone, type Phone } from '../../src/domain/phone'

const phone = '+989123456789' as Phone

describe('a phone', () => {
  test.each([
    '09123456789',
    '۰۹۱۲۳۴۵۶۷۸۹',
    '٠٩١٢٣٤٥٦٧٨٩',
    '0912 345 6789',
    '0912-345-6789',
    '+98 912 345 6789',
    '0098 (912) 345.6789',
    '989123456789',
    '9123456789',
    '\u200e+98\u00a0912\u202f345\u202f6789',
    '۰۹۱۲ 345 ۶۷۸۹',
    '\u202a09123456789\u202c',
  ])('is one number, written %p', (text) => expect(parsePhone(text)).toBe(phone))

  test.each([
    '',
    '0912345678',
    '091234567890',
    '02188776655',
    '+4915112345678',
    '09a23456789',
    '+98 0912 345 6789',
    '1e10',
  ])('is not %p', (text) => expect(parsePhone(text)).toBeNull())

  test('is shown whole, masked, and as providers take it', () => {
    expect(showPhone(phone)).toBe('0912 345 6789')
    expect(maskPhone(phone)).toBe('0912 ··· 6789')
    expect(localPhone(phone)).toBe('09123456789')
  })
})
