import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import OpenAI from 'openai'
import type { PriceLine } from '../../src/domain/model'
import { fieldsOf } from '../../src/gateway/json/fields'
import type { Storage } from '../../src/business/data/storage'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { addTypedVendor } from '../support/typed-vendor'

const picture = Buffer.from('no real picture').toString('base64')

function painter(id: string, dialect: 'openai' | 'generic', lines: readonly PriceLine[]) {
  return async (storage: Storage, url: string): Promise<void> => {
    await addTypedVendor(storage, {
      name: dialect,
      dialect,
      url,
      model: {
        id,
        type: 'image',
        vendorModel: 'paint-1',
        lines,
        capabilities: { sizes: ['1024x1024', '1024x1536'], formats: ['png', 'webp'] },
      },
    })
  }
}

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      await painter('by-token', 'openai', [
        { meter: 'input', unit: 'million', price: '5' },
        { meter: 'output_image', unit: 'million', price: '40' },
      ])(storage, vendor.url)
      await painter('by-picture', 'generic', [
        { meter: 'image:high 1024x1024', unit: 'each', price: '0.2' },
        { meter: 'image:low', unit: 'each', price: '0.01' },
      ])(storage, vendor.url)
      await addTypedVendor(storage, {
        name: 'google',
        kind: 'google',
        url: vendor.url,
        model: {
          id: 'one-size',
          type: 'image',
          vendorModel: 'paint-2',
          lines: [
            { meter: 'input', unit: 'million', price: '2' },
            { meter: 'output', unit: 'million', price: '12' },
            { meter: 'output_image', unit: 'million', price: '120' },
          ],
          traits: { pictureTokens: 3000 },
        },
      })
    },
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const paints = (count: number, rest: object = {}) =>
  vendor.play(() =>
    Response.json({
      created: 1,
      data: Array.from({ length: count }, () => ({ b64_json: picture, revised_prompt: 'better' })),
      ...rest,
    }),
  )
const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${chapar.url}/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify({ model: 'by-token', prompt: 'an apple', ...body }),
  })

test('the official client gets pictures, charged by the tokens that the vendor counted', async () => {
  paints(1, {
    usage: {
      input_tokens: 10,
      input_tokens_details: { text_tokens: 10, image_tokens: 0 },
      output_tokens: 1000,
      total_tokens: 1010,
    },
  })
  const { data, response } = await client.images
    .generate({
      model: 'by-token',
      prompt: 'an apple',
      size: '1024x1024',
      response_format: 'b64_json',
      user: 'me',
      output_compression: 50,
    })
    .withResponse()
  expect(data.data?.[0]?.b64_json).toBe(picture)
  expect(data.data?.[0]?.revised_prompt).toBe('better')
  expect(response.headers.get('x-cost-usd')).toBe('0.040050')
  const { body } = vendor.seen.at(-1) ?? {}
  expect(body).toMatchObject({ model: 'paint-1', size: '1024x1024', output_compression: 50 })
  expect(body).not.toHaveProperty('response_format')
  expect(fieldsOf(body)['user']).not.toBe('me')
  expect((await chapar.audit()).differences).toEqual([])
})

test('a price by size and quality is that of each picture that came', async () => {
  paints(2)
  const answer = await send({ model: 'by-picture', size: '1024x1024', quality: 'high', n: 2 })
  expect(answer.headers.get('x-cost-usd')).toBe('0.400000')
  expect(vendor.seen.at(-1)?.body).toMatchObject({ response_format: 'b64_json', n: 2 })
  paints(1)
  const cheap = await send({ model: 'by-picture', size: '1024x1536', quality: 'low' })
  expect(cheap.headers.get('x-cost-usd')).toBe('0.010000')
})

test('what has no price is refused before the vendor: a price is never guessed', async () => {
  const count = vendor.seen.length
  const refusals = [
    [{ size: '1024x1536', quality: 'high' }, 'invalid_size', 'size', '1024x1024.'],
    [{ quality: 'medium' }, null, 'quality', 'low | high.'],
    [{}, null, 'quality', 'low | high.'],
  ] as const
  for (const [wanted, code, param, told] of refusals) {
    const answer = await send({ model: 'by-picture', ...wanted }, { 'accept-language': 'en' })
    expect(answer.status).toBe(400)
    const { error } = fieldsOf(await answer.json())
    expect(error).toMatchObject({ code, param })
    expect(String(fieldsOf(error)['message'])).toEndWith(` ${told}`)
  }
  expect(vendor.seen.length).toBe(count)
})

test('tokens are held for by size and quality, before anything is known', async () => {
  const held = async (wanted: object) => {
    const answer = await send(wanted, { 'x-dry-run': '1' })
    const { estimate } = fieldsOf(await answer.json())
    return fieldsOf(fieldsOf(fieldsOf(estimate)['high'])['units'])['output_image']
  }
  expect(await held({ size: '1024x1024', quality: 'low' })).toBe(272)
  expect(await held({ size: '1024x1536', quality: 'medium', n: 3 })).toBe(3 * 1584)
  expect(await held({})).toBe(6240)
})

