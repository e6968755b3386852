import { describe, expect, test } from 'bun:test'
import type { Usage } from '../../../src/domain/usage'
import { fieldsOf, listOf, type Fields } from '../../../src/gateway/json/fields'
import { collectReply } from '../../../src/gateway/formats/collect-reply'
import type { Delta } from '../../../src/gateway/formats/hub'
import { parseResponsesRequest } from '../../../src/gateway/formats/responses/parse-request'
import { renderResponse } from '../../../src/gateway/formats/responses/render-reply'
import { openResponsesRenderer } from '../../../src/gateway/formats/responses/render-stream'
import { checkResponsesBody } from '../../../src/gateway/formats/responses/schema'
import { untranslatedIn } from '../../../src/gateway/formats/responses/untranslated'
import { responseEvents } from '../../matrix/responses-client'

const bodyOf = (rest: object) => checkResponsesBody({ model: 'm', input: 'Hi', ...rest })
const chatOf = (rest: object) => parseResponsesRequest(bodyOf(rest))
const functionsOf = (rest: object): readonly Fields[] =>
  listOf(chatOf(rest).tools).map((each) => fieldsOf(fieldsOf(each)['function']))
const namesOf = (rest: object) => functionsOf(rest).map(({ name }) => name)
const messagesOf = (...input: readonly object[]) => chatOf({ input }).messages as readonly Fields[]

const local = { type: 'shell', environment: { type: 'local' } }
const preview = {
  type: 'computer_use_preview',
  display_width: 1024,
  display_height: 768,
  environment: 'linux',
}
const own = (name: string, rest: object = {}) => ({ type: 'function', name, ...rest })

const identity = { id: 'req_0123456789abcdef0123456789abcdef', model: 'asked', created: 7 }
const usage: Usage = { units: { input: 10, output: 5 }, reasoning: 2, estimated: false }

const called = (name: string, args: string): readonly Delta[] => [
  { type: 'tool-start', choice: 0, tool: 0, id: 'call_a', name },
  { type: 'tool-arguments', choice: 0, tool: 0, text: args.slice(0, 9) },
  { type: 'tool-arguments', choice: 0, tool: 0, text: args.slice(9) },
  { type: 'finish', choice: 0, reason: 'tool_calls', stopSequence: null },
]

/** The item of one call, whole, and the events of a stream by which it came. */
function answered(tool: object, name: string, args: string) {
  const raw = bodyOf({ tools: [tool] })
  const deltas = called(name, args)
  const whole = JSON.parse(renderResponse(raw, collectReply(deltas), identity, usage)) as Fields
  const renderer = openResponsesRenderer(raw, identity)
  const text = deltas.map((delta) => renderer.render([delta])).join('')
  const events = responseEvents(text + renderer.close({ error: null, usage, costUsd: '0.1' }))
  const done = events.find(({ type }) => type === 'response.output_item.done')
  const types = events.map(({ type }) => type.replace('response.', ''))
  const [item] = listOf(whole['output']).map(fieldsOf)
  return { item, streamed: done?.['item'], types, last: events.at(-1) }
}

