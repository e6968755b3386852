import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { reasoningEfforts, type Traits } from '../../../src/domain/model'
import { editMembers } from '../../../src/gateway/json/edit-members'
import { dialects, type DialectName } from '../../../src/gateway/vendors/openai/dialects'
import { closestEffort } from '../../../src/gateway/formats/reasoning'
import { openai } from '../../../src/gateway/vendors/openai/vendor'
import type { Target } from '../../../src/gateway/vendors/vendor'

const target = (dialect: string, traits: Traits = {}): Target => ({
  vendor: openai,
  config: {
    name: 'v',
    kind: 'openai',
    dialect,
    baseUrl: 'https://vendor.test/v1',
    credential: null,
    timeoutMs: 1000,
    transport: 'own',
    active: true,
    source: 'command',
  },
  route: { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 },
  traits,
  maxOutputTokens: null,
  sells: () => true,
})
const messages = [{ role: 'user', content: 'Hello' }]
const plain = { model: 'm', messages }

const edit = (dialect: string, body: object, traits: Traits = {}, stream = false) => {
  const shape = openai.abilities.chat?.shape
  if (shape === undefined) throw new Error('no chat')
  return shape({ ...plain, ...body }, target(dialect, traits), {
    safetyId: 'opaque',
    stream,
    recall: () => undefined,
    mayKeep: true,
    cachePrompt: false,
  })
}
/** What the vendor reads, without what every body has. */
const sent = (dialect: string, body: object, traits: Traits = {}, stream = false) => {
  const text = editMembers(
    JSON.stringify({ ...plain, ...body }),
    edit(dialect, body, traits, stream),
  )
  const { model: _, messages: told, ...rest } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify(told) === JSON.stringify(messages) ? rest : { ...rest, messages: told }
}

const caught = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}

const all = Object.keys(dialects)

