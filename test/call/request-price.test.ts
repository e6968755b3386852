import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpoints } from '../../src/gateway/catalogue/endpoints'
import type { EndpointName, PriceLine } from '../../src/domain/model'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { sandboxModels } from '../support/sandbox-models'
import { secondOfSilence } from '../support/silence'

/** A price for the request beside what each type is counted by. */
const counted: Readonly<Record<string, PriceLine>> = {
  chat: { meter: 'output', unit: 'million', price: '6' },
  embedding: { meter: 'input', unit: 'million', price: '1' },
  moderation: { meter: 'input', unit: 'million', price: '1' },
  image: { meter: 'image', unit: 'each', price: '0.1' },
  audio_stt: { meter: 'audio_second', unit: 'minute', price: '0.6' },
  audio_tts: { meter: 'character', unit: 'million', price: '15' },
  video: { meter: 'video_second', unit: 'each', price: '0.1' },
}
const fee: PriceLine = { meter: 'request', unit: 'each', price: '0.5' }
const input: PriceLine = { meter: 'input', unit: 'million', price: '1' }

/** A socket has no price of its own for the request. */
const { realtime: _, ...sandbox } = sandboxModels

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway({
    async prepare({ catalogue }) {
      for (const [name, vendorModel] of Object.entries(sandbox)) {
        const { type } = endpoints[name as EndpointName]
        const own = counted[type]
        await catalogue.saveModel(
          {
            id: name,
            type,
            name,
            ownedBy: 'sandbox',
            description: null,
            contextLength: 8000,
            maxOutputTokens: 100,
            capabilities: { streaming: true, voices: ['alloy'], translation: true },
            traits: {},
            isFree: false,
            status: 'active',
            routes: [{ vendor: 'sandbox', vendorModel, priority: 0, weight: 1 }],
          },
          [fee, ...(own === undefined ? [] : [own]), ...(type === 'chat' ? [input] : [])],
        )
      }
    },
  })
})
afterAll(() => chapar.close())

const said = { messages: [{ role: 'user', content: 'hello' }], max_tokens: 10 }
const bodies: Readonly<Record<string, object>> = {
  chat: said,
  messages: said,
  responses: { input: 'hello' },
  compact: { input: 'hello' },
  completions: { prompt: 'hello' },
  embeddings: { input: 'hello' },
  moderations: { input: 'hello' },
  images: { prompt: 'hello' },
  speech: { input: 'hello', voice: 'alloy' },
  music: { prompt: 'hello' },
  videos: { prompt: 'hello' },
}

function send(name: EndpointName, headers: Record<string, string>): Promise<Response> {
  const authorization = `Bearer ${chapar.key}`
  const body = bodies[name]
  const address = chapar.url + endpoints[name].path.replace('/v1', '')
  if (body !== undefined)
    return fetch(address, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: name, ...body }),
    })
  const form = new FormData()
  form.append('model', name)
  form.append('file', new Blob([secondOfSilence]), 'recording.wav')
  return fetch(address, { method: 'POST', headers: { authorization, ...headers }, body: form })
}

test.each(Object.keys(sandbox) as EndpointName[])(
  'a price per request is held and charged once on %s',
  async (name) => {
    const dry = (await (await send(name, { 'x-dry-run': '1' })).json()) as {
      readonly hold_usd: string
      readonly estimate: { readonly high: { readonly units: Record<string, number> } }
    }
    expect(dry.estimate.high.units['request']).toBe(1)
    expect(Number(dry.hold_usd)).toBeGreaterThanOrEqual(0.5)

    const answer = await send(name, {})
    expect(answer.status).toBe(200)
    const id = answer.headers.get('x-request-id') ?? ''
    await answer.arrayBuffer()
    await chapar.rest()
    const shown = await fetch(`${chapar.url}/requests/${id}`, {
      headers: { authorization: `Bearer ${chapar.key}` },
    })
    const { receipt, usd } = (await shown.json()) as {
      readonly usd: string
      readonly receipt: { readonly lines: readonly { meter: string; amount_usd: string }[] }
    }
    expect(receipt.lines.filter(({ meter }) => meter === 'request')).toMatchObject([
      { units: 1, amount_usd: '0.5' },
    ])
    // What else its card has a price for is paid beside it.
    expect(receipt.lines.length > 1).toBe(counted[endpoints[name].type] !== undefined)
    expect(Number(usd)).toBeGreaterThanOrEqual(0.5)
    const told = answer.headers.get('x-cost-usd')
    if (told !== null) expect(told).toBe(usd)
  },
)
