import { describe, expect, test } from 'bun:test'
import { untranslatedIn as inMessages } from '../../src/gateway/formats/messages/untranslated'
import { checkMessagesBody } from '../../src/gateway/formats/messages/schema'
import { untranslatedIn as inResponses } from '../../src/gateway/formats/responses/untranslated'
import { checkResponsesBody } from '../../src/gateway/formats/responses/schema'

describe('what a chat body cannot say', () => {
  const said = { role: 'user', content: 'hi' }
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,AA==' }

  test.each([
    [[{ type: 'mcp_call', id: 'a', output: 'much' }], 'input[0].type'],
    [[{ type: 'hologram' }], 'input[0].type'],
    [[{ role: 'user', content: [{ type: 'input_video' }] }], 'input[0].content[0].type'],
    [[{ role: 'developer', content: [picture] }], 'input[0].content[0].type'],
    [
      [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'hologram' }] }],
      'input[0].output[0].type',
    ],
    [[{ role: 'user', content: [picture] }], null],
    [[{ type: 'function_call_output', call_id: 'c', output: [picture] }], null],
    [[{ type: 'web_search_call', id: 'ws' }, said], null],
    [[{ type: 'reasoning', summary: [], encrypted_content: 'sealed' }], null],
    ['hi', null],
  ])('of an input of Responses %j is %p', (input, param) => {
    expect(inResponses(checkResponsesBody({ model: 'm', input }))).toBe(param)
  })

  const block = (role: string, ...content: readonly object[]) => ({ role, content })
  const found = { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] }
  const shown = { type: 'image', source: { type: 'url', url: 'https://pictures.example/1.png' } }

  test.each([
    [block('assistant', { type: 'compaction', content: 'so far' }), null],
    [block('assistant', { type: 'compaction', content: null }), null],
    [
      block('user', { type: 'compaction', encrypted_content: 'sealed' }),
      'messages[0].content[0].type',
    ],
    [block('user', { type: 'mcp_tool_result' }), 'messages[0].content[0].type'],
    [block('assistant', { type: 'text', text: 'a' }, shown), 'messages[0].content[1].type'],
    [
      block('user', { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'hologram' }] }),
      'messages[0].content[0].content[0].type',
    ],
    [block('assistant', found, { type: 'redacted_thinking', data: 'x' }), null],
    [block('user', { type: 'tool_result', tool_use_id: 'a', content: [shown] }, shown), null],
    [said, null],
  ])('of a message %j is %p', (message, param) => {
    const body = { model: 'm', max_tokens: 5, messages: [message] }
    expect(inMessages(checkMessagesBody(body))).toBe(param)
  })

  test('are more ends than four', () => {
    const ends = (count: number) => {
      const stop_sequences = Array.from({ length: count }, (_, at) => `END ${at}`)
      return inMessages(checkMessagesBody({ model: 'm', messages: [said], stop_sequences }))
    }
    expect([ends(4), ends(5)]).toEqual([null, 'stop_sequences'])
  })
})
