import { expect, test } from 'bun:test'
import { checkChatBody } from '../../src/gateway/formats/chat/schema'
import { renderGeminiRequest } from '../../src/gateway/formats/gemini/render-request'

const render = (body: object) =>
  renderGeminiRequest({
    body: checkChatBody({ model: 'm', ...body }),
    traits: { thinking: 'level', thinkingOnTop: true },
    maxOutputTokens: 5000,
    search: null,
    recall: () => undefined,
  })

test('a whole request is to the letter what the format has', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, $schema: 'x' }
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"city":"یزد"}' } }
  expect(
    render({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'Weather?' },
          ],
        },
        { role: 'assistant', content: 'Wait.', tool_calls: [call] },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: [
            { type: 'text', text: '[1, 2]' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          ],
        },
        { role: 'user', content: 'So?' },
      ],
      max_tokens: 400,
      temperature: 2,
      top_p: 0.5,
      stop: 'END',
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning_effort: 'medium',
      user: 'ali',
      store: true,
      service_tier: 'flex',
      logit_bias: {},
    }),
  ).toEqual({
    contents: [
      { role: 'user', parts: [{ text: 'Weather?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Wait.' },
          {
            functionCall: { id: 'c1', name: 'f', args: { city: 'یزد' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'f', response: { result: '[1, 2]' } } },
          { inlineData: { mimeType: 'image/png', data: 'AA==' } },
          { text: 'So?' },
        ],
      },
    ],
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [
      { functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema: schema }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: {
      temperature: 2,
      topP: 0.5,
      stopSequences: ['END'],
      maxOutputTokens: 5000,
      thinkingConfig: { thinkingLevel: 'MEDIUM', includeThoughts: true },
    },
  })
})

test('instructions alone are a question, and so is a user who says nothing', () => {
  expect(render({ messages: [{ role: 'system', content: 'Say hi' }] })).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Say hi' }] }],
  })
  expect(render({ messages: [{ role: 'user', content: '' }] })).toEqual({
    contents: [{ role: 'user', parts: [{ text: ' ' }] }],
  })
})
