import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isGatewayError } from '../../../src/errors/gateway-error'
import { digestConversation } from '../../../src/gateway/formats/chat/conversation-digest'
import { checkChatBody } from '../../../src/gateway/formats/chat/schema'
import { renderGeminiRequest } from '../../../src/gateway/formats/gemini/render-request'
import { renderMessagesRequest } from '../../../src/gateway/formats/messages/render-request'
import { renderResponsesRequest } from '../../../src/gateway/formats/responses/render-request'
import { fieldsOf, isFields, listOf, type Fields } from '../../../src/gateway/json/fields'
import { markedForCache } from '../../../src/gateway/formats/messages/prompt-cache'

const mark = { type: 'ephemeral' }
const hour = { type: 'ephemeral', ttl: '1h' }
const question = { model: 'm', traits: {}, stream: false, search: null, recall: () => undefined }

const messagesOf = (body: Fields): Fields =>
  renderMessagesRequest({
    ...question,
    body: checkChatBody({ model: 'm', ...body }),
    maxOutputTokens: 1000,
    safetyId: 'opaque',
  })
const responsesOf = (body: Fields, breakpoints = true): Fields =>
  renderResponsesRequest({
    ...question,
    body: checkChatBody({ model: 'm', ...body }),
    breakpoints,
    role: 'developer',
  })
const geminiOf = (body: Fields): Fields =>
  renderGeminiRequest({
    ...question,
    body: checkChatBody({ model: 'm', ...body }),
    maxOutputTokens: 1000,
    search: null,
  })

