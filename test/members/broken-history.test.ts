import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { openTextDesk, type Desk } from './desk'

/*
 * Conversations that went wrong: a model was cut in the middle of a call, a program lost a result, a user said
 * nothing. What vendors of the chat format take is answered by every vendor, in a form that it accepts.
 */

const vendors = ['openai', 'generic', 'responses', 'anthropic', 'google'] as const

const user = (content: unknown = 'Hi') => ({ role: 'user', content })
const said = (content: unknown) => ({ role: 'assistant', content })
const call = (id: string, text: string) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: text },
})
const calls = (...all: object[]) => ({ role: 'assistant', content: null, tool_calls: all })
const result = (id: string, content: unknown = 'done') => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

const chat: Readonly<Record<string, readonly object[]>> = {
  'arguments that were cut': [user(), calls(call('a', '{"path":"x","text":"ab')), result('a')],
  'arguments that are a list': [user(), calls(call('a', '[1]')), result('a')],
  'arguments that are a text': [user(), calls(call('a', 'ls -la')), result('a')],
  'arguments that are null': [user(), calls(call('a', 'null')), result('a')],
  'no arguments': [user(), calls(call('a', '')), result('a')],
  'a result of no call': [user(), result('a'), user('So?')],
  'a result alone': [result('a')],
  'a call without its result': [user(), calls(call('a', '{}')), user('So?')],
  'a call at the end': [user(), calls(call('a', '{}'))],
  'a result that comes twice': [user(), calls(call('a', '{}')), result('a'), result('a')],
  'results in another order': [
    user(),
    calls(call('a', '{}'), call('b', '{}')),
    result('b'),
    result('a'),
  ],
  'one id in two turns': [
    user(),
    calls(call('a', '{}')),
    result('a', 'one'),
    calls(call('a', '{}')),
    result('a', 'two'),
  ],
  'one id twice in a turn': [
    user(),
    calls(call('a', '{}'), call('a', '{}')),
    result('a', 'one'),
    result('a', 'two'),
  ],
  'an empty result': [user(), calls(call('a', '{}')), result('a', '')],
  'an answer of nothing': [user(), said(''), user('So?')],
  'an answer of null': [user(), said(null), user('So?')],
  'an answer of no parts': [user(), said([]), user('So?')],
  'an answer of spaces': [user(), said(' \n'), user('So?')],
  'an answer with no calls': [user(), { ...said('Yes'), tool_calls: [] }, user('So?')],
  'a user who says nothing': [user('')],
  'a user who says spaces': [user('  ')],
  'a user of no parts': [user([])],
  'a user of an empty part': [user([{ type: 'text', text: '' }])],
  'an empty user at the end': [user(), said('Yes'), user('')],
  'an empty user at the start': [user(''), said('Yes'), user('So?')],
  'an answer first': [said('Welcome'), user()],
  'a call first': [calls(call('a', '{}')), result('a')],
  'answers alone': [said('Welcome')],
  'two users and two answers in a row': [user(), user('Ho'), said('Yes'), said('No'), user('So?')],
  'instructions alone': [{ role: 'system', content: 'Say hi' }],
  'empty instructions': [{ role: 'system', content: '' }, user()],
  'instructions of spaces': [{ role: 'system', content: ' ' }, user()],
  'nothing but empty instructions': [{ role: 'system', content: '' }],
  'instructions between a call and its result': [
    user(),
    calls(call('a', '{}')),
    { role: 'system', content: 'Be brief' },
    result('a'),
  ],
}

const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'f', input })
const used = (id: string, content: unknown = 'done') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const text = (words: string) => ({ type: 'text', text: words })

const messages: Readonly<Record<string, readonly object[]>> = {
  'raw arguments that came from here': [
    user(),
    said([use('a', { _raw: '{"x":' })]),
    user([used('a')]),
  ],
  'a result of no call': [user([used('a')])],
  'a call without its result': [user(), said([use('a')]), user('So?')],
  'a result of another call': [user(), said([use('a')]), user([used('b')])],
  'a result without one of its calls': [user(), said([use('a'), use('b')]), user([used('b')])],
  'a result that comes twice': [user(), said([use('a')]), user([used('a'), used('a')])],
  'a result later': [user(), said([use('a')]), user('Wait'), user([used('a')])],
  'a user who says nothing': [user('')],
  'a user of no blocks': [user([])],
  'an empty text': [user([text('')])],
  'no blocks at the end': [user(), said('Yes'), user([])],
  'an empty answer': [user(), said([]), user('So?')],
  'an answer first': [said('Welcome'), user()],
  'an empty user at the end': [user(), said('Yes'), user('')],
}

const called = (id: string, args: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: args,
})
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'done' })

const responses: Readonly<Record<string, string | readonly object[]>> = {
  'arguments that were cut': [user(), called('a', '{"x":'), output('a')],
  'arguments that are a list': [user(), called('a', '[1]'), output('a')],
  'no arguments': [user(), called('a', ''), output('a')],
  'an output of no call': [user(), output('a')],
  'a call without its output': [user(), called('a', '{}'), user('So?')],
  'a user who says nothing': [user('')],
  'a user of no parts': [user([])],
  'a user of an empty part': [user([{ type: 'input_text', text: '' }])],
  'an answer first': [said('Welcome'), user()],
  'an empty answer': [user(), said(''), user('So?')],
}

