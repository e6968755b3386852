import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { modelPage, modelRow } from '../../src/console/models/model-view'
import { openModelSearch, type ModelQuery } from '../../src/console/models/model-search'
import type { SoldModel } from '../../src/console/models/sold-model'
import { usualPrice } from '../../src/console/models/usual-price'
import type { ModelType, PriceLine } from '../../src/domain/model'
import { compileCard } from '../../src/gateway/metering/price-card'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

interface Row {
  readonly id: string
  readonly family: string
  readonly is_free: boolean
  readonly prices: readonly { readonly meter: string; readonly usd: string }[]
}
interface Found {
  readonly data: readonly Row[]
  readonly total: number
  readonly next: string | null
  readonly coins_per_usd: string | null
}

let gateway: TestGateway
let stranger: Visitor
beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  stranger = openVisitor(gateway)
})
afterAll(() => gateway.close())

const find = async (query: string, who = stranger): Promise<Found> => {
  const { status, body } = await who.send('GET', `/catalogue?${query}`)
  expect(status).toBe(200)
  return body
}

const card = (lines: readonly PriceLine[], validFrom = 0) => ({
  version: 'v',
  validFrom: validFrom as never,
  lines,
})
const sold = (
  id: string,
  lines: readonly PriceLine[],
  more: Partial<SoldModel> = {},
): SoldModel => ({
  id,
  type: 'chat',
  name: id,
  ownedBy: 'somebody',
  description: null,
  contextLength: 128_000,
  maxOutputTokens: null,
  capabilities: { streaming: true, tools: true, vision: true },
  traits: {},
  isFree: false,
  card: card(lines),
  rates: compileCard(card(lines)),
  isSandbox: false,
  ...more,
})
const textLines = (input: string, output: string): readonly PriceLine[] => [
  { meter: 'input', unit: 'million', price: input },
  { meter: 'output', unit: 'million', price: output },
]
const all: ModelQuery = {
  text: '',
  family: null,
  capability: null,
  order: 'id',
  allows: () => true,
  after: null,
  max: 40,
}

describe('models on sale', () => {
  test('are told to everybody, the same ones as by the interface for programs', async () => {
    const { data } = (await (await fetch(`${gateway.url}/models`)).json()) as { data: Row[] }
    const found = await find('max=100')
    expect(found.data.map(({ id }) => id)).toEqual(data.map(({ id }) => id))
    expect(found.total).toBe(data.length)
    expect(found.next).toBeNull()
  })

  test('are found by words of id, name, maker and capability, in Persian too', async () => {
    const ids = async (text: string) =>
      (await find(`text=${encodeURIComponent(text)}&max=100`)).data.map(({ id }) => id)
    expect(await ids('ECHO priced')).toEqual(['sandbox/echo-priced'])
    expect(await ids('ترجمه')).toEqual(['sandbox/listen', 'sandbox/listen-priced'])
    expect(await ids('sandbox استدلال echo-')).toEqual(['sandbox/echo-priced'])
    expect(await ids('no such model')).toEqual([])
    expect(
      (await find('family=audio_tts')).data.every(({ family }) => family === 'audio_tts'),
    ).toBe(true)
    expect((await find('family=chat&capability=realtime')).total).toBe(0)
    expect((await find('family=realtime')).total).toBeGreaterThan(0)
  })

  test('have prices in coins once there is a rate', async () => {
    expect((await find('max=1')).coins_per_usd).toBeNull()
    await gateway.storage.payments.setRate('105000', 'test')
    expect((await find('max=1')).coins_per_usd).toBe('105000')
  })

  test('are cut to what a key may use, for whoever has the key', async () => {
    const [ali, sara] = [openVisitor(gateway), openVisitor(gateway)]
    await ali.signIn('09123450001')
    await sara.signIn('09123450002')
    const { body: projects } = await ali.send('GET', '/projects')
    const [project] = (projects as { data: { id: number }[] }).data
    const fields = { project: project?.id, name: 'k', allowed_models: ['sandbox/echo*'] }
    const { id } = (await ali.send('POST', '/keys', fields)).body as { id: number }
    expect((await find(`key=${id}`, ali)).data.map((row) => row.id)).toEqual([
      'sandbox/echo',
      'sandbox/echo-priced',
    ])
    expect((await sara.send('GET', `/catalogue?key=${id}`)).status).toBe(404)
    expect((await stranger.send('GET', `/catalogue?key=${id}`)).status).toBe(401)
  })

  test('are told one by one, with all prices and rates; an unknown one is refused', async () => {
    const { body } = await stranger.send('GET', '/catalogue/model?id=sandbox%2Fdraw-priced')
    expect(body as object).toMatchObject({
      id: 'sandbox/draw-priced',
      choices: { sizes: ['256x256', '512x512', '1024x1024'] },
      prices: [{ meter: 'image:low', unit: 'each', usd: '0.01' }],
      from: true,
      next: null,
      rates: { base: { 'image:low': '10000000000000' } },
    })
    const { status, body: refused } = await stranger.send('GET', '/catalogue/model?id=none')
    expect([status, refused as object]).toEqual([404, { error: { code: 'model_not_found' } }])
  })

  test('are compressed for browsers, and plain for whoever takes nothing else', async () => {
    const { origin } = new URL(gateway.url)
    const lengths = await Promise.all(
      ['gzip, br', 'identity'].map(async (encoding) => {
        const answer = await fetch(`${origin}/app/api/catalogue?max=30`, {
          headers: { 'accept-encoding': encoding },
          decompress: false,
        })
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : 'gzip')
        return (await answer.bytes()).length
      }),
    )
    const [small = 0, plain = 0] = lengths
    expect(small).toBeLessThan(plain / 4)
    const refused = await fetch(`${origin}/app/api/catalogue/model?id=none`)
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { error: { code: 'model_not_found' } },
    ])
  })
})

