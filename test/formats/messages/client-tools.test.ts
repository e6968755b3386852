import { describe, expect, test } from 'bun:test'
import { parseMessagesRequest } from '../../../src/gateway/formats/messages/parse-request'
import { checkMessagesBody } from '../../../src/gateway/formats/messages/schema'
import { untranslatedIn } from '../../../src/gateway/formats/messages/untranslated'
import { fieldsOf, listOf, type Fields } from '../../../src/gateway/json/fields'

const hello = [{ role: 'user', content: 'Hello' }]
const bodyOf = (rest: object) =>
  checkMessagesBody({ model: 'm', max_tokens: 100, messages: hello, ...rest })
const chatOf = (rest: object) => parseMessagesRequest(bodyOf(rest))
const functionsOf = (rest: object): readonly Fields[] =>
  listOf(chatOf(rest).tools).map((each) => fieldsOf(fieldsOf(each)['function']))
const namesOf = (rest: object) => functionsOf(rest).map(({ name }) => name)

const bash = { type: 'bash_20250124', name: 'bash' }
const own = (name: string, rest: object = {}) => ({
  name,
  input_schema: { type: 'object', properties: {} },
  ...rest,
})

describe('a tool that the client runs by a published schema', () => {
  const screen = { name: 'computer', display_width_px: 1024, display_height_px: 768 }

  test.each([
    [bash, 'bash', ['command', 'restart']],
    [{ type: 'bash_20241022', name: 'bash' }, 'bash', ['command', 'restart']],
    [
      { type: 'text_editor_20250124', name: 'str_replace_editor' },
      'str_replace_editor',
      ['command', 'path', 'old_str', 'file_text', 'insert_line', 'view_range', 'new_str'],
    ],
    [
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      'str_replace_based_edit_tool',
      ['command', 'path', 'old_str', 'file_text', 'insert_line', 'view_range', 'new_str'].concat(
        'insert_text',
      ),
    ],
    [{ type: 'computer_20241022', ...screen }, 'computer', ['action', 'coordinate', 'text']],
    [
      { type: 'computer_20251124', ...screen, enable_zoom: true },
      'computer',
      ['action', 'coordinate', 'text', 'start_coordinate', 'scroll_direction'].concat(
        'scroll_amount',
        'duration',
        'region',
      ),
    ],
  ])('%j is a function', (tool, name, members) => {
    const [made] = functionsOf({ tools: [tool] })
    expect(made?.['name']).toBe(name)
    expect(made?.['description']).toBeString()
    expect(Object.keys(fieldsOf(fieldsOf(made?.['parameters'])['properties']))).toEqual(members)
  })

  const choices = (tool: Fields, member: string): unknown => {
    const [made] = functionsOf({ tools: [tool] })
    const { properties } = fieldsOf(made?.['parameters'])
    return fieldsOf(fieldsOf(properties)[member])['enum']
  }

  test('has the commands of its version', () => {
    const editor = (version: string) => choices({ type: `text_editor_${version}` }, 'command')
    expect(editor('20241022')).toContain('undo_edit')
    expect(editor('20250429')).not.toContain('undo_edit')
    expect(choices({ type: 'memory_20250818', name: 'memory' }, 'command')).toContain('rename')
    const computer = (version: string, rest: object = {}) =>
      choices({ type: `computer_${version}`, ...screen, ...rest }, 'action')
    expect(computer('20241022')).not.toContain('scroll')
    expect(computer('20250124')).toContain('triple_click')
    expect(computer('20251124')).not.toContain('zoom')
    expect(computer('20251124', { enable_zoom: true })).toContain('zoom')
  })

  test('tells what its definition says besides', () => {
    const [computer] = functionsOf({
      tools: [{ type: 'computer_20250124', ...screen, display_number: 1 }],
    })
    expect(computer?.['description']).toContain('1024 pixels wide and 768 pixels high')
    expect(computer?.['description']).toContain('display number 1')
    const [editor] = functionsOf({
      tools: [{ type: 'text_editor_20250728', name: 'e', max_characters: 9000 }],
    })
    expect(editor?.['description']).toContain('9000 characters')
  })

  test('may be forced, and is called in the history as any other', () => {
    const chat = chatOf({
      tools: [bash],
      tool_choice: { type: 'tool', name: 'bash' },
      messages: [
        ...hello,
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
      ],
    })
    expect(chat.tool_choice).toEqual({ type: 'function', function: { name: 'bash' } })
    const called = { name: 'bash', arguments: '{"command":"ls"}' }
    expect(chat.messages.at(-2)).toMatchObject({
      tool_calls: [{ id: 'a', type: 'function', function: called }],
    })
  })

  test('may come in the middle of a conversation', () => {
    const added = { type: 'tool_addition', tool: { definition: bash } }
    expect(namesOf({ messages: [...hello, { role: 'system', content: [added] }] })).toEqual([
      'bash',
    ])
  })
})

