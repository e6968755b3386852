import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { PriceLine } from '../../src/domain/model'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { pictureShape } from '../../src/gateway/vendors/picture-shape'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { addTypedVendor } from '../support/typed-vendor'

const picture = Buffer.from('no real picture').toString('base64')
const perPicture: readonly PriceLine[] = [{ meter: 'image', unit: 'each', price: '0.04' }]
const perToken: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '0.3' },
  { meter: 'output', unit: 'million', price: '2.5' },
  { meter: 'output_image', unit: 'million', price: '30' },
]
const vendors = { google: perToken, xai: perPicture, together: perPicture } as const
type Name = keyof typeof vendors | 'sized' | 'plain' | 'apart'

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const [name, lines] of Object.entries(vendors)) {
        await addTypedVendor(storage, {
          name,
          ...(name === 'google' ? { kind: name } : { dialect: name }),
          url: vendor.url,
          model: { id: `${name}-paint`, type: 'image', vendorModel: 'paint-1', lines },
        })
      }
      await addTypedVendor(storage, {
        name: 'sized',
        dialect: 'xai',
        url: vendor.url,
        model: {
          id: 'sized-paint',
          type: 'image',
          vendorModel: 'paint-1',
          lines: perPicture,
          capabilities: { sizes: ['1792x1024'] },
        },
      })
      await addTypedVendor(storage, {
        name: 'apart',
        url: vendor.url,
        model: { id: 'apart-paint', type: 'image', vendorModel: 'paint-1', lines: perPicture },
      })
      const look = (meter: string, price: string) =>
        ({ meter: `image:${meter}`, unit: 'each', price }) as PriceLine
      const lines = [look('low 1024x1024', '0.01'), look('high 1024x1024', '0.03')]
      await storage.prices.change(() => ({
        costs: [{ vendor: 'apart', vendorModel: 'paint-1', source: 'typed by me', lines }],
      }))
      await addTypedVendor(storage, {
        name: 'plain',
        kind: 'google',
        url: vendor.url,
        model: { id: 'plain-paint', type: 'image', vendorModel: 'paint-1', lines: perPicture },
      })
    },
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const draw = (name: Name, rest: object = {}) =>
  client.images.generate({ model: `${name}-paint`, prompt: 'an apple', ...rest }).withResponse()
