import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Fields } from '../../src/gateway/json/fields'
import { openTextDesk, type Desk } from './desk'
import { typesOf } from './official-members'

/*
 * What becomes of each item of a Responses input and each block of a Messages conversation where a
 * request is translated: said in chat, refused with its place, or left out with the reason.
 */

type Fate = 'said' | 'refused' | { readonly leftOut: string }

interface Piece {
  readonly sample: Fields
  readonly fate: Fate
  /** What the refusal names, where it is not the type. */
  readonly param?: string
}

const said = (sample: Fields): Piece => ({ sample, fate: 'said' })
const refused = (sample: Fields = {}): Piece => ({ sample, fate: 'refused' })
const leftOut = (sample: Fields, because: string): Piece => ({
  sample,
  fate: { leftOut: because },
})

/** A word that a vendor must find, or not. */
const mark = 'lighthouse'
const call = { call_id: 'c', name: 'f' }

const items: Readonly<Record<string, Piece>> = {
  additional_tools: said({ role: 'developer', tools: [{ type: 'function', name: mark }] }),
  apply_patch_call: said({
    call_id: 'c',
    operation: { type: 'delete_file', path: mark },
    status: 'completed',
  }),
  apply_patch_call_output: said({ call_id: 'c', status: 'failed', output: mark }),
  code_interpreter_call: refused(),
  // Only its vendor reads it, and who that is nobody knows.
  compaction: { ...refused({ encrypted_content: 'x' }), param: 'input[1]' },
  compaction_trigger: leftOut({}, 'it asks for the summary, in words of our own'),
  computer_call: said({ call_id: 'c', actions: [{ type: 'type', text: mark }] }),
  computer_call_output: said({
    call_id: 'c',
    output: { type: 'computer_screenshot', image_url: `https://pictures.example/${mark}.png` },
  }),
  configuration_update: refused(),
  custom_tool_call: said({ ...call, input: mark }),
  custom_tool_call_output: said({ ...call, output: mark }),
  file_search_call: refused(),
  function_call: said({ ...call, arguments: `{"a":"${mark}"}` }),
  function_call_output: said({ ...call, output: mark }),
  image_generation_call: refused(),
  item_reference: refused({ id: 'msg_1' }),
  local_shell_call: said({ id: 'a', call_id: 'c', action: { type: 'exec', command: [mark] } }),
  local_shell_call_output: said({ id: 'a', output: mark }),
  mcp_approval_request: refused(),
  mcp_approval_response: refused(),
  mcp_call: refused(),
  mcp_list_tools: refused(),
  message: said({ role: 'user', content: mark }),
  program: refused(),
  program_output: refused(),
  reasoning: leftOut(
    { summary: [], encrypted_content: mark },
    'sealed thoughts can be read by their own vendor alone',
  ),
  shell_call: said({ call_id: 'c', action: { commands: [mark] } }),
  shell_call_output: said({
    call_id: 'c',
    output: [{ stdout: mark, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  }),
  tool_search_call: said({ call_id: 'c', execution: 'client', arguments: { a: mark } }),
  tool_search_output: said({
    call_id: 'c',
    execution: 'client',
    tools: [{ type: 'function', name: mark, parameters: { type: 'object' } }],
  }),
  web_search_call: said({
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: mark },
  }),
}

const picture = { type: 'url', url: `https://pictures.example/${mark}.png` }
const byUser = { role: 'user' }
const byAssistant = { role: 'assistant' }
const bySystem = { role: 'system' }

/** By whom a block is said stands beside it. */
const blocks: Readonly<Record<string, Piece & { readonly by: Fields }>> = {
  advisor_tool_result: { by: byAssistant, ...refused() },
  bash_code_execution_tool_result: { by: byAssistant, ...refused() },
  code_execution_tool_result: { by: byAssistant, ...refused() },
  compaction: { by: byAssistant, ...said({ content: mark }) },
  container_upload: { by: byUser, ...refused({ file_id: 'file_1' }) },
  document: {
    by: byUser,
    ...said({ source: { type: 'text', media_type: 'text/plain', data: mark } }),
  },
  fallback: { by: byAssistant, ...leftOut({ from: mark }, 'it tells who answered in whose place') },
  image: { by: byUser, ...said({ source: picture }) },
  mcp_tool_listing: { by: byAssistant, ...refused() },
  mcp_tool_result: { by: byAssistant, ...refused({ tool_use_id: 'a' }) },
  mcp_tool_use: { by: byAssistant, ...refused({ id: 'a', name: 'f' }) },
  redacted_thinking: {
    by: byAssistant,
    ...leftOut({ data: mark }, 'sealed thoughts can be read by their own vendor alone'),
  },
  search_result: { by: byUser, ...said({ source: 'x', title: mark, content: [] }) },
  server_tool_use: {
    by: byAssistant,
    ...said({ id: 'a', name: 'web_search', input: { query: mark } }),
  },
  text: { by: byUser, ...said({ text: mark }) },
  text_editor_code_execution_tool_result: { by: byAssistant, ...refused() },
  thinking: {
    by: byAssistant,
    ...leftOut({ thinking: mark, signature: 'x' }, 'only vendors that want thoughts get them back'),
  },
  tool_addition: {
    by: bySystem,
    ...said({ tool: { type: 'custom', name: mark, definition: { name: mark, input_schema: {} } } }),
  },
  tool_removal: {
    by: bySystem,
    ...leftOut({ tool: { name: mark } }, 'the tool is offered no more'),
  },
  tool_result: { by: byUser, ...said({ tool_use_id: 'a', content: mark }) },
  tool_search_tool_result: {
    by: byAssistant,
    ...said({ tool_use_id: 'a', content: { tool_references: [{ tool_name: mark }] } }),
  },
  tool_use: { by: byAssistant, ...said({ id: 'a', name: 'f', input: { a: mark } }) },
  web_fetch_tool_result: {
    by: byAssistant,
    ...said({ tool_use_id: 'a', content: { url: `https://a.example/${mark}` } }),
  },
  web_search_tool_result: {
    by: byAssistant,
    ...said({ tool_use_id: 'a', content: [{ url: 'https://a.example', title: mark }] }),
  },
}

let desk: Desk
beforeAll(async () => void (desk = await openTextDesk()))
afterAll(() => desk.close())

const fateOf = async (path: string, body: Fields): Promise<unknown> => {
  const { status, param, body: received } = await desk.ask(path, { ...body, model: 'generic' })
  if (status !== 200) return { status, param, asked: received !== null }
  return JSON.stringify(received).includes(mark) ? 'said' : 'left out'
}
const expected = ({ fate }: Piece, param: string): unknown => {
  if (fate === 'refused') return { status: 400, param, asked: false }
  return fate === 'said' ? 'said' : 'left out'
}

describe('an item of a Responses input that is translated', () => {
  test('has a fate, whatever the client calls it', () => {
    const types = ['openai', 'openai-6'].flatMap((client) =>
      typesOf(`${client}/resources/responses/responses`, 'ResponseInputItem'),
    )
    expect([...new Set(types)].sort()).toEqual(Object.keys(items).sort())
  })

  test.each(Object.entries(items))('of type %s', async (type, piece) => {
    const input = [
      { role: 'user', content: 'hi' },
      { type, ...piece.sample },
    ]
    const fate = await fateOf('/responses', { input })
    expect(fate).toEqual(expected(piece, piece.param ?? 'input[1].type'))
  })
})

describe('a block of a Messages conversation that is translated', () => {
  test('has a fate, whatever the client calls it', () => {
    const types = ['@anthropic-ai/sdk', 'anthropic-0'].flatMap((client) => [
      ...typesOf(`${client}/resources/messages/messages`, 'ContentBlockParam'),
      ...typesOf(`${client}/resources/beta/messages/messages`, 'BetaContentBlockParam'),
    ])
    expect([...new Set(types)].sort()).toEqual(Object.keys(blocks).sort())
  })

  test.each(Object.entries(blocks))('of type %s', async (type, { by, ...piece }) => {
    const messages = [
      { role: 'user', content: 'hi' },
      { ...by, content: [{ type, ...piece.sample }] },
    ]
    const fate = await fateOf('/messages', { messages, max_tokens: 50 })
    expect(fate).toEqual(expected(piece, 'messages[1].content[0].type'))
  })
})
