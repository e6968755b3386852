import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { messagesClient } from '../../matrix/messages-client'
import {
  inputUsage,
  messagesError,
  messagesStream,
  saysMessage,
  textBlock,
  thinkingBlock,
  toolBlock,
  wholeMessage,
} from '../../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { addHubVendor, hubPrices } from '../../support/hub-vendor'
import {
  hang,
  openStandIn,
  streamReply,
  type SeenRequest,
  type StandIn,
} from '../../support/stand-in'
import { paced } from '../../support/pace'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const models = {
        claude: { drop: ['top_k'] },
        searching: {},
        compacting: { betas: ['compact-'] },
      }
      await addHubVendor({ kind: 'anthropic', url: vendor.url, models })(storage)
      const searching = (await storage.catalogue.models()).find(({ id }) => id === 'searching')
      if (searching === undefined) throw new Error('not there')
      const { card: _, created: _created, ...entry } = searching
      await storage.catalogue.saveModel(entry, [
        ...Object.entries(hubPrices).map(([meter, price]) => ({
          meter: meter as keyof typeof hubPrices,
          unit: 'million' as const,
          price,
        })),
        { meter: 'tool:web_search', unit: 'each', price: '0.01' },
      ])
    },
  })
})
beforeEach(() => vendor.play(saysMessage()))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const send = (
  body: string | object,
  headers: Record<string, string> = {},
  path = '/messages',
): Promise<Response> =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { 'x-api-key': chapar.key, 'anthropic-version': '2023-06-01', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const hello = [{ role: 'user', content: 'Hello' }]
const asked = (rest: object = {}) => ({
  model: 'claude',
  max_tokens: 100,
  messages: hello,
  ...rest,
})

/** What the vendor was asked for. */
async function seen(
  body: string | object,
  headers: Record<string, string> = {},
  path = '/messages',
): Promise<SeenRequest> {
  const response = await send(body, headers, path)
  expect(response.status).toBe(200)
  await response.text()
  const last = vendor.seen.at(-1)
  if (last === undefined) throw new Error('nobody was asked')
  return last
}

describe('a request of the same format', () => {
  test('reaches the vendor to the letter, but for model and user', async () => {
    const rest =
      '"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2;"},{"type":"text","text":"سلام","cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
      '"max_tokens":100,"messages":[{"role":"user","content":[{"type":"text","text":"a\\u0301","cache_control":{"type":"ephemeral"}}]},' +
      '{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig=="},{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"toolu_1","name":"t","input":{"z":1,"a":{"k":[1.5]}}}]},' +
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}]}]},' +
      '{"role":"system","content":"It is late."}],' +
      '"tools":[{"name":"t","input_schema":{"type":"object"},"defer_loading":true},{"type":"bash_20250124","name":"bash"}],' +
      '"thinking":{"type":"adaptive","display":"omitted"},"context_management":{"edits":[{"type":"clear_thinking_20251015"}]},' +
      '"mcp_servers":[],"hologram":{"new":true}'
    const text = `{"model":"claude",${rest},"metadata":{"user_id":"device"}}`
    const { body, path } = await seen(text, {}, '/messages?beta=true')
    const { metadata, model, ...passed } = body
    expect(JSON.stringify(passed)).toBe(JSON.stringify(JSON.parse(`{${rest}}`)))
    expect(model).toBe('claude-vendor')
    expect(JSON.stringify(metadata)).not.toContain('device')
    expect((metadata as { user_id: string }).user_id.length).toBeGreaterThan(8)
    expect(path).toBe('/v1/messages')
  })

  test('buys no other price or model, and names nothing of the operator’s account', async () => {
    const { body } = await seen(
      asked({
        service_tier: 'auto',
        speed: 'fast',
        fallbacks: [{ model: 'dearer' }],
        top_k: 5,
        tools: [
          { name: 'mine', input_schema: { type: 'object' } },
          { type: 'web_search_20260318', name: 'web_search' },
        ],
        context_management: { edits: [{ type: 'clear_tool_uses' }] },
      }),
    )
    expect(Object.keys(body).sort()).toEqual(
      ['model', 'max_tokens', 'messages', 'tools', 'context_management', 'metadata'].sort(),
    )
    expect(body['tools']).toEqual([{ name: 'mine', input_schema: { type: 'object' } }])
    expect(body['context_management']).toEqual({ edits: [{ type: 'clear_tool_uses' }] })
  })

  test('without a tool that is sold it offers none', async () => {
    const tools = [{ type: 'web_search_20260318', name: 'web_search' }]
    const { body } = await seen(asked({ tools, tool_choice: { type: 'auto' } }))
    expect(body).not.toHaveProperty('tools')
    expect(body).not.toHaveProperty('tool_choice')
  })

  test('betas pass, but for those that cost extra unless the model allows them', async () => {
    const told =
      'claude-code-20250219, compact-2026-01-12,interleaved-thinking-2025-05-14,bad\tname'
    const betas = async (model: string) =>
      (await seen({ ...asked(), model }, { 'anthropic-beta': told })).headers.get('anthropic-beta')
    expect(await betas('claude')).toBe('claude-code-20250219,interleaved-thinking-2025-05-14')
    expect(await betas('compacting')).toBe(
      'claude-code-20250219,compact-2026-01-12,interleaved-thinking-2025-05-14',
    )
    const { headers } = await seen(asked())
    expect(headers.get('anthropic-beta')).toBeNull()
    expect(headers.get('anthropic-version')).toBe('2023-06-01')
    expect(headers.get('x-api-key')).toBe('sk-vendor-secret')
  })

  test('thinking that nobody signed stays here', async () => {
    const { body } = await seen(
      asked({
        messages: [
          ...hello,
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'only', signature: '' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'unsigned', signature: '' },
              { type: 'thinking', thinking: 'signed', signature: 'sig' },
              { type: 'text', text: 'Hm.' },
            ],
          },
          ...hello,
        ],
      }),
    )
    expect(body['messages']).toEqual([
      ...hello,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'signed', signature: 'sig' },
          { type: 'text', text: 'Hm.' },
        ],
      },
      ...hello,
    ])
  })

  test('without a ceiling gets that of the model', async () => {
    const { body } = await seen({ model: 'claude', messages: hello })
    expect(body['max_tokens']).toBe(64_000)
  })
})

