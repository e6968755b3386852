import { describe, expect, test } from 'bun:test'
import { dialectOf } from '../../../src/gateway/vendors/openai/shape-request'
import { shapeMessages } from '../../../src/gateway/vendors/openai/shape-messages'

/** Messages as a vendor reads them; null where they are left as they are. */
const shape = (dialect: string, messages: readonly object[], recall: () => unknown = () => {}) =>
  shapeMessages(messages, dialectOf(dialect).messages, {
    systemRole: undefined,
    withoutSealed: false,
    recall,
  })

interface Turn {
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

describe('ids of calls', () => {
  test('to OpenAI and Azure have ids of forty characters, the same for call and answer', () => {
    const long = (end: string) => `functions.${'x'.repeat(40)}:${end}`
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '' } })
    const turns = [
      { role: 'assistant', content: null, tool_calls: [call(long('0')), call(long('1'))] },
      { role: 'tool', tool_call_id: long('0'), content: '1' },
      { role: 'tool', tool_call_id: long('1'), content: '2' },
      { role: 'assistant', content: null, tool_calls: [call('functions.f:0')] },
    ]
    for (const dialect of ['openai', 'azure']) {
      const [calls, first, second, short] = shape(dialect, turns) as Turn[]
      const ids = calls?.tool_calls?.map(({ id }) => id) ?? []
      expect(ids).toEqual([String(first?.tool_call_id), String(second?.tool_call_id)])
      expect(new Set(ids).size).toBe(2)
      for (const id of ids) expect(id).toMatch(/^functions_x+_[a-z0-9]{13}$/)
      for (const id of ids) expect(id).toHaveLength(40)
      expect(short).toEqual(turns[3] as Turn)
    }
    expect(shape('generic', turns)).toBeNull()
  })
})

describe('reasoning of earlier turns', () => {
  const extra_content = { google: { thought_signature: 'sig' } }
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
  const turn = { role: 'assistant', content: 'I call.', tool_calls: [call] }
  const details = [{ type: 'reasoning.encrypted', data: 'x' }]
  const remembered = { text: 'known', details, signed: [{ id: 'a', extra: extra_content }] }
  /** The turn as a vendor reads it. */
  const read = (dialect: string, message: object, known?: unknown) =>
    shape(dialect, [message], () => known) ?? [message]

  const took = {
    reasoning_content: ['deepseek', 'moonshot', 'zhipu', 'alibaba', 'fireworks'],
    reasoning: ['ollama', 'vllm'],
  }
  test.each(Object.entries(took))(
    'goes as `%s` from either name, as its client sent it',
    (member, to) => {
      for (const dialect of to)
        for (const name of ['reasoning_content', 'reasoning'])
          expect(read(dialect, { ...turn, [name]: 'so' })).toEqual([{ ...turn, [member]: 'so' }])
    },
  )

  test.each(Object.entries(took))('goes as `%s` from what is remembered', (member, to) => {
    for (const dialect of to)
      expect(read(dialect, turn, { text: 'known' })).toEqual([{ ...turn, [member]: 'known' }])
  })

  test('goes to an unknown address as that sent it, or as its client does', () => {
    for (const dialect of [
      'generic',
      'together',
      'deepinfra',
      'sambanova',
      'nebius',
      'nvidia',
      'lmstudio',
    ])
      expect(read(dialect, turn, { text: 'known' })).toEqual([
        { ...turn, reasoning_content: 'known' },
      ])
    for (const member of ['reasoning_content', 'reasoning']) {
      const known = { text: 'known', member }
      expect(read('generic', turn, known)).toEqual([{ ...turn, [member]: 'known' }])
      expect(read('generic', { ...turn, reasoning_content: '' }, known)).toEqual([
        { ...turn, [member]: 'known' },
      ])
      expect(shape('generic', [{ ...turn, [member]: 'so' }], () => known)).toBeNull()
    }
    expect(shape('generic', [{ ...turn, reasoning_content: '' }])).toBeNull()
    expect(read('generic', turn, { details })).toEqual([{ ...turn, reasoning_details: details }])
    const own = { ...turn, reasoning: 'so', reasoning_details: [] }
    expect(shape('generic', [own], () => ({ text: 'known', details }))).toBeNull()
  })

  test('goes to Groq and Cerebras only as far as the very model thought it', () => {
    for (const dialect of ['groq', 'cerebras']) {
      expect(read(dialect, { ...turn, reasoning_content: 'so' })).toEqual([turn])
      expect(read(dialect, { ...turn, reasoning: 'so' }, { text: 'known' })).toEqual([
        { ...turn, reasoning: 'known' },
      ])
    }
  })

  test('goes to Mistral as a part of the content', () => {
    const part = { type: 'thinking', thinking: [{ type: 'text', text: 'known' }], closed: true }
    expect(read('mistral', turn, { text: 'known' })).toMatchObject([
      { content: [part, { type: 'text', text: 'I call.' }] },
    ])
    expect(read('mistral', { ...turn, content: null }, { text: 'known' })).toMatchObject([
      { content: [part] },
    ])
    expect(JSON.stringify(read('mistral', { ...turn, reasoning_content: 'so' }))).not.toContain(
      'so',
    )
  })

  test('goes to OpenRouter as signed parts, or else as text', () => {
    expect(read('openrouter', { ...turn, reasoning_content: 'so' })).toEqual([
      { ...turn, reasoning: 'so' },
    ])
    expect(read('openrouter', { ...turn, reasoning_content: 'so' }, { details })).toEqual([
      { ...turn, reasoning_details: details },
    ])
    const own = { ...turn, reasoning: 'so', reasoning_details: details }
    expect(read('openrouter', own, remembered)).toMatchObject([own])
  })

  test.each(['openai', 'azure', 'xai', 'cohere', 'perplexity'])(
    'never goes to %s, under whatever name it comes',
    (dialect) => {
      const sent = { reasoning_content: 'so', reasoning: null, reasoning_details: details }
      const signed = { ...turn, tool_calls: [{ ...call, extra_content }], ...sent }
      expect(read(dialect, signed, remembered)).toEqual([turn])
      expect(read(dialect, { role: 'assistant', content: 'Hi', ...sent }, remembered)).toEqual([
        { role: 'assistant', content: 'Hi' },
      ])
    },
  )

  test('is at least empty for vendors that refuse a turn with calls without it', () => {
    for (const dialect of ['deepseek', 'moonshot']) {
      expect(read(dialect, turn)).toEqual([{ ...turn, reasoning_content: '' }])
      expect(shape(dialect, [{ role: 'assistant', content: 'x' }])).toBeNull()
    }
    const plain = { role: 'assistant', content: 'x' }
    const user = { role: 'user', content: 'go' }
    expect(shape('moonshot', [user, plain, turn])).toMatchObject([user, plain, {}])
    expect(shape('deepseek', [user, plain, turn])).toEqual([
      user,
      { ...plain, reasoning_content: '' },
      { ...turn, reasoning_content: '' },
    ])
    expect(shape('zhipu', [turn])).toBeNull()
  })

  test('has the signature of each call, but where its client kept one', () => {
    const own = { google: { thought_signature: 'own' } }
    const both = {
      ...turn,
      tool_calls: [
        { ...call, extra_content: own },
        { ...call, id: 'b' },
      ],
    }
    const signed = [
      { id: 'a', extra: extra_content },
      { id: 'b', extra: extra_content },
    ]
    expect(read('generic', both, { signed })).toEqual([
      {
        ...turn,
        tool_calls: [
          { ...call, extra_content: own },
          { ...call, id: 'b', extra_content },
        ],
      },
    ])
  })

  test('of another format that is remembered is none', () => {
    for (const known of [[{ before: 0, block: { type: 'thinking' } }], 'signature', {}])
      expect(read('generic', turn, known)).toEqual([turn])
  })
})