test('where a vendor asks no quality, none lowers what is held', async () => {
  const answer = await send({ model: 'one-size', quality: 'low', n: 4 }, { 'x-dry-run': '1' })
  const { high } = fieldsOf(fieldsOf(await answer.json())['estimate'])
  expect(fieldsOf(fieldsOf(high)['units'])['output_image']).toBe(4 * 3000)
})

test('a prompt that is read for each picture is held for as often', async () => {
  const input = async (n: number) => {
    const prompt = 'an apple '.repeat(500)
    const answer = await send({ prompt, n, quality: 'low' }, { 'x-dry-run': '1' })
    const { high } = fieldsOf(fieldsOf(await answer.json())['estimate'])
    return Number(fieldsOf(fieldsOf(high)['units'])['input'])
  }
  expect(await input(1)).toBeGreaterThan(500)
  expect(await input(10)).toBe(10 * (await input(1)))
})

test('words beside a picture cost as it does where they have no price of their own', async () => {
  paints(1, {
    usage: {
      input_tokens: 10,
      output_tokens: 1000,
      output_tokens_details: { text_tokens: 20, image_tokens: 980 },
    },
  })
  const answer = await send({})
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-cost-usd')).toBe('0.040050')
})

test('a vendor that counts nothing is charged as it was held for', async () => {
  paints(1)
  const answer = await send({ size: '1024x1024', quality: 'low' })
  expect(Number(answer.headers.get('x-cost-usd'))).toBeCloseTo((272 * 40) / 1e6, 4)
})

test('a picture that cannot be fetched is a failure of the vendor, and costs nothing', async () => {
  const before = (await chapar.rest()).balance
  vendor.play(() => Response.json({ data: [{ url: 'https://127.0.0.1/picture.png' }] }))
  const answer = await send({})
  expect(answer.status).toBe(502)
  expect((await chapar.rest()).balance).toBe(before)
})

test('no more pictures are fetched than were asked for', async () => {
  const { parts } = chapar.gateway
  const fetched = spyOn(parts, 'fetchPicture').mockResolvedValue({
    mediaType: 'image/png',
    data: picture,
    bytes: 15,
  })
  const url = 'https://pictures.example/1.png'
  vendor.play(() => Response.json({ data: Array.from({ length: 100 }, () => ({ url })) }))
  const answer = await send({ n: 2, quality: 'low', size: '1024x1024' })
  expect(fieldsOf(await answer.json())['data']).toEqual([
    { b64_json: picture },
    { b64_json: picture },
  ])
  expect(fetched).toHaveBeenCalledTimes(2)
  fetched.mockRestore()
})

test('the sandbox draws real PNG files in the size that was asked for', async () => {
  const reply = await client.images.generate({
    model: 'sandbox/draw-priced',
    prompt: 'an apple',
    size: '512x512',
    quality: 'high',
    n: 2,
  })
  const [one, other] = (reply.data ?? []).map(({ b64_json: data }) =>
    Buffer.from(String(data), 'base64'),
  )
  if (one === undefined || other === undefined) throw new Error('two were asked for')
  expect(one.equals(other)).toBe(false)
  expect(one.subarray(1, 4).toString()).toBe('PNG')
  expect([one.readUInt32BE(16), one.readUInt32BE(20)]).toEqual([512, 512])
  const length = one.readUInt32BE(33)
  expect(one.subarray(37, 41).toString()).toBe('IDAT')
  expect(inflateSync(one.subarray(41, 41 + length))).toHaveLength(512 * (1 + 512 * 3))
  expect(Bun.hash.crc32(one.subarray(37, 41 + length))).toBe(one.readUInt32BE(41 + length))
})

test.each([
  [{ prompt: '' }, 'missing_prompt', 'prompt'],
  [{ prompt: 5 }, null, 'prompt'],
  [{ n: 11 }, null, 'n'],
  [{ quality: 'best' }, null, 'quality'],
  [{ size: '10x' }, 'invalid_size', 'size'],
  [{ size: '512x512' }, 'invalid_size', 'size'],
  [{ output_format: 'jpeg' }, null, 'output_format'],
  [{ background: 'transparent', output_format: 'jpeg' }, null, 'output_format'],
])('%j is refused with %s', async (wrong, code, param) => {
  const answer = await send(wrong)
  expect(answer.status).toBe(400)
  expect(fieldsOf(await answer.json())).toMatchObject({ error: { code, param } })
})

test('what would buy another picture than the one that is charged does not pass', async () => {
  const more = { width: 4096, height: 4096, resolution: '2k', aspect_ratio: '21:9', steps: 50 }
  const kept = { seed: 7, negative_prompt: 'pears', quality: 'low' }
  paints(1)
  const answer = await send({ model: 'by-picture', ...more, ...kept })
  expect(answer.headers.get('x-cost-usd')).toBe('0.010000')
  const { body } = vendor.seen.at(-1) ?? {}
  expect(Object.keys(fieldsOf(body)).toSorted()).toEqual(
    ['model', 'negative_prompt', 'prompt', 'quality', 'response_format', 'seed'].toSorted(),
  )
  expect(body).toMatchObject(kept)
  // Where its tokens are counted, whatever a vendor knows is paid.
  paints(1, { usage: { input_tokens: 10, output_tokens: 1000, total_tokens: 1010 } })
  await (await send({ ...more, ...kept })).text()
  expect(vendor.seen.at(-1)?.body).toMatchObject(more)
})