describe('tools behind a search that runs at the vendor', () => {
  const waiting = own('lookup', { defer_loading: true })

  test.each(['tool_search_tool_regex_20251119', 'tool_search_tool_bm25_20251119'])(
    '%s are all offered, and can be forced',
    (type) => {
      const tools = [
        { type, name: 'search' },
        waiting,
        own('Read'),
        { ...bash, defer_loading: true },
      ]
      const tool_choice = { type: 'tool', name: 'lookup' }
      expect(namesOf({ tools })).toEqual(['lookup', 'Read', 'bash'])
      expect(chatOf({ tools, tool_choice }).tool_choice).toEqual({
        type: 'function',
        function: { name: 'lookup' },
      })
      expect(untranslatedIn(bodyOf({ tools, tool_choice }))).toBeNull()
    },
  )

  test('are offered once it found them, also where it is offered no more', () => {
    const found = {
      type: 'tool_search_tool_result',
      tool_use_id: 'srv',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: [{ type: 'tool_reference', tool_name: 'lookup' }],
      },
    }
    const tools = [waiting, own('Never', { defer_loading: true })]
    expect(namesOf({ tools })).toEqual([])
    const messages = [...hello, { role: 'assistant', content: [found] }, ...hello]
    expect(namesOf({ tools, messages })).toEqual(['lookup'])
  })
})

test('a tool that waits for the client’s own search is offered where it is forced', () => {
  const tools = [own('Read'), own('WebFetch', { defer_loading: true })]
  expect(namesOf({ tools })).toEqual(['Read'])
  expect(namesOf({ tools, tool_choice: { type: 'tool', name: 'WebFetch' } })).toEqual([
    'Read',
    'WebFetch',
  ])
})

test('examples of an input stand in the description', () => {
  const examples = [{ city: 'تهران' }, { city: 'Oslo', days: 2 }]
  const tools = [own('weather', { description: 'Tells it.', input_examples: examples })]
  expect(functionsOf({ tools })[0]?.['description']).toBe(
    'Tells it.\n\nExamples of its input:\n{"city":"تهران"}\n{"city":"Oslo","days":2}',
  )
})

describe('what of tools no translation can say', () => {
  const code = ['code_execution_20250825']
  const added = (definition: object) => [
    ...hello,
    { role: 'system', content: [{ type: 'tool_addition', tool: { definition } }] },
  ]

  test.each([
    [{ tools: [own('a'), { type: 'computer_toolset_20260801' }] }, 'tools[1].type'],
    [{ tools: [{ type: 'browser_toolset_20260801' }] }, 'tools[0].type'],
    [{ tools: [{ type: 'bash_20990101', name: 'bash' }] }, 'tools[0].type'],
    [
      { messages: added({ type: 'browser_toolset_20260801', name: 'browser' }) },
      'messages[1].content[0].tool.definition.type',
    ],
    [{ tools: [own('a', { allowed_callers: code })] }, 'tools[0].allowed_callers'],
    [{ tools: [own('a', { allowed_callers: ['direct', ...code] })] }, null],
    [{ tools: [{ ...bash, allowed_callers: code }] }, 'tools[0].allowed_callers'],
    [{ tools: [own('bash'), bash] }, 'tools[1].name'],
    [{ tools: [own('a')], tool_choice: { type: 'tool', name: 'gone' } }, 'tool_choice.name'],
    [{ tool_choice: { type: 'tool', name: 'gone' } }, 'tool_choice.name'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ tool_choice: { type: 'auto' } }, null],
    [{ tools: [own('a'), bash], tool_choice: { type: 'tool', name: 'bash' } }, null],
  ])('of %j is %p', (rest, param) => {
    expect(untranslatedIn(bodyOf(rest))).toBe(param)
  })
})
