import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor, hubPrices } from '../support/hub-vendor'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  const { url } = vendor
  const models = { counted: { vocabulary: 'o200k' }, other: {} } as const
  chapar = await openTestGateway({
    vendorUrl: url,
    async prepare(storage) {
      await addHubVendor({ kind: 'openai', url, models })(storage)
      const known = (await storage.catalogue.models()).find(({ id }) => id === 'counted')
      if (known === undefined) throw new Error('not there')
      const { created: _, card, ...entry } = known
      const prices = (card?.lines ?? []).filter(({ meter }) => meter === 'input')
      await storage.catalogue.saveModel({ ...entry, id: 'vectors', type: 'embedding' }, prices)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const tokensOf = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length
const ceiling = 16

const bodies = {
  '/chat/completions': (model: string, text: string) => ({
    model,
    max_tokens: ceiling,
    messages: [{ role: 'user', content: text }],
  }),
  '/messages': (model: string, text: string) => ({
    model,
    max_tokens: ceiling,
    messages: [{ role: 'user', content: text }],
  }),
  '/responses': (model: string, text: string) => ({
    model,
    max_output_tokens: ceiling,
    input: text,
  }),
} as const
type Path = keyof typeof bodies

interface Dry {
  readonly estimate: { readonly high: { readonly units: { readonly input: number } } }
}

/** Input tokens that are held for somebody with so much money. */
async function heldInput(
  usd: string,
  model: string,
  text: string,
  path: Path = '/chat/completions',
) {
  const { key } = await chapar.customer({ usd })
  const response = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-dry-run': '1' },
    body: JSON.stringify(bodies[path](model, text)),
  })
  const told = (await response.json()) as Dry
  expect(told).toMatchObject({ object: 'dry_run' })
  return told.estimate.high.units.input
}

/** Covers as many tokens as a text has bytes, and not at the price of the dearest of them. */
const moneyFor = (text: string): string =>
  (((Buffer.byteLength(text) * 1.2 + 2500) * Number(hubPrices.input)) / 1e6).toFixed(9)

const random = (count: number, first: number, range: number): string =>
  Array.from({ length: count }, (_, at) =>
    String.fromCodePoint(first + ((Math.imul(at + 1, 2_654_435_761) >>> 7) % range)),
  ).join('')

/** Texts that a guess takes for less than they are. */
const fooling: readonly (readonly [string, string])[] = [
  ['random letters', random(6000, 0x61, 26)],
  ['Arabic marks', random(6000, 0x610, 11)],
  ['sounds of speech', random(6000, 0x250, 0x60)],
  ['combining marks', random(6000, 0x300, 0x70)],
  ['rare ideographs', random(6000, 0x3400, 0x1900)],
  ['blanks of all kinds', random(6000, 0x2000, 11)],
]

describe('where the money does not cover all that a call can cost', () => {
  test.each(fooling)('as much is held as a vendor can count: %s', async (_, text) => {
    for (const path of ['/chat/completions', '/messages', '/responses'] as const)
      expect(await heldInput(moneyFor(text), 'counted', text, path)).toBeGreaterThanOrEqual(
        tokensOf(text),
      )
    expect(await heldInput('1000', 'counted', text)).toBeLessThan(tokensOf(text))
  })

  test('nobody else pays for what a vendor counts of it', async () => {
    const [, text] = fooling[0] ?? ['', '']
    const tokens = tokensOf(text)
    const counted = { prompt_tokens: tokens + 7, completion_tokens: 1, total_tokens: tokens + 8 }
    vendor.play(() => wholeReply('Hello', counted))
    const { account, key } = await chapar.customer({ usd: moneyFor(text) })
    const sent = () =>
      chapar.post(bodies['/chat/completions']('counted', text), { authorization: `Bearer ${key}` })
    const answers = await Promise.all(Array.from({ length: 6 }, sent))
    await Promise.all(answers.map((each) => each.text()))
    await chapar.rest()
    const { reports } = chapar.storage
    const calls = await Promise.all(
      answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => reports.call(headers.get('x-request-id') ?? '', null)),
    )
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls) expect(call).toMatchObject({ status: 'success', unpaid: null })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 402]))
    const left = (await chapar.storage.directory.findAccount(account))?.balance ?? -1
    expect(left).toBeGreaterThanOrEqual(0)
    expect((await chapar.audit()).differences).toEqual([])
  })

  test('the inputs of embeddings are counted too', async () => {
    const [, text] = fooling[0] ?? ['', '']
    // Below the price of the bytes.
    const { key } = await chapar.customer({ usd: '0.015' })
    const response = await fetch(`${chapar.url}/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-dry-run': '1' },
      body: JSON.stringify({ model: 'vectors', input: [text, 'short'] }),
    })
    const { estimate } = (await response.json()) as Dry
    expect(estimate.high.units.input).toBeGreaterThanOrEqual(tokensOf(text))
  })
})

const source = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8')
const persian = source('src/errors/texts-fa.ts').match(/[\u0600-\u06ff\u200c ،؛.]{12,}/g) ?? []
const chinese =
  '网关在每次调用之前先预留一笔金额，调用结束后按实际用量结算，多余的部分会立即退回账户。如果余额不足，请求会被拒绝，' +
  '并说明还需要多少钱。每一笔费用都有收据，列出单位、价格和总额，管理员可以随时核对账目。\n'

describe('plain text is held at little more than it is', () => {
  test.each([
    ['English', source('src/guide/en/operate.md')],
    ['code', source('src/gateway/metering/estimate-text.ts')],
    ['Persian', persian.join('\n')],
    ['Chinese', chinese.repeat(8)],
  ])('%s', async (_, text) => {
    const tokens = tokensOf(text)
    expect(tokens).toBeGreaterThan(400)
    const held = await heldInput(moneyFor(text), 'counted', text)
    expect(held / tokens).toBeGreaterThanOrEqual(1)
    expect(held / tokens).toBeLessThanOrEqual(1.35)
  })

  test('and for a model of another vocabulary never below the guess', async () => {
    const text = source('src/guide/en/operate.md')
    const held = await heldInput(moneyFor(text), 'other', text)
    expect(held).toBeGreaterThanOrEqual(await heldInput('1000', 'other', text))
    expect(held / tokensOf(text)).toBeLessThanOrEqual(1.35)
  })
})