/** A value without the marks inside of it. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'cache_control' && name !== 'prompt_cache_breakpoint')
      .map(([name, each]) => [name, unmarked(each)]),
  )
}

const marksIn = (value: unknown): number =>
  JSON.stringify(value).split(/"cache_control":|"prompt_cache_breakpoint":/).length - 1

const text = (said: string, cache?: object) => ({
  type: 'text',
  text: said,
  ...(cache === undefined ? {} : { cache_control: cache }),
})
const user = (...content: object[]) => ({ role: 'user', content })
const call = (rest: object = {}) => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'f', arguments: '{}' },
  ...rest,
})
const tool = (rest: object = {}) => ({ type: 'function', function: { name: 'f' }, ...rest })

describe('marks of a chat client at Anthropic', () => {
  test('stand on the blocks that they stood on, with their lifetime', () => {
    const image = { type: 'image_url', image_url: { url: 'https://a.test/b.png' } }
    const { system, messages, tools } = messagesOf({
      tools: [tool({ cache_control: hour })],
      messages: [
        { role: 'system', content: [text('One.', hour), text('Two.')] },
        user(text('Look'), { ...image, cache_control: mark }, text('so')),
        { role: 'assistant', content: 'Well', tool_calls: [call()] },
        { role: 'tool', tool_call_id: 'call_1', content: [text('done', mark)] },
      ],
    })
    expect(tools).toMatchObject([{ name: 'f', cache_control: hour }])
    expect(system).toEqual([text('One.', hour), text('Two.')])
    expect(messages).toMatchObject([
      { content: [text('Look'), { type: 'image', cache_control: mark }, text('so')] },
      { content: [text('Well'), { type: 'tool_use' }] },
      { content: [{ type: 'tool_result', content: 'done', cache_control: mark }] },
    ])
  })

  test.each<[string, Fields, unknown]>([
    ['of a string', { role: 'user', content: 'Hi' }, [text('Hi', mark)]],
    ['of parts', user(text('a'), text('b')), [text('a'), text('b', mark)]],
    ['of OpenAI’s form', user({ ...text('a'), prompt_cache_breakpoint: {} }), [text('a', mark)]],
    [
      'of OpenAI’s longer life',
      user({ ...text('a'), prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }),
      [text('a', hour)],
    ],
    ['on an empty part', user(text('a'), text('', mark)), [text('a', mark)]],
  ])('are read: %s', (_, message, content) => {
    const own = JSON.stringify(message).includes('cache')
      ? message
      : { ...message, cache_control: mark }
    expect(messagesOf({ messages: [own] })['messages']).toEqual([{ role: 'user', content }])
  })

  test('of messages with calls stand on the last call, beside a function or inside', () => {
    const answered = { role: 'tool', tool_call_id: 'call_1', content: '' }
    const { messages, tools } = messagesOf({
      tools: [{ type: 'function', function: { name: 'f', cache_control: mark } }],
      messages: [
        user(text('Hi')),
        { role: 'assistant', content: 'So', tool_calls: [call()], cache_control: mark },
        { ...answered, cache_control: mark },
      ],
    })
    expect(tools).toMatchObject([{ name: 'f', cache_control: mark }])
    expect(messages).toMatchObject([
      { content: [text('Hi')] },
      { content: [text('So'), { type: 'tool_use', cache_control: mark }] },
      { content: [{ type: 'tool_result', cache_control: mark }] },
    ])
  })

  test('are at most four: the last of what lasts, and the latest', () => {
    const many = Array.from({ length: 9 }, (_, at) => user(text(`q${at}`, mark)))
    const turns = many.flatMap((message) => [message, { role: 'assistant', content: 'a' }])
    const system = { role: 'system', content: [text('one', hour), text('two', hour)] }
    const rendered = messagesOf({ messages: [system, ...turns] })
    expect(rendered['system']).toEqual([text('one'), text('two', hour)])
    const kept = listOf(rendered['messages']).flatMap((each) =>
      marksIn(each) > 0 ? [fieldsOf(listOf(fieldsOf(each)['content'])[0])['text']] : [],
    )
    expect(kept).toEqual(['q6', 'q7', 'q8'])
    const whole = messagesOf({ messages: [system, ...turns], cache_control: hour })
    expect(whole['cache_control']).toEqual(hour)
    expect(marksIn(whole)).toBe(4)
  })

  test('keep the operator’s away', () => {
    const messages = [user(text('Hi '.repeat(9000)))]
    const marking = (body: Fields) => {
      const request = messagesOf(body)
      return marksIn(JSON.parse(markedForCache(request, JSON.stringify(request))))
    }
    expect(marking({ messages })).toBe(1)
    expect(marking({ messages, cache_control: mark })).toBe(1)
    expect(marking({ messages, tools: [tool({ cache_control: mark })] })).toBe(1)
  })

  test.each([
    [{ cache_control: 1, messages: [user(text('a'))] }, 'cache_control'],
    [{ messages: [user(text('a', { type: 'forever' }))] }, 'messages[0].content[0].cache_control'],
    [
      { messages: [user(text('a', { ...mark, ttl: '2d' }))] },
      'messages[0].content[0].cache_control.ttl',
    ],
    [
      { messages: [user(text('a'))], tools: [tool({ cache_control: {} })] },
      'tools[0].cache_control',
    ],
  ])('of an unknown kind are refused: %j', (body, param) => {
    let thrown: unknown
    try {
      messagesOf(body)
    } catch (error) {
      thrown = error
    }
    expect(isGatewayError(thrown) ? [thrown.status, thrown.param] : thrown).toEqual([400, param])
  })
})

test('marks become breakpoints of parts in the Responses format, where a model takes them', () => {
  const body = {
    messages: [
      { role: 'system', content: [text('Be brief.', hour)] },
      user(text('Hi', mark)),
      { role: 'assistant', content: null, tool_calls: [call()] },
      { role: 'tool', tool_call_id: 'call_1', content: 'done', cache_control: mark },
    ],
    prompt_cache_key: 'k',
    prompt_cache_options: { mode: 'explicit' },
    prompt_cache_retention: '24h',
  }
  const part = (said: string, ttl?: string) => ({
    type: 'input_text',
    text: said,
    prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === undefined ? {} : { ttl }) },
  })
  const { prompt_cache_key: _, ...rest } = body
  expect(responsesOf(body)).toMatchObject({
    input: [
      { role: 'developer', content: [part('Be brief.', '12h')] },
      { role: 'user', content: [part('Hi')] },
      { type: 'function_call' },
      { type: 'function_call_output', output: [part('done')] },
    ],
    prompt_cache_key: 'k',
    prompt_cache_options: rest.prompt_cache_options,
    prompt_cache_retention: '24h',
  })
  expect(responsesOf(body, false)).toEqual(responsesOf(unmarked(body) as Fields, false))
})

const cache = fc.constantFrom({}, {}, { cache_control: mark }, { cache_control: hour })
const said = fc.constantFrom('a', 'b ', '', ' ', '\n', 'سلام')
const parts = fc.array(
  fc.tuple(said, cache).map(([each, its]) => ({ ...text(each), ...its })),
  { minLength: 1, maxLength: 4 },
)
const contents = fc.oneof(said, parts)
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: contents }),
  fc.tuple(contents, contents, cache).map(([before, content, its]) => [
    { role: 'assistant', content: before, tool_calls: [{ ...call(), ...its }] },
    { role: 'tool', tool_call_id: 'call_1', content },
  ]),
)
const bodies = fc
  .tuple(fc.array(fc.tuple(message, cache), { minLength: 1, maxLength: 8 }), cache, cache)
  .map(([turns, ofTool, ofBody]) => ({
    messages: [
      { role: 'user', content: 'Hi' },
      ...turns.flatMap(([turn, its]) => [turn].flat().map((each) => ({ ...each, ...its }))),
    ],
    tools: [tool(ofTool)],
    ...ofBody,
  }))

describe('a request with marks', () => {
  test('minus its marks is the request without, and has four of them at most', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const plain = unmarked(body) as Fields
        const rendered = messagesOf(body)
        expect(unmarked(rendered)).toEqual(messagesOf(plain))
        expect(marksIn(rendered)).toBeLessThanOrEqual(4)
        expect(geminiOf(body)).toEqual(geminiOf(plain))
        expect(responsesOf(body, false)).toEqual(responsesOf(plain, false))
      }),
    )
  })

  test('is the same conversation', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const digest = async (each: Fields) =>
          (await digestConversation(checkChatBody({ model: 'm', ...each }).messages)).answered({
            text: 'x',
            calls: [],
          })
        expect(await digest(body)).toBe(await digest(unmarked(body) as Fields))
      }),
    )
  })
})