describe('a tool of the client’s whose calls have a form', () => {
  const patch = { type: 'update_file', path: 'a.ts', diff: '@@\n-a\n+b' }
  const click = { type: 'click', x: 1, y: 2, button: 'right' }
  const cases: readonly (readonly [object, string, object, string, object])[] = [
    [
      { type: 'local_shell' },
      'local_shell',
      { command: ['ls', '-l'], working_directory: '/tmp', timeout_ms: 5 },
      'local_shell_call',
      {
        action: {
          type: 'exec',
          command: ['ls', '-l'],
          env: {},
          timeout_ms: 5,
          working_directory: '/tmp',
        },
      },
    ],
    [
      local,
      'shell',
      { commands: ['ls'] },
      'shell_call',
      {
        action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
        environment: { type: 'local' },
      },
    ],
    [{ type: 'apply_patch' }, 'apply_patch', patch, 'apply_patch_call', { operation: patch }],
    [
      { type: 'computer' },
      'computer',
      { actions: [click, { type: 'screenshot' }] },
      'computer_call',
      { actions: [click, { type: 'screenshot' }], pending_safety_checks: [] },
    ],
    [
      preview,
      'computer',
      { action: click },
      'computer_call',
      { action: click, pending_safety_checks: [] },
    ],
  ]

  test.each(cases)('%j is called in it, whole and streamed', (tool, name, args, type, members) => {
    expect(namesOf({ tools: [tool] })).toEqual([name])
    const { item, streamed, types, last } = answered(tool, name, JSON.stringify(args))
    expect(item).toEqual({
      id: expect.any(String) as string,
      type,
      status: 'completed',
      call_id: 'call_a',
      ...members,
    })
    expect(streamed).toEqual(item as Fields)
    expect(listOf(fieldsOf(last?.['response'])['output'])).toEqual([item])
    expect(types).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'output_item.done',
      'completed',
    ])
  })

  test.each(cases)('%j is called in it in the history too', (tool, name, args, type, members) => {
    const [, message] = messagesOf(
      { role: 'user', content: 'Hi' },
      { type, call_id: 'call_a', status: 'completed', ...members },
    )
    const [call] = listOf(message?.['tool_calls']).map(fieldsOf)
    expect(call).toMatchObject({ id: 'call_a', function: { name } })
    const input = JSON.parse(String(fieldsOf(call?.['function'])['arguments'])) as Fields
    expect(input).toMatchObject(args)
  })

  const itemOf = (tool: object, name: string, args: object | string) =>
    answered(tool, name, typeof args === 'string' ? args : JSON.stringify(args)).item

  test('has whole items, whatever a model writes', () => {
    expect(itemOf({ type: 'local_shell' }, 'local_shell', { command: 'ls | wc' })).toMatchObject({
      action: { command: ['bash', '-lc', 'ls | wc'] },
    })
    expect(itemOf(local, 'shell', { commands: 'ls' })).toMatchObject({
      action: { commands: ['ls'] },
    })
    expect(itemOf(local, 'shell', '{"comm')).toMatchObject({ action: { commands: [] } })
    expect(itemOf({ type: 'apply_patch' }, 'apply_patch', { path: 'a', diff: 'x' })).toMatchObject({
      operation: { type: 'update_file', path: 'a', diff: 'x' },
    })
    expect(
      itemOf({ type: 'apply_patch' }, 'apply_patch', { type: 'delete_file', path: 'a', diff: '' }),
    ).toMatchObject({ operation: { type: 'delete_file', path: 'a' } })
    expect(itemOf({ type: 'computer' }, 'computer', { type: 'click', x: 1, y: 2 })).toMatchObject({
      actions: [{ type: 'click', x: 1, y: 2, button: 'left' }],
    })
    expect(itemOf({ type: 'computer' }, 'computer', 'no JSON')).toMatchObject({ actions: [] })
  })

  test('tells the model what its definition says besides', () => {
    const [screen] = functionsOf({ tools: [preview] })
    expect(screen?.['description']).toContain('1024 pixels wide and 768 high')
    const skills = [{ name: 'pdf', description: 'Reads PDFs', path: '/skills/pdf' }]
    const [shell] = functionsOf({
      tools: [{ type: 'shell', environment: { type: 'local', skills } }],
    })
    expect(shell?.['description']).toContain('pdf – Reads PDFs – /skills/pdf')
  })

  test.each([
    [{ type: 'apply_patch' }, 'apply_patch'],
    [{ type: 'shell' }, 'shell'],
    [{ type: 'computer' }, 'computer'],
    [{ type: 'computer_use_preview' }, 'computer'],
    [{ type: 'computer_use' }, 'computer'],
    [{ type: 'function', name: 'f' }, 'f'],
  ])('can be forced: %j', (tool_choice, name) => {
    const tools = [own('f'), { type: 'apply_patch' }, local, { type: 'computer' }]
    expect(chatOf({ tools, tool_choice }).tool_choice).toEqual({
      type: 'function',
      function: { name },
    })
    expect(untranslatedIn(bodyOf({ tools, tool_choice }))).toBeNull()
  })

  test('can be among those that are allowed', () => {
    const tools = [own('f'), { type: 'apply_patch' }, local]
    const allowed = [{ type: 'apply_patch' }, own('f')]
    const tool_choice = { type: 'allowed_tools', mode: 'required', tools: allowed }
    const names = ['apply_patch', 'f'].map((name) => ({ type: 'function', function: { name } }))
    expect(chatOf({ tools, tool_choice })).toMatchObject({
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: names } },
    })
  })
})

test('a tool in a namespace can be chosen by its name alone', () => {
  const tools = [{ type: 'namespace', name: 'clock', tools: [own('time')] }]
  const tool_choice = { type: 'function', name: 'time' }
  expect(chatOf({ tools, tool_choice }).tool_choice).toEqual({
    type: 'function',
    function: { name: 'clock__time' },
  })
})