describe('a request', () => {
  test('of the ordinary kind is only added to', () => {
    expect(edit('generic', { temperature: 0.5 })).toEqual({ set: {}, drop: [] })
    expect(edit('generic', { max_tokens: 5, tools: [], tool_choice: 'auto' })).toEqual({
      set: {},
      drop: [],
    })
    expect(edit('openai', { max_completion_tokens: 5 })).toEqual({
      set: { safety_identifier: 'opaque' },
      drop: [],
    })
    expect(edit('unheard-of', {})).toEqual({ set: {}, drop: [] })
  })

  test.each(all)(
    'to %s says who the client is by our id, in a field or else a header',
    (dialect) => {
      const mark = { safetyId: 'opaque', stream: false, recall: () => undefined }
      const options = { ...mark, mayKeep: true, cachePrompt: false }
      const headers = openai.abilities.chat?.headers?.(target(dialect, {}), options)
      const field = Object.entries(edit(dialect, { user: 'ali' }).set).find(
        ([, value]) => value === 'opaque',
      )
      expect(headers).toEqual(field === undefined ? [['openai-safety-identifier', 'opaque']] : [])
    },
  )

  test.each(all)('to %s has nothing that changes price, seller or privacy', (dialect) => {
    const own = {
      store: true,
      service_tier: 'priority',
      safety_identifier: 'ali',
      user: 'ali',
      user_id: 'ali',
      stream_options: { include_obfuscation: true },
      provider: {},
      models: ['dear'],
      route: 'fallback',
      plugins: [{ id: 'web' }],
      transforms: ['middle-out'],
      speed: 'fast',
      enable_search: false,
      search_parameters: { mode: 'off' },
    }
    const read = sent(dialect, own)
    const { safetyField } = dialects[dialect as DialectName]
    expect(read).toEqual(safetyField === null ? {} : { [safetyField]: 'opaque' })
  })

  const dear = Object.entries({
    moderation: { model: 'm' },
    preset: 'dear',
    fallbacks: ['dear'],
    search_parameters: { mode: 'on' },
    enable_search: true,
    search_options: { forced_search: true },
    kv_transfer_params: { remote_host: 'x' },
  })
  test.each(all)('to %s is refused with what would, naming it', (dialect) => {
    for (const [param, value] of dear)
      expect(caught(() => sent(dialect, { [param]: value }))).toMatchObject({
        code: 'endpoint_not_supported',
        param,
      })
  })

  test('passes what nobody here knows, but to a vendor that forbids it', () => {
    const odd = { top_k: 3, made_up: { a: 1 }, seed: 7 }
    expect(sent('generic', odd)).toEqual(odd)
    expect(sent('vllm', odd)).toEqual(odd)
    expect(sent('mistral', { seed: 7, temperature: 1, verbosity: 'medium' })).toEqual({
      random_seed: 7,
      temperature: 1,
    })
    for (const [param, value] of Object.entries({ top_k: 3, verbosity: 'low' }))
      expect(caught(() => sent('mistral', { [param]: value }))).toMatchObject({ param })
    expect(edit('mistral', { made_up: 1 })).toMatchObject({
      drop: ['made_up'],
      ignored: ['made_up'],
    })
  })

  const streams: readonly (readonly [string, unknown])[] = [
    ['openai', { include_usage: true, include_obfuscation: false }],
    ...['azure', 'deepseek', 'xai', 'openrouter', 'alibaba', 'ollama', 'vllm', 'generic'].map(
      (name) => [name, { include_usage: true }] as const,
    ),
    ...['mistral', 'zhipu', 'perplexity'].map((name) => [name, undefined] as const),
  ]
  test.each([...streams])('streamed by %s asks for usage with %j', (dialect, options) => {
    const asked = { stream: true, stream_options: { include_usage: false } }
    expect(sent(dialect, asked, {}, true)['stream_options']).toEqual(options)
    expect(sent(dialect, { stream_options: {} })['stream_options']).toBeUndefined()
  })

  test.each([
    ['openai', {}, { max_tokens: 9 }, { max_completion_tokens: 9 }],
    ['openai', {}, { max_tokens: 9, max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
    ['openai', { maxTokensName: 'max_tokens' }, { max_completion_tokens: 5 }, { max_tokens: 5 }],
    ['deepseek', {}, { max_tokens: 4, max_completion_tokens: 5 }, { max_tokens: 4 }],
    ['deepseek', {}, { max_tokens: null, max_completion_tokens: 5 }, { max_tokens: 5 }],
    ['together', {}, { max_tokens: 3, max_completion_tokens: null }, { max_tokens: 3 }],
    ['generic', {}, { max_tokens: 3 }, { max_tokens: 3 }],
    ['generic', {}, { max_completion_tokens: 3 }, { max_completion_tokens: 3 }],
    ['generic', {}, { max_tokens: 3, max_completion_tokens: 7 }, { max_completion_tokens: 3 }],
    [
      'generic',
      { drop: ['max_completion_tokens'] },
      { max_tokens: 3, max_completion_tokens: 7 },
      {},
    ],
  ] as const)(
    'to %s with traits %j and %j has the ceiling as %j',
    (dialect, traits, body, read) => {
      const { max_tokens: old, max_completion_tokens: current } = sent(dialect, body, traits)
      expect({
        ...(old === undefined ? {} : { max_tokens: old }),
        ...(current === undefined ? {} : { max_completion_tokens: current }),
      }).toEqual(read)
    },
  )

  test('rounds temperature down to what the vendor takes', () => {
    expect(sent('mistral', { temperature: 2 })).toEqual({ temperature: 1.5 })
    expect(sent('zhipu', { temperature: 1.2 })).toEqual({ temperature: 1 })
    expect(sent('generic', { temperature: 2 })).toEqual({ temperature: 2 })
  })

  test.each([
    ['deepseek', { presence_penalty: 1, frequency_penalty: 1, seed: 1 }],
    ['groq', { logprobs: true, logit_bias: { 1: 1 }, n: 2 }],
    ['cohere', { n: 2, logit_bias: { 1: 1 }, parallel_tool_calls: false }],
    ['moonshot', { presence_penalty: 1, frequency_penalty: 1, seed: 1, n: 2 }],
    ['cerebras', { presence_penalty: 1, frequency_penalty: 1, logit_bias: { 1: 1 } }],
    ['ollama', { n: 2, logit_bias: { 1: 1 }, logprobs: true }],
    ['xai', { deferred: true }],
    ['perplexity', { search_type: 'pro' }],
    ['openrouter', { web_search_options: {} }],
    ['alibaba', { enable_thinking: true, reasoning_effort: 'high' }],
  ])('to %s is refused with each of %j, and passes elsewhere', (dialect, body) => {
    for (const [param, value] of Object.entries(body)) {
      const refusal = caught(() => sent(dialect, { [param]: value }))
      expect(refusal).toMatchObject({ code: 'endpoint_not_supported', param })
      expect(sent('generic', { [param]: value })).toHaveProperty(param)
    }
  })

  test.each([
    ['deepseek', { presence_penalty: 0, frequency_penalty: 0, seed: null, n: 1 }],
    ['groq', { logprobs: false, top_logprobs: 0, logit_bias: {}, n: 1 }],
    ['cohere', { n: 1, parallel_tool_calls: true }],
    ['ollama', { tool_choice: 'auto' }],
    ['xai', { deferred: false }],
    // Agents send them to every model; what kimi models take of them is fixed.
    ['moonshot', { temperature: 0.2, top_p: 0.9 }],
  ])('to %s goes without %j, which ask for nothing', (dialect, body) => {
    for (const name of Object.keys(body)) expect(sent(dialect, body)).not.toHaveProperty(name)
  })

  test('asks for thinking beyond the ceiling where the model is known for it alone', () => {
    const body = { enable_thinking: true, thinking_budget: 5000 }
    expect(caught(() => sent('alibaba', body))).toMatchObject({ param: 'enable_thinking' })
    expect(sent('alibaba', body, { thinkingBeyond: 8192 })).toEqual(body)
    expect(sent('alibaba', { enable_thinking: false })).toEqual({ enable_thinking: false })
    expect(sent('generic', body)).toEqual(body)
  })

  test('goes without what the model refuses, also under the name it would get', () => {
    expect(sent('generic', { top_p: 1, seed: 1 }, { drop: ['seed'] })).toEqual({ top_p: 1 })
    expect(sent('mistral', { seed: 1 }, { drop: ['random_seed'] })).toEqual({})
  })

  test.each([
    ['groq', { n: 2 }],
    ['mistral', { logprobs: true }],
    ['mistral', { modalities: ['text', 'audio'] }],
    ['generic', { stop: 'x' }],
  ])('to %s is refused with %j, which its client would wait for in vain', (dialect, body) => {
    const [param] = Object.keys(body)
    const refusal = caught(() => sent(dialect, body, { drop: ['stop'] }))
    expect(refusal).toMatchObject({ code: 'endpoint_not_supported', param })
    expect(sent(dialect, { n: 1, logprobs: false, modalities: ['text'] })).toBeDefined()
  })
})

describe('the effort of reasoning', () => {
  test.each([
    ['minimal', ['low', 'high'], 'low'],
    ['low', ['low', 'medium', 'high'], 'low'],
    ['medium', ['low', 'high', 'max'], 'low'],
    ['xhigh', ['low', 'medium', 'high'], 'high'],
    ['max', ['none', 'high'], 'high'],
    ['none', ['low', 'high'], 'low'],
    ['none', ['none', 'high'], 'none'],
    ['low', ['none', 'high'], 'none'],
    ['high', ['max', 'low'], 'low'],
    ['high', [], undefined],
  ] as const)('%s to a model that has %j is %s', (asked, efforts, read) => {
    expect(sent('generic', { reasoning_effort: asked }, { efforts })['reasoning_effort']).toBe(read)
  })

  test('any effort becomes one that the model has, never higher when one is as low', () => {
    const effort = fc.constantFrom(...reasoningEfforts)
    fc.assert(
      fc.property(effort, fc.uniqueArray(effort, { minLength: 1 }), (asked, has) => {
        const rank = (each: string) => reasoningEfforts.findIndex((other) => other === each)
        const got = closestEffort(asked, has)
        if (got === null) throw new Error('none')
        expect(has).toContain(got)
        const better = has.filter((each) => rank(each) <= rank(asked) && rank(each) > rank(got))
        expect(better).toEqual([])
        if (rank(got) > rank(asked)) expect(Math.min(...has.map(rank))).toBe(rank(got))
      }),
    )
  })

  test.each([
    ['openai', { reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }],
    [
      'openai',
      { thinking: { type: 'enabled', budget_tokens: 3000 } },
      { reasoning_effort: 'medium' },
    ],
    ['mistral', { reasoning: { max_tokens: 20_000 } }, { reasoning_effort: 'high' }],
    ['groq', { enable_thinking: false }, { reasoning_effort: 'none' }],
    ['zhipu', { reasoning_effort: 'high' }, { thinking: { type: 'enabled' } }],
    ['zhipu', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }],
    ['moonshot', { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    ['moonshot', { enable_thinking: false }, { thinking: { type: 'disabled' } }],
    ['alibaba', { reasoning_effort: 'none' }, { enable_thinking: false }],
    ['openrouter', { reasoning: { effort: 'low', exclude: true } }, undefined],
    ['generic', { chat_template_kwargs: { enable_thinking: false } }, undefined],
    ['generic', { thinking: { type: 'enabled' } }, undefined],
  ])('asked of %s by %j is %j', (dialect, body, read) => {
    expect(sent(dialect, body)).toMatchObject(read ?? body)
    for (const name of Object.keys(body))
      if (read !== undefined && !(name in read))
        expect(sent(dialect, body)).not.toHaveProperty(name)
  })

  const off = { thinking: { type: 'disabled' } }
  test.each([
    // Off is never a little, and a switch of the vendor's own stays as it is.
    ['deepseek', ['low', 'high', 'max'], off, off],
    ['deepseek', ['low', 'high', 'max'], { enable_thinking: false }, off],
    ['deepseek', ['low', 'high', 'max'], { reasoning_effort: 'none' }, off],
    ['zhipu', ['high', 'max'], off, off],
    ['zhipu', [], { enable_thinking: false }, off],
    ['moonshot', [], off, off],
    ['moonshot', [], { reasoning_effort: 'low' }, {}],
    ['moonshot', [], { reasoning: { enabled: false } }, off],
    ['openai', ['low', 'high'], { reasoning_effort: 'none' }, { reasoning_effort: 'low' }],
    ['generic', [], { chat_template_kwargs: { enable_thinking: false } }, undefined],
  ] as const)('of %s that has %j, asked by %j, is %j', (dialect, efforts, body, read) => {
    const { safety_identifier: _, user_id: __, ...rest } = sent(dialect, body, { efforts })
    expect(rest).toEqual(read ?? body)
  })

  test('of Qwen goes by its own members, to models that are paid for it', () => {
    const paid = { efforts: [], thinkingBeyond: 8192 }
    for (const body of [{ enable_thinking: true }, { enable_thinking: false }])
      expect(sent('alibaba', body, paid)).toEqual(body)
    expect(sent('alibaba', { enable_thinking: false }, { efforts: [] })).toEqual({
      enable_thinking: false,
    })
    for (const [param, value] of Object.entries({
      chat_template_kwargs: { enable_thinking: true, x: 1 },
      thinking: { type: 'enabled', x: 1 },
      reasoning: { effort: 'high', x: 1 },
    }))
      expect(caught(() => sent('alibaba', { [param]: value }))).toMatchObject({ param })
  })

  test('passes untouched where the model’s are not known, and nothing is made up', () => {
    expect(sent('generic', { reasoning_effort: 'max' })).toEqual({ reasoning_effort: 'max' })
    expect(sent('generic', {}, { efforts: ['high'] })).toEqual({})
    expect(sent('generic', { reasoning_effort: null }, { efforts: [] })).toEqual({})
  })

  test('decides whether sampling may go along', () => {
    const traits: Traits = { samplingNeedsNoEffort: true, efforts: ['none', 'high'] }
    const body = { temperature: 1, top_p: 1, logprobs: false, top_logprobs: 2 }
    expect(sent('generic', body, traits)).toEqual({})
    expect(sent('generic', { ...body, reasoning_effort: 'high' }, traits)).toEqual({
      reasoning_effort: 'high',
    })
    expect(sent('generic', { ...body, reasoning_effort: 'none' }, traits)).toEqual({
      ...body,
      reasoning_effort: 'none',
    })
    // What is rounded to none is none.
    expect(sent('generic', { ...body, reasoning_effort: 'low' }, traits)).toEqual({
      ...body,
      reasoning_effort: 'none',
    })
  })
})

describe('tools', () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } })
  const tools = [tool('one'), tool('two')]
  const named = { type: 'function', function: { name: 'two' } }

  const allowed = (mode: string, ...names: readonly string[]) => ({
    type: 'allowed_tools',
    allowed_tools: {
      mode,
      tools: names.map((name) => ({ type: 'function', function: { name } })),
    },
  })

  test('under their retired names go out under the present ones', () => {
    const functions = [{ name: 'one', parameters: {} }]
    const read = { tools: [tool('one')] }
    expect(sent('generic', { functions })).toEqual(read)
    expect(sent('generic', { functions, function_call: 'auto' })).toEqual({
      ...read,
      tool_choice: 'auto',
    })
    expect(sent('mistral', { functions, function_call: { name: 'one' } })).toEqual({
      ...read,
      tool_choice: { type: 'function', function: { name: 'one' } },
    })
    expect(
      sent('generic', { functions, tools, function_call: 'none', tool_choice: 'auto' }),
    ).toEqual({ tools, tool_choice: 'auto' })
  })

  test.each([
    ['generic', named, { tools, tool_choice: named }],
    ['zhipu', 'none', {}],
    ['zhipu', 'auto', { tools, tool_choice: 'auto' }],
    ['alibaba', named, { tools, tool_choice: named }],
    ['cohere', named, { tools: [tool('two')], tool_choice: 'required' }],
    ['cohere', allowed('auto', 'two'), { tools: [tool('two')], tool_choice: 'auto' }],
    ['alibaba', allowed('required', 'two'), { tools: [tool('two')], tool_choice: named }],
    ['ollama', 'none', {}],
    ['ollama', 'auto', { tools }],
  ])('to %s with the choice %j are %j', (dialect, choice, read) => {
    expect(sent(dialect, { tools, tool_choice: choice })).toEqual(read)
  })

  test.each([
    ['zhipu', 'required'],
    ['zhipu', named],
    ['alibaba', 'required'],
    ['moonshot', 'required'],
    ['moonshot', named],
    ['ollama', 'required'],
    ['ollama', named],
  ])('to %s are refused with the choice %j, which it cannot keep', (dialect, choice) => {
    const refusal = caught(() => sent(dialect, { tools, tool_choice: choice }))
    expect(refusal).toMatchObject({ code: 'endpoint_not_supported', param: 'tool_choice' })
  })
})

