import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Storage } from '../../src/business/data/storage'
import { addHubVendor } from '../support/hub-vendor'
import { seeded } from '../ledger/leased/weather'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { hostile, placesIn, withAt, type Json } from '../support/mutations'
import { openStandIn, type StandIn } from '../support/stand-in'
import { modelsAt, textModels, validBodies } from './valid-bodies'

const counted = validBodies.flatMap(({ path, body }) =>
  path === '/messages' ? [{ path: '/messages/count_tokens', body }] : [],
)
/** A model of which nobody knows how much it puts out at most. */
async function saveUnbounded(storage: Storage): Promise<void> {
  const plain = (await storage.catalogue.models()).find(({ id }) => id === 'plain')
  if (plain === undefined) throw new Error('not there')
  const { card, created: _, ...entry } = plain
  await storage.catalogue.saveModel(
    { ...entry, id: 'unbounded', maxOutputTokens: null },
    card?.lines ?? [],
  )
}

/** Of about 40,000 that there are. */
const maxBodies = 1200

describe('a body with anything in any place', () => {
  let vendor: StandIn
  let chapar: TestGateway
  beforeAll(async () => {
    vendor = openStandIn(() => Response.json({ error: { message: 'no' } }, { status: 400 }))
    const vendors = (['anthropic', 'google', 'openai'] as const).map((kind) =>
      addHubVendor({
        kind,
        url: vendor.url,
        models: { [{ anthropic: 'claude', google: 'gemini', openai: 'plain' }[kind]]: {} },
        tools: { web_search: '0.01' },
      }),
    )
    const prepare = async (storage: Storage) => {
      for (const add of vendors) await add(storage)
      await saveUnbounded(storage)
    }
    chapar = await openTestGateway({ prepare, usd: '1000' })
  })
  afterAll(async () => {
    await chapar.close()
    await vendor.close()
  })

  const send = (path: string, body: Json) =>
    fetch(chapar.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const refusalOf = async (answer: Response) => {
    const { error } = (await answer.json()) as {
      readonly error: { readonly code: string | null; readonly param: string | null }
    }
    return { status: answer.status, code: error.code, param: error.param }
  }

  test('is never a fault of ours', async () => {
    const all = [...validBodies, ...counted].flatMap(({ path, body }) =>
      (modelsAt[path] ?? textModels).flatMap((model) => {
        const whole = { model, stream: false, ...body }
        return placesIn(whole).map((place) => ({ path, whole, place }))
      }),
    )
    const random = seeded(7)
    const picked = <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(random() * items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    }
    const bodies = Array.from({ length: maxBodies }, () => ({
      ...picked(all),
      put: picked(hostile),
    })).values()
    const faults: string[] = []
    let answered = 0
    const sendAll = async () => {
      for (const { path, whole, place, put } of bodies) {
        const answer = await send(path, withAt(whole, place, put))
        await answer.arrayBuffer()
        answered++
        if (answer.status < 500) continue
        faults.push(
          `${answer.status} ${path} ${whole.model} ${place.join('.')} ${JSON.stringify(put)}`,
        )
      }
    }
    await Promise.all(Array.from({ length: 8 }, sendAll))
    expect(faults).toEqual([])
    expect(answered).toBe(maxBodies)
  })

  const prompt = { messages: [{ role: 'user', content: 'a' }] }
  test.each([
    ['/chat/completions', prompt, 'max_tokens'],
    ['/chat/completions', prompt, 'max_completion_tokens'],
    ['/chat/completions', { ...prompt, n: 4 }, 'max_tokens'],
    ['/messages', prompt, 'max_tokens'],
    ['/responses', { input: 'a' }, 'max_output_tokens'],
    ['/completions', { prompt: 'a' }, 'max_tokens'],
  ] as const)(
    '%s %j: a ceiling of %s that no money pays for is told as such',
    async (path, body, name) => {
      const model = 'unbounded'
      const dear = await send(path, { model, ...body, [name]: Number.MAX_SAFE_INTEGER })
      expect(await refusalOf(dear)).toEqual({
        status: 402,
        code: 'insufficient_credit',
        param: null,
      })
      const more = await send(path, { model, ...body, [name]: 1e300 })
      expect(await refusalOf(more)).toEqual({ status: 400, code: null, param: name })
      const free = { model: 'sandbox/echo', ...body, [name]: Number.MAX_SAFE_INTEGER }
      expect((await send(path, free)).status).toBe(200)
    },
  )

  const called = { call_id: 'c', name: { toString: 1 }, arguments: '{}' }
  test.each([
    [[{ type: 'function_call', ...called }], 'input[0].name'],
    [[{ type: 'custom_tool_call', ...called }], 'input[0].name'],
    [
      [{ type: 'custom_tool_call_output', call_id: { toString: 1 }, output: '' }],
      'input[0].call_id',
    ],
    [[{ type: 'tool_search_call', call_id: { toString: 1 } }], 'input[0].call_id'],
    [[{ type: 'tool_search_output', tools: [called] }], 'input[0].tools[0].name'],
  ] as const)('an item %j is refused at %s', async (input, param) => {
    const answer = await send('/responses', { model: 'sandbox/echo', input })
    expect(await refusalOf(answer)).toEqual({ status: 400, code: 'invalid_message', param })
  })
})