/** Rules of Anthropic's messages (docs.claude.com, Messages, tool use, November 2026). */
function checkAnthropic({ messages: all, system }: Fields): void {
  const turns = listOf(all).map(fieldsOf)
  expect(turns[0]?.['role']).toBe('user')
  const ids = new Set<unknown>()
  turns.forEach(({ role, content }, at) => {
    expect(turns[at + 1]?.['role']).not.toBe(role)
    const blocks = listOf(content).map(fieldsOf)
    expect(blocks).not.toBeEmpty()
    const answered = new Set(
      listOf(turns[at + 1]?.['content']).map((each) => fieldsOf(each)['tool_use_id']),
    )
    for (const block of blocks) {
      if (block['type'] === 'text') expect(String(block['text']).trim()).not.toBe('')
      if (block['type'] !== 'tool_use') continue
      expect(ids).not.toContain(block['id'])
      ids.add(block['id'])
      expect(answered).toContain(block['id'])
      expect(block['input']).toBeObject()
    }
  })
  for (const block of listOf(system)) expect(String(fieldsOf(block)['text']).trim()).not.toBe('')
}

/** Rules of Google's contents (ai.google.dev, function calling, November 2026). */
function checkGoogle({ contents }: Fields): void {
  const turns = listOf(contents).map(fieldsOf)
  expect(turns[0]?.['role']).toBe('user')
  turns.forEach(({ role, parts }, at) => {
    expect(turns[at + 1]?.['role']).not.toBe(role)
    const all = listOf(parts).map(fieldsOf)
    expect(all).not.toBeEmpty()
    const next = listOf(turns[at + 1]?.['parts']).map(fieldsOf)
    const wanted = all.filter((part) => 'functionCall' in part)
    for (const part of all) if ('text' in part) expect(part['text']).not.toBe('')
    expect(next.filter((part) => 'functionResponse' in part)).toHaveLength(wanted.length)
    for (const part of wanted) expect(fieldsOf(part['functionCall'])['args']).toBeObject()
  })
}

/** Rules of chat: each result behind the turn of its call, and each call with its result. */
function checkPaired(messages: unknown): void {
  let open: unknown[] = []
  for (const { role, tool_call_id: id, tool_calls: made } of listOf(messages).map(fieldsOf)) {
    if (role === 'tool') {
      expect(open).toContain(id)
      open.splice(open.indexOf(id), 1)
      continue
    }
    expect(open).toEqual([])
    open = listOf(made).map((each) => fieldsOf(each)['id'])
  }
  expect(open).toEqual([])
}

function checkRequested(body: Fields): void {
  if ('contents' in body) checkGoogle(body)
  else if ('input' in body) expect(body['input']).not.toBeEmpty()
  else if ('metadata' in body && 'max_tokens' in body) checkAnthropic(body)
  else expect(body['messages']).not.toBeEmpty()
}

let desk: Desk

beforeAll(async () => {
  desk = await openTextDesk()
})
afterAll(() => desk.close())

/** Asks every vendor, and looks at what each of them got. */
async function answeredByAll(path: string, body: Fields, asked: readonly string[] = vendors) {
  for (const model of asked) {
    const { status, param, body: sent } = await desk.ask(path, { ...body, model })
    expect({ model, status, param }).toEqual({ model, status: 200, param: null })
    if (path.endsWith('/messages') && model === 'anthropic') continue
    if (path.endsWith('/responses') && model === 'responses') continue
    checkRequested(sent ?? {})
    if (!path.endsWith('/completions') && model !== 'anthropic') checkPaired(sent?.['messages'])
  }
}

describe('a broken history is answered by every vendor', () => {
  test.each(Object.entries(chat))('chat: %s', async (_, history) => {
    await answeredByAll('/chat/completions', { messages: history })
  })
  test.each(Object.entries(messages))('messages: %s', async (_, history) => {
    await answeredByAll('/messages', { messages: history, max_tokens: 50 })
  })
  test.each(Object.entries(responses))('responses: %s', async (_, history) => {
    await answeredByAll('/responses', { input: history })
  })
})

test('what is no object is one member, and says all that was written', async () => {
  const cut = '{"path":"x","text":"ab'
  const history = [user(), calls(call('a', cut)), result('a')]
  const atAnthropic = await desk.ask('/chat/completions', {
    model: 'anthropic',
    messages: history,
  })
  expect(atAnthropic.body).toMatchObject({
    messages: [{}, { content: [{ type: 'tool_use', input: { _raw: cut } }] }, {}],
  })
  const atGoogle = await desk.ask('/chat/completions', { model: 'google', messages: history })
  expect(atGoogle.body).toMatchObject({
    contents: [{}, { parts: [{ functionCall: { args: { _raw: cut } } }] }, {}],
  })
})