test('a model that takes tools by Responses only is asked without effort where there is none', () => {
  const traits: Traits = { chat: 'responses-with-tools', efforts: ['none', 'low', 'high'] }
  const tools = [{ type: 'function', function: { name: 'f' } }]
  expect(sent('azure', { tools, reasoning_effort: 'high' }, traits)).toMatchObject({
    reasoning_effort: 'none',
  })
  expect(sent('azure', { tools }, traits)).toMatchObject({ reasoning_effort: 'none' })
  expect(sent('azure', { reasoning_effort: 'high' }, traits)).not.toMatchObject({
    reasoning_effort: 'none',
  })
})

describe('messages', () => {
  const read = (dialect: string, told: readonly object[], traits: Traits = {}) =>
    sent(dialect, { messages: told }, traits)['messages']

  test('are the same text to the letter as long as nothing must change', () => {
    for (const dialect of all)
      expect(
        edit(dialect, {
          messages: [
            { role: 'system', content: 'x' },
            ...messages,
            { role: 'assistant', content: 'y' },
          ],
        }).set,
      ).not.toHaveProperty('messages')
  })

  test('give instructions in the role the model knows', () => {
    const told = [
      { role: 'system', content: 'a' },
      { role: 'developer', content: 'b' },
      { role: 'user', content: 'c' },
    ]
    const roles = (dialect: string, traits: Traits = {}) => {
      const given = read(dialect, told, traits) ?? told
      return (given as readonly { role: string }[]).map(({ role }) => role)
    }
    expect(roles('openai')).toEqual(['system', 'developer', 'user'])
    expect(roles('openai', { systemRole: 'developer' })).toEqual(['developer', 'developer', 'user'])
    expect(roles('generic', { systemRole: 'user' })).toEqual(['user', 'user', 'user'])
    for (const dialect of ['mistral', 'deepseek', 'generic', 'ollama'])
      expect(roles(dialect)).toEqual(['system', 'system', 'user'])
  })

  test('say names in their text where the member is refused', () => {
    const told = [{ role: 'user', name: 'ali', content: 'a' }]
    expect(read('groq', told)).toEqual([{ role: 'user', content: 'ali: a' }])
    expect(edit('generic', { messages: told }).set).toEqual({})
  })

  test('to Mistral have ids of nine letters, the same for call and answer', () => {
    const call = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    })
    const told = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('call_abcdefghij'), call('gSIMJiOkT')],
      },
      { role: 'tool', tool_call_id: 'call_abcdefghij', content: '1' },
      { role: 'tool', tool_call_id: 'gSIMJiOkT', content: '2' },
    ]
    const given = read('mistral', told) as readonly {
      tool_calls?: { id: string }[]
      tool_call_id?: string
    }[]
    const id = given[0]?.tool_calls?.[0]?.id
    expect(id).toMatch(/^[a-z0-9]{9}$/)
    expect(given[1]?.tool_call_id).toBe(id)
    expect(given[0]?.tool_calls?.[1]?.id).toBe('gSIMJiOkT')
    expect(given[2]).toEqual(told[2] as object)
    expect(read('openai', told)).toEqual(told)
  })
})
