import { describe, expect, test } from 'bun:test'
import { ask, openTestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn } from '../support/stand-in'
import { droppedParts as ofMessages } from '../../src/formats/messages/dropped-parts'
import { checkMessagesBody } from '../../src/formats/messages/schema'
import { droppedParts as ofResponses } from '../../src/formats/responses/dropped-parts'
import { checkResponsesBody } from '../../src/formats/responses/schema'

describe('what a translation leaves out', () => {
  const found = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }
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
      ],
    })
    expect(ofMessages(raw)).toEqual([
      sealed,
      found,
      found,
      { type: 'web_search_20250305', name: 'web_search' },
    ])
  })

  test('of an input of Responses is what only its vendor reads', () => {
    const ran = { type: 'mcp_call', id: 'mcp_1', output: 'much' }
    const raw = checkResponsesBody({
      model: 'm',
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
        ran,
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
      tools: [
        { type: 'function', name: 'f' },
        { type: 'mcp', server_label: 's' },
      ],
    })
    expect(ofResponses(raw)).toEqual(['sealed', ran, { type: 'mcp', server_label: 's' }])
    expect(ofResponses(checkResponsesBody({ model: 'm', input: 'Hi' }))).toEqual([])
  })
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
