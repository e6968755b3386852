import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { openTextDesk, type Desk } from './desk'
import { typesOf } from './official-members'

/*
 * What becomes of each type of tool that clients can offer, without a price for any: at a vendor of the
 * client's format, and at one of another.
 */

interface Tool {
  readonly sample: Fields
  /** Who runs it: a vendor's has no price here, and is refused by every vendor. */
  readonly runs: 'client' | 'vendor'
  /** Name of the function that a vendor of another format is offered; null where there can be none. */
  readonly name: string | null
  /** Why nothing of it is sent, where that is no refusal. */
  readonly leftOut?: string
}

const clients = (name: string | null, sample: Fields = {}): Tool => ({
  sample,
  runs: 'client',
  name,
})
const vendors = (sample: Fields = {}): Tool => ({ sample, runs: 'vendor', name: null })
const search: Tool = { ...clients(null), leftOut: 'all tools that it would find are offered' }
const unasked: Tool = { ...vendors(), leftOut: 'coding clients offer it with every request' }

const object = { type: 'object', properties: {} }
const screen = { name: 'computer', display_width_px: 1024, display_height_px: 768 }
const editor = { name: 'str_replace_based_edit_tool' }
const oldEditor = { name: 'str_replace_editor' }

const ofMessages: Readonly<Record<string, Tool>> = {
  advisor_20260301: vendors({ name: 'advisor', model: 'other' }),
  bash_20241022: clients('bash', { name: 'bash' }),
  bash_20250124: clients('bash', { name: 'bash' }),
  // Which of its members are offered by default is not published.
  browser_toolset_20260801: clients(null),
  code_execution_20250522: vendors({ name: 'code_execution' }),
  code_execution_20250825: vendors({ name: 'code_execution' }),
  code_execution_20260120: vendors({ name: 'code_execution' }),
  code_execution_20260521: vendors({ name: 'code_execution' }),
  computer_20241022: clients('computer', screen),
  computer_20250124: clients('computer', screen),
  computer_20251124: clients('computer', screen),
  computer_toolset_20260801: clients(null),
  custom: clients('f', { name: 'f', input_schema: object }),
  mcp_toolset: vendors({ mcp_server_name: 's' }),
  memory_20250818: clients('memory', { name: 'memory' }),
  text_editor_20241022: clients(oldEditor.name, oldEditor),
  text_editor_20250124: clients(oldEditor.name, oldEditor),
  text_editor_20250429: clients(editor.name, editor),
  text_editor_20250728: clients(editor.name, editor),
  tool_search_tool_bm25: { ...search, sample: { name: 'tool_search_tool_bm25' } },
  tool_search_tool_bm25_20251119: { ...search, sample: { name: 'tool_search_tool_bm25' } },
  tool_search_tool_regex: { ...search, sample: { name: 'tool_search_tool_regex' } },
  tool_search_tool_regex_20251119: { ...search, sample: { name: 'tool_search_tool_regex' } },
  web_fetch_20250910: vendors({ name: 'web_fetch' }),
  web_fetch_20260209: vendors({ name: 'web_fetch' }),
  web_fetch_20260309: vendors({ name: 'web_fetch' }),
  web_fetch_20260318: vendors({ name: 'web_fetch' }),
  web_search_20250305: { ...unasked, sample: { name: 'web_search' } },
  web_search_20260209: { ...unasked, sample: { name: 'web_search' } },
  web_search_20260318: { ...unasked, sample: { name: 'web_search' } },
}

const ofResponses: Readonly<Record<string, Tool>> = {
  apply_patch: clients('apply_patch'),
  code_interpreter: vendors({ container: { type: 'auto' } }),
  computer: clients('computer'),
  computer_use_preview: clients('computer', {
    display_width: 1024,
    display_height: 768,
    environment: 'linux',
  }),
  custom: clients('f', { name: 'f' }),
  file_search: vendors(),
  function: clients('f', { name: 'f', parameters: object }),
  image_generation: vendors(),
  local_shell: clients('local_shell'),
  mcp: vendors({ server_label: 's', server_url: 'https://a.example' }),
  namespace: clients('n__f', {
    name: 'n',
    description: 'x',
    tools: [{ type: 'function', name: 'f' }],
  }),
  programmatic_tool_calling: vendors(),
  shell: clients('shell', { environment: { type: 'local' } }),
  tool_search: search,
  web_search: unasked,
  web_search_2025_08_26: unasked,
  web_search_preview: unasked,
  web_search_preview_2025_03_11: unasked,
}

const formats = [
  {
    path: '/messages',
    native: 'anthropic',
    tools: ofMessages,
    own: { name: 'own', input_schema: object },
    base: { messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 },
    declared: ['@anthropic-ai/sdk', 'anthropic-0'].flatMap((client) => [
      ...typesOf(`${client}/resources/messages/messages`, 'ToolUnion'),
      ...typesOf(`${client}/resources/beta/messages/messages`, 'BetaToolUnion'),
    ]),
  },
  {
    path: '/responses',
    native: 'responses',
    tools: ofResponses,
    own: { type: 'function', name: 'own', parameters: object },
    base: { input: 'hi' },
    declared: ['openai', 'openai-6'].flatMap((client) =>
      typesOf(`${client}/resources/responses/responses`, 'Tool'),
    ),
  },
] as const

let desk: Desk
beforeAll(async () => void (desk = await openTextDesk()))
afterAll(() => desk.close())

describe.each(formats)('a tool of $path', ({ path, native, tools, own, base, declared }) => {
  test('is the client’s or the vendor’s, whatever the client calls it', () => {
    expect([...new Set<string>(declared)].sort()).toEqual(Object.keys(tools).sort())
  })

  const ask = async (model: string, type: string, sample: Fields) => {
    const offered = [own, { type, ...sample }]
    const { status, param, body } = await desk.ask(path, { ...base, model, tools: offered })
    return status === 200 ? { tools: listOf(body?.['tools']).slice(1) } : { status, param }
  }
  const refusal = { status: 400, param: 'tools[1].type' }

  test.each(Object.entries(tools))('at its own vendor: %s', async (type, tool) => {
    const { sample, runs, leftOut } = tool
    const answer = await ask(native, type, sample)
    if (runs === 'client') expect(answer).toEqual({ tools: [{ type, ...sample }] })
    else expect(answer).toEqual(leftOut === undefined ? refusal : { tools: [] })
  })

  test.each(Object.entries(tools))('at a vendor of chat: %s', async (type, tool) => {
    const { sample, name, leftOut } = tool
    const answer = await ask('generic', type, sample)
    if (name === null && leftOut === undefined) return expect(answer).toEqual(refusal)
    const names = listOf(answer.tools).map((each) => fieldsOf(fieldsOf(each)['function'])['name'])
    expect(names).toEqual(name === null ? [] : [name])
  })
})
