import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isBase64 } from '../../src/gateway/formats/base64'

const long = Buffer.alloc(300_000, 'a long recording').toString('base64')
const wrapped = (text: string, end: string) => text.replace(/.{76}/g, `$&${end}`)

describe('base64', () => {
  test('is what encoders write, in lines or not, padded or not, however long', () => {
    for (const text of ['AA==', 'AA', 'AAA=', 'AAAA', ' AAAA\r\n', long])
      for (const each of [text, wrapped(text, '\n'), wrapped(text, '\r\n')])
        expect([each.slice(0, 20), isBase64(each, 0)]).toEqual([each.slice(0, 20), true])
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 100, size: 'max' })
    fc.assert(
      fc.property(bytes, (each) => isBase64(`head,${Buffer.from(each).toString('base64')}`, 5)),
    )
  })

  test('is nothing else, whether the fault comes early or late', () => {
    for (const wrong of ['', '***', 'A', '=', '   ', 'AA==AA==', 'https://a.example'])
      expect([wrong, isBase64(wrong, 0)]).toEqual([wrong, false])
    for (const wrong of [`*${long}`, `${long}*`, ' '.repeat(300_000), `${long}==${long}`])
      expect(isBase64(wrong, 0)).toBe(false)
    const padded = `${'A'.repeat(65_534)}==`
    expect([isBase64(padded, 0), isBase64(padded + long, 0)]).toEqual([true, false])
  })
})
