import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addModel, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, type StandIn } from '../support/stand-in'

/*
 * Members that name what lies in an account at a vendor, which all customers share: a client that may name
 * one reads what another customer put there.
 */

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    usd: '10',
    vendorUrl: vendor.url,
    async prepare(storage) {
      await addHubVendor({ kind: 'openai', url: vendor.url, models: { gpt: {} } })(storage)
      await addHubVendor({ kind: 'anthropic', url: vendor.url, models: { claude: {} } })(storage)
      await addModel(storage, 'generic', ['standin'])
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const user = { role: 'user', content: 'Hello' }
const chat = (message: object) => ({ messages: [user, message] })
const messages = (...content: readonly object[]) => ({
  max_tokens: 9,
  messages: [{ role: 'user', content }],
})
const items = (...input: readonly object[]) => ({ input: [user, ...input] })
const inUser = (part: object) => items({ role: 'user', content: [part] })
const tool = (one: object) => ({ input: 'Hello', tools: [one] })
const fileSource = { type: 'file', file_id: 'file_1' }

/** Path, members beside the model, and the `param` of the refusal. */
const rows: readonly (readonly [string, object, string])[] = [
  [
    'chat/completions',
    chat({ role: 'assistant', audio: { id: 'audio_1' } }),
    'messages[1].audio.id',
  ],
  [
    'chat/completions',
    chat({ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }),
    'messages[1].content[0].file.file_id',
  ],
  ['messages', messages({ type: 'image', source: fileSource }), 'messages[0].content[0].source'],
  ['messages', messages({ type: 'document', source: fileSource }), 'messages[0].content[0].source'],
  [
    'messages',
    messages({
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'image', source: fileSource }],
    }),
    'messages[0].content[0].content[0].source',
  ],
  [
    'messages',
    messages({ type: 'container_upload', file_id: 'file_1' }),
    'messages[0].content[0].type',
  ],
  ['messages', { ...messages({ type: 'text', text: 'a' }), container: 'container_1' }, 'container'],
  ['messages', { ...messages({ type: 'text', text: 'a' }), thread: { id: 'thread_1' } }, 'thread'],
  ['responses', { input: 'Hello', conversation: 'conv_1' }, 'conversation'],
  ['responses', { input: 'Hello', prompt: { id: 'pmpt_1' } }, 'prompt'],
  ['responses', { input: 'Hello', background: true }, 'background'],
  ['responses', { input: 'Hello', previous_response_id: 'resp_1' }, 'previous_response_id'],
  ['responses', items({ type: 'item_reference', id: 'msg_1' }), 'input[1].type'],
  ['responses', inUser({ type: 'input_file', file_id: 'file-1' }), 'input[1].content[0].file_id'],
  ['responses', inUser({ type: 'input_image', file_id: 'file-1' }), 'input[1].content[0].file_id'],
  [
    'responses',
    items({
      type: 'function_call_output',
      call_id: 'a',
      output: [{ type: 'input_image', file_id: 'file-1' }],
    }),
    'input[1].output[0].file_id',
  ],
  [
    'responses',
    items({ type: 'computer_call_output', call_id: 'a', output: { file_id: 'file-1' } }),
    'input[1].output.file_id',
  ],
  [
    'responses',
    tool({ type: 'file_search', vector_store_ids: ['vs_1'] }),
    'tools[0].vector_store_ids',
  ],
  ['responses', tool({ type: 'code_interpreter', container: 'cntr_1' }), 'tools[0].container'],
  [
    'responses',
    tool({ type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-1'] } }),
    'tools[0].container',
  ],
  [
    'responses',
    tool({ type: 'shell', environment: { container_id: 'cntr_1' } }),
    'tools[0].environment',
  ],
  [
    'responses',
    tool({ type: 'shell', environment: { file_ids: ['file-1'] } }),
    'tools[0].environment',
  ],
  [
    'responses',
    tool({ type: 'shell', environment: { skills: [{ skill_id: 'skill_1' }] } }),
    'tools[0].environment',
  ],
  [
    'responses',
    tool({ type: 'image_generation', input_image_mask: { file_id: 'file-1' } }),
    'tools[0].input_image_mask',
  ],
  [
    'responses',
    items({
      type: 'tool_search_output',
      call_id: 'a',
      tools: [{ type: 'file_search', vector_store_ids: ['v'] }],
    }),
    'input[1].tools[0].vector_store_ids',
  ],
]

test.each(rows)('%s %j', async (path, body, param) => {
  for (const model of ['generic', 'gpt', 'claude']) {
    const answer = await fetch(`${chapar.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...body }),
    })
    const { error } = (await answer.json()) as { error?: { param: string } }
    // Of another's answer nothing is known, not even that it is there.
    const isEarlier = param === 'previous_response_id'
    expect([answer.status === 400 || (isEarlier && answer.status === 404), error?.param]).toEqual([
      true,
      param,
    ])
  }
  expect(vendor.seen).toEqual([])
})

test('an answer that was spoken goes back as text, and without an id as it is', async () => {
  for (const audio of [null, undefined, { id: null }]) {
    const body = { model: 'generic', ...chat({ role: 'assistant', content: 'Hi', audio }) }
    const answer = await chapar.post(body)
    expect(answer.status).toBe(200)
    await answer.text()
  }
})