describe('a list of models', () => {
  const generated = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z0-9. ]{1,4})?$/),
      input: fc.integer({ min: 1, max: 4 }),
    }),
    { selector: ({ id }) => id, maxLength: 40 },
  )

  test('comes in parts that have each model once, in any order', () => {
    fc.assert(
      fc.property(
        generated,
        fc.constantFrom('id', 'cheapest', 'dearest'),
        fc.integer({ min: 1, max: 7 }),
        (rows, order, max) => {
          const models = rows.map(({ id, input }) => sold(id, textLines(String(input), '1')))
          const search = openModelSearch(() => models)
          const ids: string[] = []
          let after: string | null = null
          do {
            const part = search.find({ ...all, order, max, after })
            expect(part.total).toBe(models.length)
            ids.push(...part.data.map(({ id }) => id))
            after = part.next
          } while (after !== null)
          expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
          const byId = new Map(models.map((model) => [model.id, usualPrice(model) as number]))
          const prices = ids.map((id) => byId.get(id) ?? 0)
          const sign = order === 'dearest' ? -1 : 1
          if (order !== 'id') expect(prices).toEqual(prices.toSorted((a, b) => sign * (a - b)))
        },
      ),
    )
  })

  test('of 3,000 models is a few kilobytes a part', () => {
    const models = Array.from({ length: 3000 }, (_, at) =>
      sold(`vendor-${at % 60}/model-with-a-long-name-${at}`, textLines('0.15', '0.6'), {
        description: 'A description that lists leave out. '.repeat(20),
      }),
    )
    const part = openModelSearch(() => models).find(all)
    expect(part.data.length).toBe(40)
    expect(JSON.stringify(part).length).toBeLessThan(20_000)
  })

  test('goes on behind a model that is not on sale any more', () => {
    const models = ['a', 'b', 'c', 'd'].map((id) => sold(id, textLines('1', '1')))
    const { next } = openModelSearch(() => models).find({ ...all, max: 2 })
    const fewer = models.filter(({ id }) => id !== 'b')
    const rest = openModelSearch(() => fewer).find({ ...all, after: next })
    expect(rest.data.map(({ id }) => id)).toEqual(['c', 'd'])
  })
})

describe('a model', () => {
  const lead = (lines: readonly PriceLine[], type: ModelType = 'chat') =>
    modelRow(sold('m', lines, { type })).prices.map(({ meter, usd }) => `${meter} ${usd}`)

  test('is shown with the prices that make most of a bill', () => {
    expect(
      lead([{ meter: 'cached_input', unit: 'million', price: '0.1' }, ...textLines('1', '2')]),
    ).toEqual(['input 1', 'output 2'])
    expect(
      lead(
        [
          ...textLines('1', '2'),
          { meter: 'image:high', unit: 'each', price: '0.2' },
          { meter: 'image:low', unit: 'each', price: '0.01' },
          { meter: 'image:partial', unit: 'each', price: '0.001' },
        ],
        'image',
      ),
    ).toEqual(['image:low 0.01', 'input 1'])
    expect(lead([{ meter: 'audio_second', unit: 'minute', price: '6e-3' }], 'audio_stt')).toEqual([
      'audio_second 0.006',
    ])
  })

  test('tells prices that were approved for later', () => {
    const next = card(textLines('2', '2'), 1_800_000_000_000)
    const model = sold('m', textLines('1', '2'), { next })
    expect(modelRow(model).changes_at).toBe(1_800_000_000_000 as never)
    expect(modelPage(model).next).toEqual({
      from: 1_800_000_000_000,
      prices: [
        { meter: 'input', unit: 'million', usd: '2', above: null },
        { meter: 'output', unit: 'million', usd: '2', above: null },
      ],
    })
  })
})
