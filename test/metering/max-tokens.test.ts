import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'
import { maxTokens, maxTokensInSlices } from '../../src/metering/max-tokens'

const specials = { disallowedSpecial: new Set<string>() }
const o200k = (text: string): number => encode(text, specials).length
const cl100k = (text: string): number => encodeCl100k(text, specials).length

const expectBounded = (text: string): void => {
  expect(maxTokens(text, 'o200k')).toBeGreaterThanOrEqual(o200k(text))
  expect(maxTokens(text, 'cl100k')).toBeGreaterThanOrEqual(cl100k(text))
}

const letter = (first: number, last: number) =>
  fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code))

/** A row of Unicode, wherever it is: odd ones as often as known ones. */
const rowText = fc
  .oneof(fc.integer({ min: 0, max: 0x1aff }), fc.integer({ min: 0, max: 0x10ffff >> 7 }))
  .chain((row) => {
    // Halves of surrogate pairs are no text.
    const first = row * 128 >= 0xd800 && row * 128 < 0xe000 ? 0x2000 : Math.min(row * 128, 0x10ff80)
    return fc.array(letter(first, first + 127), { minLength: 1, maxLength: 40 })
  })
  .map((letters) => letters.join(''))

const named: readonly (readonly [string, number, number])[] = [
  ['Arabic marks', 0x0610, 0x061a],
  ['Arabic', 0x0600, 0x06ff],
  ['rare Arabic', 0x08a0, 0x08ff],
  ['Arabic forms', 0xfb50, 0xfdff],
  ['blanks', 0x2000, 0x200f],
  ['IPA', 0x0250, 0x02af],
  ['combining marks', 0x0300, 0x036f],
  ['Cyrillic', 0x0400, 0x04ff],
  ['extended Cyrillic', 0x2de0, 0x2dff],
  ['CJK', 0x4e00, 0x9fff],
  ['CJK extension A', 0x3400, 0x4dbf],
  ['CJK extension B', 0x20000, 0x2a6df],
  ['kana', 0x3040, 0x30ff],
  ['Hangul', 0xac00, 0xd7a3],
  ['Devanagari', 0x0900, 0x097f],
  ['emoji', 0x1f300, 0x1faff],
  ['lowercase', 0x61, 0x7a],
  ['uppercase', 0x41, 0x5a],
  ['ASCII', 0x20, 0x7e],
  ['control', 0x00, 0x1f],
]
const blanks = [' ', '\t', '\n', '\r\n', '\u0085', '\u00a0', '\u2003', '\u2028', '\u3000', '\ufeff']
/** What somebody would send who knows the vocabulary. */
const token = fc.integer({ min: 0, max: 199_997 }).map((rank) => decode([rank]).toWellFormed())
const anyPart = fc.oneof(
  token,
  rowText,
  fc.constantFrom(...blanks, "'s", "'RE", '\u200c', '12345', '----------', 'aB', 'Ab'),
  fc.constantFrom(...named).chain(([, first, last]) => letter(first, last)),
)

describe('the bound of a text is never under what it takes', () => {
  test.each(named)('%s', (_, first, last) => {
    const unit = fc.oneof(
      { weight: 6, arbitrary: letter(first, last) },
      { weight: 1, arbitrary: fc.constantFrom(...blanks, 'a', 'Z', '1', '.') },
    )
    const texts = fc.array(unit, { minLength: 1, maxLength: 60 }).map((units) => units.join(''))
    fc.assert(fc.property(texts, expectBounded), { numRuns: 80 })
  })

  test('any row of Unicode', () => {
    fc.assert(fc.property(rowText, expectBounded), { numRuns: 1000 })
  })

  test('all mixed, with what the vocabulary has', () => {
    const mixed = fc.array(anyPart, { minLength: 1, maxLength: 24 }).map((parts) => parts.join(''))
    fc.assert(fc.property(mixed, expectBounded), { numRuns: 1500 })
  })

  test('runs of one character', () => {
    for (const char of Array.from('a A-=*_#0\t\n.عم中😀\u0300'))
      for (const length of [2, 7, 8, 9, 31, 64, 65, 100, 127, 300])
        for (const start of ['', ' ', 'x']) expectBounded(start + char.repeat(length))
  })
})

const english = readFileSync(join(import.meta.dir, '../../LICENSE'), 'utf8')
const code = readFileSync(join(import.meta.dir, '../../src/media/mp4-seconds.ts'), 'utf8')
const prose =
  'The train left the station a little after seven, while most of the passengers were still asleep. ' +
  'A woman near the window unfolded yesterday’s newspaper, looked at the weather forecast and sighed: ' +
  "it wasn't going to rain before Thursday, and her brother's garden had been dry for weeks."
const persian =
  'هوا که تاریک شد، بچه‌ها به خانه برگشتند و مادربزرگ چای تازه دم کرد. او می‌گفت در روزگار قدیم مردم ' +
  'شب‌ها دور هم می‌نشستند و برای یکدیگر قصه می‌خواندند. امروز بیشتر ما به صفحهٔ تلفن همراه نگاه می‌کنیم و کمتر ' +
  'با هم حرف می‌زنیم؛ با این حال، هنوز هم یک داستان خوب می‌تواند همه را ساکت کند. ' +
  'برای نصب برنامه ابتدا آخرین نسخه را از وبگاه دریافت کنید و سپس تنظیمات شبکه را بررسی نمایید.'
const chinese =
  '今天早上天气很好，我们决定去公园散步。湖边有很多老人在打太极拳，孩子们在草地上放风筝。' +
  '中午的时候，我们在附近的一家小餐馆吃了面条，味道非常不错。下午开始下雨，大家只好提前回家。' +
  '请先安装最新版本的软件，然后检查网络设置是否正确；如果仍然无法连接，请联系技术支持部门。'

describe('the bound of a plain text', () => {
  test.each([
    ['English', `${prose}\n${english}`],
    ['Persian', persian],
    ['Chinese', chinese],
    ['code', code],
  ])('is at most 1.35 times what it takes: %s', (_, text) => {
    expectBounded(text)
    expect(maxTokens(text) / o200k(text)).toBeLessThanOrEqual(1.35)
  })
})

describe('a long text', () => {
  const texts = [prose.repeat(200), 'a'.repeat(300_000), 'a-'.repeat(100_000), ' '.repeat(300_000)]

  test('has the same bound in slices, and lets others have turns', async () => {
    for (const text of texts) {
      let turns = 0
      let again = true
      const count = () => void (turns++, again && setImmediate(count))
      setImmediate(count)
      expect(await maxTokensInSlices(text)).toBe(maxTokens(text))
      again = false
      expect(turns).toBeGreaterThanOrEqual(text.length >> 15)
    }
  })

  test('takes time in proportion, whatever is in it', () => {
    const odd = ['ي', '中', '龘', '\u0300', 'x', '1', '\u2003', ' \n', "'", '😀', 'Aa', 'AA', '-=']
    for (const unit of odd) {
      const began = process.cpuUsage()
      maxTokens(unit.repeat(200_000 / unit.length))
      expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
    }
  })
})