describe('closed schemas', () => {
  const call = { id: 'abcdefghi', type: 'function', function: { name: 'f', arguments: '{}' } }
  const kept = { role: 'assistant', content: null, tool_calls: [call] }

  test('take an answer that a client sends back whole', () => {
    const added = { refusal: null, annotations: [], audio: null, images: [] }
    const said = { role: 'assistant', content: 'x', ...added }
    const whole = { ...kept, ...added, tool_calls: [{ ...call, name: 'f', extra: 1 }] }
    for (const dialect of ['mistral', 'groq'])
      expect(shape(dialect, [said, whole])).toEqual([{ role: 'assistant', content: 'x' }, kept])
    expect(shape('generic', [said, whole])).toBeNull()
    const named = { ...call, index: 0 }
    expect(shape('mistral', [{ ...kept, tool_calls: [named] }])).toBeNull()
  })

  test('have a refusal as what was said', () => {
    for (const content of [null, '', undefined])
      expect(shape('mistral', [{ role: 'assistant', content, refusal: 'No.' }])).toEqual([
        { role: 'assistant', content: 'No.' },
      ])
  })

  test('of Mistral have no names, and no user directly after a tool', () => {
    const user = { role: 'user', content: 'And?' }
    const tool = { role: 'tool', tool_call_id: call.id, content: 'done' }
    const silent = { role: 'assistant', content: ' ' }
    expect(shape('mistral', [{ ...user, name: 'Sara' }, kept, tool, user, user])).toEqual([
      { ...user, content: 'Sara: And?' },
      kept,
      tool,
      silent,
      user,
      user,
    ])
    expect(shape('mistral', [user, kept, tool, kept, tool])).toBeNull()
    expect(shape('groq', [kept, tool, user])).toBeNull()
  })
})
