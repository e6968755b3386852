import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode as encodeOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { openTokenCounter } from '../../src/gateway/metering/vocabulary/token-counter'
import { roundsOf } from '../support/campaigns'

const plainly = { disallowedSpecial: new Set<string>() }
const real = (text: string): number => encode(text, plainly).length

const strings = roundsOf('token strings')

/** The same numbers in every run. */
function openDice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const dice = openDice(7)
const from = (first: number, count: number) => () => String.fromCodePoint(first + dice(count))

/** What texts are made of that fool an estimate. */
const pieces: readonly (() => string)[] = [
  from(0x61, 26),
  from(0x20, 95),
  from(0, 32),
  from(0, 0x250),
  from(0x250, 0xb0),
  from(0x300, 0x70),
  from(0x400, 0x130),
  from(0x590, 0x270),
  from(0x610, 11),
  from(0x900, 0x800),
  from(0x1200, 0xe00),
  from(0x2000, 0x70),
  from(0x2100, 0xf00),
  from(0x3400, 0x19c0),
  from(0x4e00, 0x5200),
  from(0xac00, 11_172),
  from(0xe000, 0x1900),
  from(0xf900, 0x700),
  from(0x10000, 0x3000),
  from(0x1d400, 0x400),
  from(0x1f300, 0x400),
  from(0x20000, 0x4000),
  from(0xe0000, 0x200),
  // Halves of pairs among them.
  () => String.fromCharCode(dice(65_536)),
  () =>
    ['a', ' ', '\n', '\r\n', '\t', '\u00a0', '\u3000', '\u200c', '\u200d', '\ufe0f'][dice(10)] ??
    '',
  () => ["'s", "'LL", "'Re", '/', '=', '//', '{"', '"}', '();', '<|endoftext|>'][dice(10)] ?? '',
  () => ['the', ' and', 'Foo', 'XMLHttp', 'سلام', ' کتاب', '中国', 'für', 'привет'][dice(9)] ?? '',
  () => String(dice(100_000)),
  () => btoa(String.fromCharCode(...Array.from({ length: 1 + dice(30) }, () => dice(256)))),
  () => new TextDecoder().decode(Uint8Array.from({ length: 1 + dice(20) }, () => dice(256))),
]

function hostile(): string {
  const used = Array.from({ length: 1 + dice(4) }, () => pieces[dice(pieces.length)])
  let text = ''
  for (let left = 1 + dice(100); left > 0; left--) {
    const piece = used[dice(used.length)]?.() ?? ''
    text += dice(7) === 0 ? piece.repeat(1 + dice(12)) : piece
  }
  // Two characters are blanks to one engine of patterns and none to the other.
  return text.replaceAll(/[\u0085\ufeff]/g, '')
}

describe('a count by the vocabulary', () => {
  test('is what the vocabulary makes of any text', async () => {
    const counter = await openTokenCounter()
    const wrong: string[] = []
    for (let left = strings; left > 0; left--) {
      const text = hostile()
      if ((await (await openTokenCounter()).count(text)) !== real(text)) wrong.push(text)
    }
    expect(wrong).toEqual([])
    expect(await counter.count('')).toBe(0)
  })

  test('is never below it on runs that are cut', async () => {
    for (let round = 0; round < 40; round++) {
      const part = Array.from({ length: 1 + dice(6) }, () =>
        pieces[round % pieces.length]?.(),
      ).join('')
      const text = part.repeat(Math.ceil((4200 + dice(6000)) / part.length)).slice(0, 12_000)
      const counted = await (await openTokenCounter()).count(text)
      const tokens = real(text.replaceAll(/[\u0085\ufeff]/g, ''))
      expect([part, counted >= tokens]).toEqual([part, true])
      expect(counted).toBeLessThanOrEqual(tokens * 1.15 + 40)
    }
  })

  test('is at most its bytes where there is too much that is no word', async () => {
    const text = Array.from({ length: 1_200_000 }, from(0x3400, 0x19c0)).join('')
    const counted = await (await openTokenCounter()).count(text)
    expect(counted).toBeGreaterThan(text.length)
    expect(counted).toBeLessThanOrEqual(Buffer.byteLength(text))
  })

  test('lets others have turns', async () => {
    const counter = await openTokenCounter()
    let turns = 0
    let again = true
    const count = () => void (turns++, again && setImmediate(count))
    setImmediate(count)
    await counter.count('some words of a long prompt '.repeat(40_000))
    again = false
    expect(turns).toBeGreaterThanOrEqual(8)
  })
})

const source = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8')
const persian = source('src/errors/texts-fa.ts').match(/[\u0600-\u06ff\u200c ،؛.]{12,}/g) ?? []
const chinese =
  '网关在每次调用之前先预留一笔金额，调用结束后按实际用量结算，多余的部分会立即退回账户。如果余额不足，请求会被拒绝，' +
  '并说明还需要多少钱。每一笔费用都有收据，列出单位、价格和总额，管理员可以随时核对账目。'

describe('for a model of another vocabulary', () => {
  test.each([
    ['English', source('src/guide/en/operate.md')],
    ['code', source('src/gateway/metering/estimate-text.ts')],
    ['Persian', persian.join('\n')],
    ['Chinese', chinese],
  ])('a margin is added that the older one of the same vendor stays below: %s', async (_, text) => {
    const counted = await (await openTokenCounter(true)).count(text)
    expect(counted).toBeGreaterThanOrEqual(encodeOlder(text, plainly).length)
    expect(counted).toBeLessThanOrEqual(Buffer.byteLength(text))
  })
})
