import { describe, expect, test } from 'bun:test'
import { digestConversation } from '../../../src/gateway/formats/chat/conversation-digest'
import { checkChatBody } from '../../../src/gateway/formats/chat/schema'
import { fieldsOf, listOf } from '../../../src/gateway/json/fields'

type Messages = readonly object[]

/** As a client sends them: no object stands at two places. */
const copyOf = (messages: Messages): unknown => JSON.parse(JSON.stringify(messages))

/** Digest of the turn that the last call of a conversation is of. */
async function lastTurn(messages: Messages): Promise<string> {
  const body = checkChatBody({ model: 'm', messages: copyOf(messages) })
  const digested = await digestConversation(body.messages)
  const calls = body.messages.flatMap(({ tool_calls: all }) => listOf(all))
  const turn = digested.turnOf(fieldsOf(calls.at(-1)))
  if (turn === undefined) throw new Error('no call')
  return turn
}

const call = (args: string, id = 'functions.f:0', name = 'f') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const user = (content: unknown) => ({ role: 'user', content })
const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }

const system = { role: 'system', content: 'be kind' }
const first = {
  role: 'assistant',
  content: 'Let me see.',
  tool_calls: [call('{"a":1,"b":[2,null]}')],
}
const result = { role: 'tool', tool_call_id: 'functions.f:0', content: 'done' }
const second = { role: 'assistant', content: null, tool_calls: [call('{}', 'functions.f:1')] }
const conversation: Messages = [system, user('Hello'), first, result, second]

/** The conversation with one message in another form. */
const withMessage = (at: number, message: object): Messages =>
  conversation.toSpliced(at, 1, message)

describe('the digest of a turn is the same', () => {
  const same: readonly (readonly [string, Messages])[] = [
    [
      'with the content of a user as one part',
      withMessage(1, user([{ type: 'text', text: 'Hello' }])),
    ],
    [
      'with a text in several parts',
      withMessage(
        1,
        user([
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ]),
      ),
    ],
    [
      'with marks of caches',
      withMessage(1, user([{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }])),
    ],
    ['with blanks around a text', withMessage(2, { ...first, content: '\nLet me see. ' })],
    [
      'with arguments written anew',
      withMessage(2, { ...first, tool_calls: [call('{ "b": [2.0, null],\n "a": 1 }')] }),
    ],
    ['with an empty content in place of none', withMessage(4, { ...second, content: '' })],
    [
      'with no arguments in place of an empty object',
      withMessage(4, { ...second, tool_calls: [call('', 'functions.f:1')] }),
    ],
    [
      'with the reasoning that the client kept',
      withMessage(2, { ...first, reasoning_content: 'hm' }),
    ],
    [
      'with null members, as client libraries write them',
      withMessage(2, {
        ...first,
        refusal: null,
        audio: null,
        function_call: null,
        annotations: [],
      }),
    ],
    ['with the name of a tool beside its result', withMessage(3, { ...result, name: 'f' })],
    [
      'with an answer in two messages',
      conversation.toSpliced(
        2,
        1,
        { role: 'assistant', content: 'Let me see.' },
        { ...first, content: null },
      ),
    ],
    [
      'whatever came later',
      [...conversation, { ...result, tool_call_id: 'functions.f:1' }, user('And?')],
    ],
  ]
  test.each(same)('%s', async (_, messages) => {
    expect(await lastTurn(messages)).toBe(await lastTurn(conversation))
  })

  test('with null members of a picture', async () => {
    const seen = (part: object) => [user([part, { type: 'text', text: 'x' }]), second]
    const written = {
      ...picture,
      image_url: { detail: null, ...picture.image_url },
      cache_control: {},
    }
    expect(await lastTurn(seen(written))).toBe(await lastTurn(seen(picture)))
  })
})