describe('what came of such a call', () => {
  const resultOf = (output: object, call: object = {}) => {
    const [, ...results] = messagesOf(
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'call_a', action: {}, ...call },
      output,
    )
    return results
  }
  const told = (content: string) => [{ role: 'tool', tool_call_id: 'call_a', content }]

  test('of a local shell is found by the id of either', () => {
    const output = { type: 'local_shell_call_output', output: '{"stdout":"x"}' }
    for (const id of ['lsh_1', 'call_a'])
      expect(resultOf({ ...output, id })).toEqual(told('{"stdout":"x"}'))
  })

  test('of commands is what they printed, and how they ended', () => {
    const ended = (outcome: object, stdout: string, stderr = '') => ({ stdout, stderr, outcome })
    const output = [
      ended({ type: 'exit', exit_code: 1 }, 'a', 'b'),
      ended({ type: 'timeout' }, 'c'),
    ]
    expect(resultOf({ type: 'shell_call_output', call_id: 'call_a', output })).toEqual(
      told('a\nstderr:\nb\nexit code 1\n\nc\ntimed out'),
    )
  })

  test('of a patch is whether it was done', () => {
    const done = { type: 'apply_patch_call_output', call_id: 'call_a', status: 'failed' }
    expect(resultOf({ ...done, output: 'No such file' })).toEqual(told('failed\nNo such file'))
  })

  test('of a computer is its screen', () => {
    const output = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' }
    expect(resultOf({ type: 'computer_call_output', call_id: 'call_a', output })).toEqual([
      ...told('Screenshot:'),
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
    ])
  })
})

test('tools that come in the middle of a conversation are offered like all others', () => {
  const input = [
    { type: 'additional_tools', role: 'developer', tools: [own('late'), { type: 'apply_patch' }] },
    { role: 'user', content: 'Hi' },
  ]
  const tool_choice = { type: 'function', name: 'late' }
  expect(namesOf({ input, tools: [own('f')] })).toEqual(['f', 'late', 'apply_patch'])
  expect(untranslatedIn(bodyOf({ input, tool_choice }))).toBeNull()
  expect(chatOf({ input, tool_choice }).messages).toEqual([{ role: 'user', content: 'Hi' }])
  const search = { type: 'additional_tools', tools: [{ type: 'web_search' }] }
  expect(chatOf({ input: [search] })).toHaveProperty('web_search_options')
})

test('the form of an output stands in the description', () => {
  const output_schema = { type: 'object', properties: { c: { type: 'number' } } }
  const tools = [own('weather', { description: 'Tells it.', output_schema })]
  expect(functionsOf({ tools })[0]?.['description']).toBe(
    `Tells it.\n\nThe output matches this JSON Schema: ${JSON.stringify(output_schema)}`,
  )
})

describe('what of tools no translation can say', () => {
  const spaced = (inner: object) => ({ type: 'namespace', name: 'n', tools: [own('a'), inner] })
  const later = (tool: object) => ({ input: [{ type: 'additional_tools', tools: [tool] }] })
  const allowed = (...tools: readonly object[]) => ({
    tools: [own('a')],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
  })
  const only = { allowed_callers: ['programmatic'] }

  test.each([
    [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type'],
    [later({ type: 'memory_20250818' }), 'input[0].tools[0].type'],
    [{ tools: [{ type: 'custom' }] }, 'tools[0].name'],
    [{ tools: [own('a', { async: true })] }, 'tools[0].async'],
    [{ tools: [spaced(own('b', { async: true }))] }, 'tools[0].tools[1].async'],
    [later(own('b', { async: true })), 'input[0].tools[0].async'],
    [{ tools: [own('a', only)] }, 'tools[0].allowed_callers'],
    [{ tools: [{ type: 'apply_patch', ...only }] }, 'tools[0].allowed_callers'],
    [{ tools: [own('a', { allowed_callers: ['programmatic', 'direct'] })] }, null],
    [{ tools: [own('shell'), local] }, 'tools[1].type'],
    [{ tools: [own('a')], tool_choice: own('gone') }, 'tool_choice'],
    [{ tools: [own('a')], tool_choice: { type: 'apply_patch' } }, 'tool_choice'],
    [{ tool_choice: own('gone') }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tool_choice: 'auto' }, null],
    [allowed(own('a'), own('gone')), 'tool_choice.tools[1]'],
    [allowed(own('a'), { type: 'tool_search' }), null],
    [{ input: [{ type: 'computer_call_output', call_id: 'a', output: {} }] }, 'input[0].output'],
  ])('of %j is %p', (rest, param) => {
    expect(untranslatedIn(bodyOf(rest))).toBe(param)
  })
})