const refusal = async (name: Name, rest: object) => {
  const response = await fetch(`${chapar.url}/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ model: `${name}-paint`, prompt: 'an apple', ...rest }),
  })
  return { status: response.status, error: fieldsOf(fieldsOf(await response.json())['error']) }
}

describe('Google', () => {
  /** As recorded, the picture shortened: a draft inside a thought, words, then the picture. */
  const recorded = {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { inlineData: { mimeType: 'image/jpeg', data: 'ZHJhZnQ=' }, thought: true },
            { text: 'Here is an apple.' },
            { inlineData: { mimeType: 'image/png', data: picture }, thoughtSignature: 'Zm9v' },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 4,
      candidatesTokenCount: 1300,
      totalTokenCount: 1304,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
    },
    modelVersion: 'gemini-2.5-flash-image',
    responseId: 'abc',
  }

  test('makes each picture in a request of its own, charged by the tokens of all', async () => {
    vendor.play(() => Response.json(recorded))
    const count = vendor.seen.length
    const { data, response } = await draw('google', { n: 3, size: '1536x1024' })
    expect(data.data).toEqual([{ b64_json: picture }, { b64_json: picture }, { b64_json: picture }])
    const asked = vendor.seen.slice(count)
    expect(asked).toHaveLength(3)
    expect(asked[0]?.path).toEndWith('/models/paint-1:generateContent')
    expect(asked[0]?.body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'an apple' }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    })
    // Three times 4 in, 10 words and 1290 of a picture out.
    const cost = 3 * (4 * 0.3 + 10 * 2.5 + 1290 * 30) * 1e-6
    expect(Number(response.headers.get('x-cost-usd'))).toBeCloseTo(cost, 6)
    expect((await chapar.audit()).differences).toEqual([])
  })

  test('is asked for no shape where the client leaves it open, and for a scale where it is large', async () => {
    vendor.play(() => Response.json(recorded))
    const configOf = async (size: string | null) => {
      await draw('google', size === null ? {} : { size })
      return fieldsOf(vendor.seen.at(-1)?.body['generationConfig'])['imageConfig']
    }
    expect(await configOf(null)).toBeUndefined()
    expect(await configOf('auto')).toBeUndefined()
    expect(await configOf('3840x2160')).toEqual({ aspectRatio: '16:9', imageSize: '4K' })
  })

  test.each([
    [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'PROHIBITED_CONTENT'],
    [{ candidates: [{ finishReason: 'IMAGE_SAFETY', content: {} }] }, 'IMAGE_SAFETY'],
    [
      {
        candidates: [
          { finishReason: 'STOP', content: { parts: [{ text: 'I would rather not.' }] } },
        ],
      },
      'I would rather not.',
    ],
  ])('that makes no picture costs nothing, and its reason is told: %j', async (reply, reason) => {
    vendor.play(() => Response.json(reply))
    const before = (await chapar.rest()).balance
    const { status, error } = await refusal('google', {})
    expect([status, error['code']]).toEqual([400, 'upstream_rejected'])
    expect(String(error['message'])).toContain(reason)
    expect((await chapar.rest()).balance).toBe(before)
  })

  test.each([[{ output_format: 'webp' }], [{ background: 'transparent' }]])(
    'is not asked for what it would leave out: %j',
    async (wanted) => {
      const count = vendor.seen.length
      const { status, error } = await refusal('google', wanted)
      expect([status, error['param']]).toEqual([400, Object.keys(wanted)[0]])
      expect(vendor.seen.length).toBe(count)
    },
  )
})

describe('xAI', () => {
  test('is asked for a shape in its own words, and for data', async () => {
    vendor.play(() =>
      Response.json({
        data: [{ b64_json: picture, mime_type: 'image/jpeg', revised_prompt: '' }],
        usage: { cost_in_usd_ticks: 200_000_000 },
      }),
    )
    const { data, response } = await draw('sized', { size: '1792x1024', quality: 'low' })
    expect(data.data?.[0]?.b64_json).toBe(picture)
    expect(response.headers.get('x-cost-usd')).toBe('0.040000')
    expect(vendor.seen.at(-1)?.body).toEqual({
      model: 'paint-1',
      prompt: 'an apple',
      quality: 'low',
      aspect_ratio: '16:9',
      resolution: '2k',
      response_format: 'b64_json',
      ...('user' in (vendor.seen.at(-1)?.body ?? {}) ? { user: expect.any(String) as string } : {}),
    })
  })

  test('makes no other file than it makes', async () => {
    const { status, error } = await refusal('xai', { output_format: 'png' })
    expect([status, error['param']]).toEqual([400, 'output_format'])
  })
})

describe('Together', () => {
  test('is asked for pixels, and for four pictures at most at once', async () => {
    vendor.play(({ body }) =>
      Response.json({
        id: 'o6k',
        model: 'paint-1',
        object: 'list',
        data: Array.from({ length: Number(body['n'] ?? 1) }, (_, index) => ({
          index,
          type: null,
          b64_json: picture,
        })),
      }),
    )
    const count = vendor.seen.length
    const { data, response } = await draw('together', { n: 6, size: '1024x768', quality: 'high' })
    expect(data.data).toHaveLength(6)
    const asked = vendor.seen.slice(count).map(({ body }) => body)
    expect(new Set(asked.map(({ n }) => n))).toEqual(new Set([2, 4]))
    expect(asked[0]).toMatchObject({ width: 1024, height: 768, response_format: 'base64' })
    for (const each of asked) {
      expect(each).not.toHaveProperty('size')
      expect(each).not.toHaveProperty('quality')
    }
    expect(response.headers.get('x-cost-usd')).toBe('0.240000')
    expect((await chapar.audit()).differences).toEqual([])
  })

  test('gives more than was asked for at its own cost', async () => {
    vendor.play(() =>
      Response.json({
        data: [{ b64_json: picture }, { b64_json: picture }, { b64_json: picture }],
      }),
    )
    const { data, response } = await draw('together')
    expect(listOf(data.data)).toHaveLength(3)
    expect(response.headers.get('x-cost-usd')).toBe('0.040000')
  })
})

test.each([
  ['xai', '1792x1024'],
  ['together', '2048x2048'],
  ['plain', '4096x4096'],
] as const)(
  'one price for all pictures sells no size that %s bills above it',
  async (name, size) => {
    const asked = vendor.seen.length
    const { status, error } = await refusal(name, { size })
    expect([status, error['code'], error['param']]).toEqual([400, 'invalid_size', 'size'])
    expect(vendor.seen).toHaveLength(asked)
  },
)

test('one price for all pictures sells none whose cost nobody knows, where the vendor bills them apart', async () => {
  for (const [rest, param] of [
    [{ size: '1536x1024' }, 'size'],
    [{ quality: 'medium' }, 'quality'],
  ] as const) {
    const { status, error } = await refusal('apart', rest)
    expect([status, error['param']]).toEqual([400, param])
  }
  vendor.play(() => Response.json({ created: 1, data: [{ b64_json: picture }] }))
  for (const rest of [{}, { size: 'auto' }, { size: '1024x1024', quality: 'high' }]) {
    const { response } = await draw('apart', rest)
    expect(response.headers.get('x-cost-usd')).toBe('0.040000')
  }
})

test('the shape nearest to a size is as near from above as from below', () => {
  const ratios = ['1:1', '16:9', '9:16']
  expect(pictureShape('1000x999', ratios)).toEqual({ ratio: '1:1', scale: '1K' })
  expect(pictureShape('1024x1792', ratios)).toEqual({ ratio: '9:16', scale: '2K' })
  expect(pictureShape('1792x1024', ratios)).toEqual({ ratio: '16:9', scale: '2K' })
  expect(pictureShape('4096x4096', ratios)).toEqual({ ratio: '1:1', scale: '4K' })
  expect(pictureShape('auto', ratios)).toBeNull()
})