describe('the digest of a turn differs', () => {
  const other: readonly (readonly [string, Messages])[] = [
    ['by another instruction', withMessage(0, { ...system, content: 'be brief' })],
    ['by a missing instruction', conversation.slice(1)],
    ['by an earlier message that was edited', withMessage(1, user('Hello!'))],
    ['by an earlier message that was left out', conversation.toSpliced(1, 1)],
    ['by a message that was added', conversation.toSpliced(1, 0, user('First.'))],
    ['by a summary in place of earlier turns', [user('Summary: f was called.'), second]],
    ['by a picture', withMessage(1, user([{ type: 'text', text: 'Hello' }, picture]))],
    ['by the name of who speaks', withMessage(1, { ...user('Hello'), name: 'ali' })],
    ['by the text of an earlier answer', withMessage(2, { ...first, content: 'Let me think.' })],
    [
      'by an argument of an earlier call',
      withMessage(2, { ...first, tool_calls: [call('{"a":2,"b":[2,null]}')] }),
    ],
    [
      'by the order in a list of arguments',
      withMessage(2, { ...first, tool_calls: [call('{"a":1,"b":[null,2]}')] }),
    ],
    [
      'by a null argument that is missing',
      withMessage(2, { ...first, tool_calls: [call('{"a":1,"b":[2]}')] }),
    ],
    ['by an earlier result', withMessage(3, { ...result, content: 'failed' })],
    ['by its own text', withMessage(4, { ...second, content: 'Again.' })],
    [
      'by its own arguments',
      withMessage(4, { ...second, tool_calls: [call('{"x":1}', 'functions.f:1')] }),
    ],
    [
      'by its own tool',
      withMessage(4, { ...second, tool_calls: [call('{}', 'functions.f:1', 'g')] }),
    ],
    ['by its own id', withMessage(4, { ...second, tool_calls: [call('{}', 'functions.f:2')] })],
    [
      'by a call beside it',
      withMessage(4, { ...second, tool_calls: [call('{}'), call('{}', 'functions.f:1')] }),
    ],
    [
      'by arguments that are cut',
      withMessage(4, { ...second, tool_calls: [call('{"x":', 'functions.f:1')] }),
    ],
  ]
  test('from the first to the last of these', async () => {
    const turns = await Promise.all(
      [['', conversation] as const, ...other].map(([, each]) => lastTurn(each)),
    )
    const seen = new Map<string, string>()
    for (const [at, turn] of turns.entries()) {
      const name = at === 0 ? 'as it is' : (other[at - 1]?.[0] ?? '')
      expect([name, seen.get(turn)]).toEqual([name, undefined])
      seen.set(turn, name)
    }
  })

  test('by where one text ends and the next begins', async () => {
    const split = (a: string, b: string) => [user(a), user(b), second]
    expect(await lastTurn(split('ab', 'c'))).not.toBe(await lastTurn(split('a', 'bc')))
  })

  test('of calls with one id at two places of a conversation', async () => {
    const twice = [
      user('a'),
      { ...second },
      { ...result, tool_call_id: 'functions.f:1' },
      { ...second },
    ]
    const body = checkChatBody({ model: 'm', messages: copyOf(twice) })
    const digested = await digestConversation(body.messages)
    const [one, two] = body.messages.flatMap(({ tool_calls: all }) => listOf(all))
    expect(digested.turnOf(fieldsOf(one))).toBeString()
    expect(digested.turnOf(fieldsOf(one))).not.toBe(digested.turnOf(fieldsOf(two)) ?? '')
  })
})

describe('an answer', () => {
  const digested = (messages: Messages) =>
    digestConversation(checkChatBody({ model: 'm', messages }).messages)
  const answer = { text: 'Sure. ', calls: [{ id: 'x', name: 'f', arguments: '{"a":1, "b":2}' }] }

  test('has the digest that its turn has when it comes again', async () => {
    const asked = [system, user('Hello')]
    const again = { role: 'assistant', content: 'Sure.', tool_calls: [call('{"b":2,"a":1}', 'x')] }
    expect((await digested(asked)).answered(answer)).toBe(await lastTurn([...asked, again]))
  })

  test('goes on with what its client put into its mouth', async () => {
    const asked = [user('Hello'), { role: 'assistant', content: 'Well: ' }]
    const again = {
      role: 'assistant',
      content: 'Well: Sure.',
      tool_calls: [call('{"b":2,"a":1}', 'x')],
    }
    expect((await digested(asked)).answered(answer)).toBe(await lastTurn([user('Hello'), again]))
  })

  test('is digested in slices of the event loop where the conversation is long', async () => {
    const short = [user('a'), user('b'), user('c'), second]
    expect(
      digestConversation(checkChatBody({ model: 'm', messages: short }).messages),
    ).not.toBeInstanceOf(Promise)
    const long = 'سلام '.repeat(800_000)
    const messages = [user(long), user('b'), second]
    const slow = digestConversation(checkChatBody({ model: 'm', messages }).messages)
    expect(slow).toBeInstanceOf(Promise)
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await slow
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
    expect(await lastTurn([user(`${long}!`), user('b'), second])).not.toBe(await lastTurn(messages))
  })
})
