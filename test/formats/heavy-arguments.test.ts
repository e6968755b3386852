import { expect, test } from 'bun:test'
import { checkChatBody } from '../../src/gateway/formats/chat/schema'
import { renderGeminiRequest } from '../../src/gateway/formats/gemini/render-request'
import { renderMessagesRequest } from '../../src/gateway/formats/messages/render-request'

const names = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`

/** A conversation of so many calls with these arguments, each with a result of the same text. */
const called = (text: string, count: number) =>
  checkChatBody({
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      ...Array.from({ length: count }, (_, at) => {
        const call = { name: 'f', arguments: text }
        return [
          { role: 'assistant', tool_calls: [{ id: `c${at}`, type: 'function', function: call }] },
          { role: 'tool', tool_call_id: `c${at}`, content: text },
        ]
      }).flat(),
    ],
  })

const formats = {
  'Google’s': (body: ReturnType<typeof called>) =>
    renderGeminiRequest({
      body,
      traits: {},
      maxOutputTokens: 5000,
      search: null,
      recall: () => undefined,
    }),
  Messages: (body: ReturnType<typeof called>) =>
    renderMessagesRequest({
      body,
      model: 'm',
      traits: {},
      maxOutputTokens: 5000,
      safetyId: 'opaque',
      stream: false,
      search: null,
      recall: () => undefined,
    }),
}

test.each(Object.entries(formats))(
  'in the %s format arguments that take long to parse are shown as they are, one by one and together',
  (_, render) => {
    expect(JSON.stringify(render(called('{"a":1}', 3)))).not.toContain('_raw')
    // Each is a string to whoever counted the body; `JSON.parse` of the first goes on for half a second.
    for (const body of [called(`{"a":${'['.repeat(5_000_000)}`, 1), called(names(2500), 100)]) {
      expect(JSON.stringify(render(body))).toContain('"_raw":"{')
    }
  },
)
