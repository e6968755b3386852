import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { chunk, openStandIn, streamReply, usageChunk, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  const { url } = vendor
  chapar = await openTestGateway({
    async prepare(storage) {
      await addHubVendor({
        kind: 'openai',
        url,
        models: { gpt: {}, kept: { drop: ['max_tokens'] }, answering: { chat: 'responses' } },
      })(storage)
      const plain = { kind: 'openai', dialect: 'generic', name: 'plain', url } as const
      await addHubVendor({ ...plain, models: { plain: {} } })(storage)
      await addHubVendor({ kind: 'anthropic', url, models: { claude: {} } })(storage)
      await addHubVendor({
        kind: 'google',
        url,
        models: { gemini: {}, deep: { thinkingOnTop: true } },
      })(storage)
      const unknown = (await storage.catalogue.models()).find(({ id }) => id === 'plain')
      if (unknown === undefined) throw new Error('not there')
      const { created: _, card, ...entry } = unknown
      const without = { ...entry, contextLength: null, maxOutputTokens: null }
      await storage.catalogue.saveModel({ ...without, id: 'unknown' }, card?.lines ?? [])
      const thinks = { ...without, id: 'thinker', traits: { reasoning: true } }
      await storage.catalogue.saveModel(thinks, card?.lines ?? [])
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const bodies = {
  '/chat/completions': (model: string) => ask(model),
  '/completions': (model: string) => ({ model, prompt: 'Hello there' }),
  '/messages': (model: string) => ask(model),
  '/responses': (model: string) => ({ model, input: 'Hello there' }),
} as const
type Path = keyof typeof bodies

async function send(path: Path, model: string, usd: string, rest: object = {}) {
  const customer = await chapar.customer({ usd })
  const response = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...bodies[path](model), ...rest }),
  })
  const text = await response.text()
  await chapar.rest()
  return { response, text, customer }
}

/** What a vendor was asked by a customer with so much money. */
async function askedFor(path: Path, model: string, usd: string, rest: object = {}) {
  vendor.play(() => Response.json({ error: { message: 'no' } }, { status: 400 }))
  await send(path, model, usd, rest)
  return vendor.seen.at(-1)?.body ?? {}
}

/** Fifteen cents pay ten thousand tokens, less those of the prompt. */
const paid = { least: 9900, most: 10_000 }

const ceilingIn = ({ generationConfig: config, ...body }: Fields): Fields =>
  Object.fromEntries(
    Object.entries({ ...body, ...fieldsOf(config) }).filter(([name]) => /^max/i.test(name)),
  )

describe('a vendor is asked for no more than the money of a metered call pays for', () => {
  test.each([
    ['/chat/completions', 'gpt', 'max_completion_tokens'],
    ['/chat/completions', 'plain', 'max_tokens'],
    ['/chat/completions', 'answering', 'max_output_tokens'],
    ['/chat/completions', 'claude', 'max_tokens'],
    ['/chat/completions', 'gemini', 'maxOutputTokens'],
    ['/chat/completions', 'deep', 'maxOutputTokens'],
    ['/completions', 'gpt', 'max_completion_tokens'],
    ['/messages', 'claude', 'max_tokens'],
    ['/messages', 'gpt', 'max_completion_tokens'],
    ['/messages', 'gemini', 'maxOutputTokens'],
    ['/responses', 'gpt', 'max_output_tokens'],
    ['/responses', 'claude', 'max_tokens'],
    ['/responses', 'plain', 'max_tokens'],
  ] as const)('%s of %s: %s', async (path, model, name) => {
    for (const stream of [false, true]) {
      const ceiling = ceilingIn(await askedFor(path, model, '0.15', { stream }))
      expect(Object.keys(ceiling)).toEqual([name])
      expect(ceiling[name]).toBeGreaterThan(paid.least)
      expect(ceiling[name]).toBeLessThanOrEqual(paid.most)
    }
  })

  test('shared by its choices', async () => {
    const { max_tokens: ceiling } = await askedFor('/chat/completions', 'plain', '0.15', { n: 2 })
    expect(ceiling).toBeGreaterThan(paid.least / 2)
    expect(ceiling).toBeLessThanOrEqual(paid.most / 2)
  })
})

describe('and otherwise as its client asked', () => {
  test('where there is money for all that it can cost', async () => {
    expect(ceilingIn(await askedFor('/chat/completions', 'gpt', '100'))).toEqual({})
    expect(ceilingIn(await askedFor('/responses', 'gpt', '100'))).toEqual({})
  })

  test('where the client named a ceiling, which is held for', async () => {
    const rest = { max_tokens: 5000 }
    const asked = await askedFor('/chat/completions', 'plain', '0.0761', rest)
    expect(asked['max_tokens']).toBe(5000)
  })

  test('where the model takes no ceiling', async () => {
    expect(ceilingIn(await askedFor('/chat/completions', 'kept', '0.15'))).toEqual({})
  })

  test('where nobody knows what it takes, and it shows all that it puts out', async () => {
    expect(ceilingIn(await askedFor('/chat/completions', 'unknown', '0.15'))).toEqual({})
    const thinker = ceilingIn(await askedFor('/chat/completions', 'thinker', '0.9'))
    expect(thinker).toEqual({ max_tokens: 32_768 })
  })
})

describe('thinking that a vendor tells of at the end alone', () => {
  const thinks = () =>
    vendor.play(({ body }) => {
      const ceiling = Number(body['max_completion_tokens'] ?? 64_000)
      return streamReply([
        chunk({ role: 'assistant', content: 'Hm' }),
        chunk({}, 'length'),
        usageChunk({
          prompt_tokens: 10,
          completion_tokens: ceiling,
          total_tokens: 10 + ceiling,
          completion_tokens_details: { reasoning_tokens: ceiling - 1 },
        }),
        'data: [DONE]\n\n',
      ])
    })

  test.each([false, true])('costs the operator nothing; streamed: %p', async (stream) => {
    thinks()
    const { response, customer } = await send('/chat/completions', 'gpt', '0.15', { stream })
    const id = response.headers.get('x-request-id') ?? ''
    const call = await chapar.storage.reports.call(id, null)
    expect(call).toMatchObject({ status: 'success', unpaid: null })
    expect(call?.outputTokens).toBeGreaterThan(paid.least)
    const left = (await chapar.storage.directory.findAccount(customer.account))?.balance ?? -1
    expect(left).toBeGreaterThanOrEqual(0)
    expect((await chapar.audit()).differences).toEqual([])
  })

  test('ends a whole answer by the money, and it says so', async () => {
    thinks()
    const { response, text } = await send('/chat/completions', 'gpt', '0.15')
    expect(response.headers.get('x-stopped-by')).toBe('insufficient_credit')
    expect(text).toContain('"finish_reason":"length"')
  })
})