describe('an answer of the same format', () => {
  test('keeps all that the vendor said, but for id and model', async () => {
    const reply = {
      id: 'msg_vendor',
      type: 'message',
      role: 'assistant',
      model: 'claude-vendor-20260101',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig==' },
        { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} },
        { type: 'hologram', whole: [1] },
      ],
      stop_reason: 'pause_turn',
      stop_sequence: null,
      container: { id: 'c' },
      usage: { ...inputUsage, output_tokens: 25, inference_geo: 'us' },
    }
    vendor.play(() => Response.json(reply))
    const response = await send(asked())
    expect(await response.json()).toEqual({
      ...reply,
      id: response.headers.get('request-id')?.replace('req_', 'msg_') ?? '',
      model: 'claude',
    })
    expect(response.headers.get('x-cost-usd')).toBe('0.000930')
  })

  test('is found by its own id', async () => {
    const { id } = (await (await send(asked())).json()) as { id: string }
    const found = await fetch(`${chapar.url}/requests/${id}`, {
      headers: { authorization: `Bearer ${chapar.key}` },
    })
    expect(await found.json()).toMatchObject({
      id: id.replace('msg_', 'req_'),
      endpoint: 'messages',
      status: 'success',
      usd: '0.000930',
      usage: { input_tokens: 1070, cached_tokens: 1000, output_tokens: 25 },
    })
  })

  test('searches are charged by their own price', async () => {
    const tools = [{ type: 'web_search_20260318', name: 'web_search' }]
    const usage = {
      input_tokens: 1000,
      output_tokens: 100,
      server_tool_use: { web_search_requests: 3 },
    }
    vendor.play(() => wholeMessage([{ type: 'text', text: 'found' }], 'end_turn', usage))
    const response = await send({ ...asked({ tools }), model: 'searching' })
    expect(vendor.seen.at(-1)?.body['tools']).toEqual(tools)
    expect(Number(response.headers.get('x-cost-usd'))).toBeCloseTo(0.03 + 0.003 + 0.0015, 9)
  })

  test('without usage it is counted by us, and tells so', async () => {
    vendor.play(() => wholeMessage([{ type: 'text', text: 'word '.repeat(50) }], 'end_turn', null))
    const { usage } = (await (await send(asked())).json()) as { usage: { output_tokens: number } }
    expect(usage.output_tokens).toBeGreaterThan(40)
    expect(usage.output_tokens).toBeLessThan(80)
  })

  test('a stream keeps signatures, and is charged by what it told at its end', async () => {
    const blocks = [
      ...thinkingBlock(0, 'I should look.', 'sig-1=='),
      ...textBlock(1, 'Let me', ' look.'),
      ...toolBlock(2, 'toolu_a', 'weather', '{"ci', 'ty":"تهران"}'),
    ]
    vendor.play(() => streamReply(messagesStream(blocks, 'tool_use'), { bytesAtATime: 11 }))
    const text = await (await send(asked({ stream: true }))).text()
    expect(text).toContain('"signature":"sig-1=="')
    expect(messagesClient.readStream(text)).toMatchObject({
      reasoning: 'I should look.',
      calls: [{ name: 'weather', arguments: { city: 'تهران' } }],
      costUsd: '0.000930',
    })
  })

  test('what the vendor says of a prompt that is too long reaches the client', async () => {
    const said = 'prompt is too long: 210000 tokens > 200000 maximum'
    vendor.play(messagesError(400, 'invalid_request_error', said))
    const response = await send(asked())
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { code: 'upstream_rejected', message: expect.stringContaining(said) as string },
    })
  })
})

