import { describe, expect, test } from 'bun:test'
import { ask, openTestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn } from '../support/stand-in'
import { droppedParts as ofMessages } from '../../src/gateway/formats/messages/dropped-parts'
import { checkMessagesBody } from '../../src/gateway/formats/messages/schema'
import { droppedParts as ofResponses } from '../../src/gateway/formats/responses/dropped-parts'
import { checkResponsesBody } from '../../src/gateway/formats/responses/schema'

describe('what a translation leaves out', () => {
  const page = { type: 'web_search_result', url: 'https://a.example', title: 'A' }
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srv_1',
    content: [{ ...page, encrypted_content: 'sealed' }],
  }
  const sealed = { type: 'redacted_thinking', data: 'abc' }

  test('of a conversation in the Messages format is what only its vendor reads', () => {
    const raw = checkMessagesBody({
      model: 'm',
      max_tokens: 5,
      system: [{ type: 'text', text: 'Be brief' }],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [sealed, found, { type: 'text', text: 'so' }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'text', text: 'b' }, found],
            },
          ],
        },
      ],
      tools: [
        { name: 'mine', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'bash_20250124', name: 'bash' },
      ],
    })
    // What else was found is a text of the chat body.
    expect(ofMessages(raw)).toEqual([
      sealed,
      'sealed',
      'sealed',
      { type: 'web_search_20250305', name: 'web_search' },
    ])
  })

  test('files of pages that were fetched stand apart, and are no text', () => {
    const source = (media_type: string, data: string) => ({ type: 'base64', media_type, data })
    const fetched = (document: object) => ({
      type: 'web_fetch_tool_result',
      tool_use_id: 'srv_1',
      content: { type: 'web_fetch_result', url: 'https://a.example/x', content: document },
    })
    const pdf = fetched({ type: 'document', source: source('application/pdf', 'UERG') })
    const picture = fetched({ type: 'document', source: source('image/png', 'UE5H') })
    const page = fetched({ type: 'document', source: { type: 'text', data: 'a page' } })
    const raw = checkMessagesBody({
      model: 'm',
      max_tokens: 5,
      messages: [
        { role: 'assistant', content: [pdf, picture, page] },
        { role: 'user', content: 'Hi' },
      ],
    })
    expect(ofMessages(raw)).toEqual([
      { type: 'file', file: { file_data: 'data:application/pdf;base64,UERG' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,UE5H' } },
    ])
  })

  test('of an input of Responses is what only its vendor reads', () => {
    const ran = { type: 'mcp_call', id: 'mcp_1', output: 'much' }
    const search = { type: 'web_search' }
    const raw = checkResponsesBody({
      model: 'm',
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
        ran,
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
        { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'x' } },
        { type: 'computer_call', call_id: 'd', actions: [] },
        { type: 'computer_call_output', call_id: 'd', output: { image_url: 'data:,' } },
        { type: 'additional_tools', tools: [{ type: 'function', name: 'g' }, search] },
      ],
      tools: [
        { type: 'function', name: 'f' },
        { type: 'local_shell' },
        { type: 'mcp', server_label: 's' },
        { type: 'shell', environment: { type: 'container_auto' } },
      ],
    })
    expect(ofResponses(raw)).toEqual([
      'sealed',
      ran,
      { type: 'mcp', server_label: 's' },
      { type: 'shell', environment: { type: 'container_auto' } },
      search,
    ])
    expect(ofResponses(checkResponsesBody({ model: 'm', input: 'Hi' }))).toEqual([])
  })
})

test('a PDF that was fetched earlier is held for by its pages, as one that the client sends', async () => {
  const vendor = openStandIn()
  const chapar = await openTestGateway({
    vendorUrl: vendor.url,
    prepare: addHubVendor({ kind: 'anthropic', url: vendor.url, models: { claude: {} } }),
  })
  const page = '<</Type/Page>>'.padEnd(200_000, ' ')
  const data = Buffer.from(`%PDF-1.4\n${page}${page}`).toString('base64')
  const source = { type: 'base64', media_type: 'application/pdf', data }
  const document = { type: 'document', source }
  const content = { type: 'web_fetch_result', url: 'https://a.example/x', content: document }
  const held = async (messages: readonly object[]): Promise<number> => {
    const told = await fetch(`${chapar.url}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': chapar.key, 'content-type': 'application/json', 'x-dry-run': '1' },
      body: JSON.stringify({ model: 'claude', max_tokens: 1, messages }),
    })
    const { estimate } = (await told.json()) as {
      estimate: { high: { units: { input: number } } }
    }
    return estimate.high.units.input
  }
  const asked = { role: 'user', content: 'Hi' }
  const sent = await held([{ role: 'user', content: [document, { type: 'text', text: 'Hi' }] }])
  const fetched = await held([
    { role: 'assistant', content: [{ type: 'web_fetch_tool_result', tool_use_id: 'a', content }] },
    asked,
  ])
  expect(sent).toBeGreaterThan(2 * 3000)
  expect(Math.abs(fetched - sent)).toBeLessThan(200)
  await chapar.close()
  await vendor.close()
})

test('money that is not there does not buy what a translation leaves out', async () => {
  const vendor = openStandIn()
  const chapar = await openTestGateway({
    usd: '0.01',
    vendorUrl: vendor.url,
    prepare: addHubVendor({ kind: 'anthropic', url: vendor.url, models: { claude: {} } }),
  })
  const long = 'lorem ipsum '.repeat(50_000)
  const messages = [
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: long }] },
    { role: 'user', content: 'Hi' },
  ]
  const native = await fetch(`${chapar.url}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': chapar.key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude', max_tokens: 1, messages }),
  })
  const chat = await chapar.post(ask('priced', { max_tokens: 1, functions: [{ name: long }] }))
  expect([native.status, chat.status]).toEqual([402, 402])
  expect(vendor.seen).toHaveLength(0)
  await chapar.close()
  await vendor.close()
})
