import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  messageEvent,
  messageStart,
  textBlock,
  wholeMessage,
} from '../../support/anthropic-stand-in'
import { addModel, addVendor, openTestGateway, type TestGateway } from '../../support/gateway'
import { addHubVendor } from '../../support/hub-vendor'
import { openStandIn, replies, streamReply, type StandIn } from '../../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    usd: '100',
    async prepare(storage) {
      const models = {
        claude: {},
        compacting: { betas: ['compact-'] },
        later: { betas: ['compact-2027'] },
      }
      await addHubVendor({ kind: 'anthropic', url: vendor.url, models })(storage)
      await addVendor(storage, 'standin', vendor.url)
      await addModel(storage, 'other', ['standin'])
    },
  })
})
beforeEach(() => vendor.play(() => wholeMessage([{ type: 'text', text: 'ok' }])))
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${chapar.url}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': chapar.key, 'anthropic-beta': 'compact-2026-01-12', ...headers },
    body: JSON.stringify({
      max_tokens: 2000,
      // No call can be charged for more tokens than its prompt has bytes.
      messages: [{ role: 'user', content: 'Hello '.repeat(5000) }],
      ...body,
    }),
  })
const compacts = {
  context_management: { edits: [{ type: 'clear_x' }, { type: 'compact_20260112' }] },
}

describe('compaction by the vendor', () => {
  test('is passed where the model allows its beta', async () => {
    expect((await send({ model: 'compacting', ...compacts })).status).toBe(200)
    const { body, headers } = vendor.seen.at(-1) ?? {}
    expect(body?.['context_management']).toEqual(compacts.context_management)
    expect(headers?.get('anthropic-beta')).toBe('compact-2026-01-12')
  })

  test.each(['claude', 'later'])('is refused by its place otherwise, with %s', async (model) => {
    const asks = vendor.seen.length
    const response = await send({ model, ...compacts })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { code: 'endpoint_not_supported', param: 'context_management.edits[1].type' },
    })
    expect(vendor.seen.length).toBe(asks)
  })

  const usage = {
    input_tokens: 23_000,
    output_tokens: 1000,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    iterations: [
      { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
      { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
    ],
  }
  const charged = (203_000 * 3 + 4500 * 15) / 1_000_000
  const summary = [
    messageEvent({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'compaction', content: null, encrypted_content: null },
    }),
    messageEvent({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'compaction_delta', content: 'So far.', encrypted_content: 'x' },
    }),
    messageEvent({ type: 'content_block_stop', index: 0 }),
  ]
  const streamed = () =>
    streamReply([
      messageStart(),
      ...summary,
      ...textBlock(1, 'ok'),
      messageEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
      messageEvent({ type: 'message_stop' }),
    ])

  test('is charged beside the answer', async () => {
    vendor.play(() => wholeMessage([{ type: 'text', text: 'ok' }], 'end_turn', usage))
    const before = Number((await chapar.rest()).balance)
    const response = await send({ model: 'compacting', ...compacts })
    expect(Number(response.headers.get('x-cost-usd'))).toBe(charged)
    expect(before - Number((await chapar.rest()).balance)).toBe(charged * 1e9)
  })

  test('is held for where the prompt is as long as its trigger', async () => {
    const held = async (value: number | null) => {
      const trigger = value === null ? {} : { trigger: { type: 'input_tokens', value } }
      const edits = [{ type: 'compact_20260112', ...trigger }]
      const body = { model: 'compacting', context_management: { edits } }
      const dry = await send(body, { 'x-dry-run': '1' })
      return Number(((await dry.json()) as { hold_usd: string }).hold_usd)
    }
    const plain = await held(null)
    expect(await held(100_000)).toBe(plain)
    // Five thousand words are read twice, and a summary is written.
    expect(await held(1000)).toBeGreaterThan(plain + (5000 * 3 + 8192 * 15) / 1_000_000)
  })

  test('is charged beside the answer, streamed, and reaches the client', async () => {
    vendor.play(streamed)
    const before = Number((await chapar.rest()).balance)
    const text = await (await send({ model: 'compacting', stream: true, ...compacts })).text()
    expect(text).toContain('"content":"So far."')
    expect(text).toContain(`"cost_usd":"${charged.toFixed(6)}"`)
    expect(before - Number((await chapar.rest()).balance)).toBe(charged * 1e9)
  })
})

describe('a block of compaction in the history', () => {
  const history = (block: object) => ({
    messages: [
      {
        role: 'assistant',
        content: [
          { type: 'compaction', ...block },
          { type: 'text', text: 'On.' },
        ],
      },
      { role: 'user', content: 'And?' },
    ],
  })

  test('goes to its vendor as it is', async () => {
    const { messages } = history({ content: 'So far.', encrypted_content: 'x', signature: 's' })
    expect((await send({ model: 'claude', messages })).status).toBe(200)
    expect(vendor.seen.at(-1)?.body['messages']).toEqual(messages)
  })

  test('goes to another as text, where it can be read', async () => {
    vendor.play(replies())
    expect((await send({ model: 'other', ...history({ content: 'So far.' }) })).status).toBe(200)
    expect(vendor.seen.at(-1)?.body['messages']).toEqual([
      { role: 'assistant', content: 'So far.\n\nOn.' },
      { role: 'user', content: 'And?' },
    ])
    expect((await send({ model: 'other', ...history({ content: null }) })).status).toBe(200)
    expect(vendor.seen.at(-1)?.body['messages']).toMatchObject([{ content: 'On.' }, {}])
    const sealed = await send({ model: 'other', ...history({ encrypted_content: 'x' }) })
    expect(sealed.status).toBe(400)
    expect(await sealed.json()).toMatchObject({ error: { param: 'messages[0].content[0].type' } })
  })
})