describe('the vendor’s own counter', () => {
  const count = async (body: object) => {
    const response = await send(
      body,
      { 'anthropic-beta': 'advanced-tool-use-2025-11-20' },
      '/messages/count_tokens',
    )
    expect(response.status).toBe(200)
    return ((await response.json()) as { input_tokens: number }).input_tokens
  }
  const switched = async (value: 'on' | 'off') => {
    await chapar.storage.settings.set('vendor-count', value)
    await chapar.gateway.reloadSettings()
  }

  test('is asked where the operator wants it, and of nothing that is no prompt', async () => {
    vendor.play(() => Response.json({ input_tokens: 4711 }))
    const asks = vendor.seen.length
    expect(await count(asked({ stream: true, system: 'x' }))).not.toBe(4711)
    expect(vendor.seen.length).toBe(asks)
    await switched('on')
    try {
      expect(await count(asked({ stream: true, temperature: 1, system: 'x' }))).toBe(4711)
      const last = vendor.seen.at(-1)
      expect(last?.path).toBe('/v1/messages/count_tokens')
      expect(last?.body).toEqual({ model: 'claude-vendor', messages: hello, system: 'x' })
      expect(last?.headers.get('anthropic-beta')).toBe('advanced-tool-use-2025-11-20')
    } finally {
      await switched('off')
    }
  })

  test('is not needed: without its answer there is ours', async () => {
    await switched('on')
    try {
      for (const script of [
        messagesError(529, 'overloaded_error', 'Overloaded'),
        () => Response.json({ input_tokens: 'many' }),
        () => new Response('<html>'),
      ]) {
        vendor.play(script)
        expect(await count(asked())).toBeGreaterThan(3)
      }
      vendor.play(hang)
      const began = performance.now()
      expect(await count(asked())).toBeGreaterThan(3)
      // The vendor itself may take ten.
      expect(performance.now() - began).toBeLessThan(paced(9000))
    } finally {
      await switched('off')
    }
  })
})
