import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { saysMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendors, claudeVendor, plainVendor } from '../support/hub-vendor'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

/* Chat bodies as Mistral's client libraries write them. */

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  const mistral = {
    kind: 'openai',
    dialect: 'mistral',
    name: 'mistral',
    models: { mistral: {} },
  } as const
  const vendors = [claudeVendor, mistral, plainVendor] as const
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendors) })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})
beforeEach(() => vendor.play(() => wholeReply('ok')))

async function seen(model: string, body: object): Promise<Fields> {
  const answer = await chapar.post({ model, max_tokens: 99, ...body }, { 'accept-language': 'en' })
  if (answer.status !== 200) throw new Error(await answer.text())
  await answer.text()
  return fieldsOf(vendor.seen.at(-1)?.body)
}

const picture = 'https://pictures.example/a.png'
const paper = 'https://papers.example/a.pdf'
const tool = { function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] }
const asked = (...content: readonly object[]) => ({ role: 'user', content })
const text = (said: string) => ({ type: 'text', text: said })
const messages = [
  asked(text('What is it?'), { type: 'image_url', image_url: picture }),
  { role: 'assistant', content: [thinking, text('A cat.')] },
  asked(text('And this?'), { type: 'document_url', document_url: paper, document_name: 'a.pdf' }),
]
const body = { messages, tools: [tool] }

test('reach Mistral as it takes them', async () => {
  const shown = { type: 'image_url', image_url: { url: picture } }
  expect(await seen('mistral', body)).toMatchObject({
    messages: [asked(text('What is it?'), shown), messages[1], messages[2]],
    tools: [{ type: 'function', ...tool }],
  })
})

test('reach a vendor of the format with typed tools and pictures as objects', async () => {
  expect(await seen('plain', { messages: [messages[0]], tools: [tool] })).toMatchObject({
    messages: [asked(text('What is it?'), { type: 'image_url', image_url: { url: picture } })],
    tools: [{ type: 'function', ...tool }],
  })
})

test('are translated for a vendor of another format', async () => {
  vendor.play(saysMessage('ok'))
  const sent = await seen('claude', body)
  expect(listOf(sent['tools'])).toMatchObject([{ name: 'f' }])
  expect(listOf(sent['messages'])).toMatchObject([
    asked(text('What is it?'), { type: 'image', source: { type: 'url', url: picture } }),
    { role: 'assistant', content: [text('A cat.')] },
    asked(text('And this?'), { type: 'document', source: { type: 'url', url: paper } }),
  ])
})

describe('what is in no shape', () => {
  test.each([
    [{ tools: [{ name: 'f' }] }, 'tools[0].type'],
    [{ tools: [{ function: {} }] }, 'tools[0].function.name'],
    [
      { messages: [asked({ type: 'image_url', image_url: 'http://a.example/b' })] },
      'messages[0].content[0].image_url',
    ],
    [
      { messages: [asked({ type: 'document_url', document_url: 7 })] },
      'messages[0].content[0].document_url',
    ],
    [
      { messages: [asked({ type: 'document_url', document_url: 'https://10.0.0.1/a' })] },
      'messages[0].content[0].document_url',
    ],
  ])('%j is refused by its place', async (wrong, param) => {
    const whole = { model: 'claude', messages: [{ role: 'user', content: 'hi' }], ...wrong }
    const answer = await chapar.post(whole, { 'accept-language': 'en' })
    const { error } = fieldsOf(await answer.json())
    expect([answer.status, fieldsOf(error)['param']]).toEqual([400, param])
  })
})
