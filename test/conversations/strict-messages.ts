import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { messageEvent, textBlock, thinkingBlock, toolBlock } from '../support/anthropic-stand-in'
import { streamReply } from '../support/stand-in'
import {
  each,
  emptyRead,
  halves,
  onlyMembers,
  refuse,
  shown,
  words,
  type Memory,
  type Read,
  type Wire,
} from './wire'

/*
 * Messages as Anthropic takes them (docs.claude.com, Messages, tool use and extended thinking, November 2026).
 */

const members =
  'model messages max_tokens system tools tool_choice thinking stream temperature top_p top_k metadata ' +
  'stop_sequences output_config service_tier context_management container mcp_servers cache_control diagnostics'

type Turn = 'assistant' | 'user'

function readPicture(block: Fields, into: Read, where: string): void {
  const source = fieldsOf(block['source'])
  if (source['type'] !== 'base64' || source['media_type'] !== 'image/png')
    refuse(`${where}.source: unreadable`)
  into.pictures.push(String(source['data']))
}

const isText = (block: Fields, where: string): boolean => {
  if (block['type'] !== 'text') return false
  if (typeof block['text'] !== 'string' || block['text'].trim() === '')
    refuse(`${where}: text content blocks must be non-empty`)
  return true
}

function readResult(block: Fields, into: Read, where: string): void {
  const { content } = block
  const texts: string[] = typeof content === 'string' ? [content] : []
  if (typeof content !== 'string')
    for (const part of each(content))
      if (isText(part, where)) texts.push(String(part['text']))
      else if (part['type'] === 'image') readPicture(part, into, where)
      else refuse(`${where}: ${shown(part['type'])} in a result`)
  into.results.push(texts.join(''))
}

/** @returns ids of the calls that the next message must answer */
function readAssistant(blocks: readonly Fields[], memory: Memory, where: string): string[] {
  const ids: string[] = []
  for (const block of blocks) {
    const { type, id, name, input, thinking, signature } = block
    if (type === 'thinking') {
      onlyMembers(block, 'type thinking signature', where)
      if (memory.seals.get(String(signature)) !== thinking)
        refuse(`${where}: Invalid \`signature\` in \`thinking\` block`)
    } else if (type === 'tool_use') {
      onlyMembers(block, 'type id name input cache_control caller', where)
      if (!/^[a-zA-Z0-9_-]+$/.test(String(id)))
        refuse(`${where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name))) refuse(`${where}.name: ${shown(name)}`)
      if (typeof input !== 'object') refuse(`${where}.input: Input should be an object`)
      ids.push(String(id))
    } else if (!isText(block, where)) refuse(`${where}: unexpected ${shown(type)}`)
  }
  if (blocks.at(-1)?.['type'] === 'thinking') refuse(`${where}: final block cannot be thinking`)
  return ids
}

function readUser(blocks: readonly Fields[], open: readonly string[], into: Read, where: string) {
  const answered = new Set<string>()
  blocks.forEach((block, at) => {
    const { type, tool_use_id: id } = block
    if (type === 'tool_result') {
      onlyMembers(block, 'type tool_use_id content is_error cache_control', where)
      if (!open.includes(String(id)) || answered.has(String(id)))
        refuse(`${where}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${shown(id)}`)
      if (at !== answered.size) refuse(`${where}: results do not stand first`)
      answered.add(String(id))
      readResult(block, into, where)
    } else if (type === 'image') readPicture(block, into, where)
    else if (isText(block, where)) into.said.push(String(block['text']))
    else refuse(`${where}: unexpected ${shown(type)}`)
  })
  if (open.some((id) => !answered.has(id)))
    refuse(`${where}: \`tool_use\` ids were found without \`tool_result\` blocks: ${open.join()}`)
}

const blocksOf = (content: unknown, where: string): readonly Fields[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const blocks = each(content)
  return blocks.length === 0 ? refuse(`${where}: content is missing`) : blocks
}

/** Instructions in the middle are for the newer models: a text behind what a user says, before an answer or at the end. */
function checkInstructions(messages: readonly Fields[], at: number, isNewer: boolean): void {
  const where = `messages.${at}`
  if (!isNewer) refuse(`${where}: role 'system' is not supported on this model`)
  if (messages[at - 1]?.['role'] !== 'user') refuse(`${where}: 'system' must follow a user message`)
  if ((messages[at + 1]?.['role'] ?? 'assistant') !== 'assistant')
    refuse(`${where}: 'system' must be last or before an assistant message`)
}

/** Neighbours of one role are one turn. */
function turnsOf(
  messages: readonly Fields[],
  isNewer: boolean,
): readonly (readonly [Turn, readonly Fields[]])[] {
  const turns: [Turn, Fields[]][] = []
  messages.forEach((message, at) => {
    const where = `messages.${at}`
    onlyMembers(message, 'role content', where)
    if (message['role'] === 'system') checkInstructions(messages, at, isNewer)
    const role = message['role'] === 'system' ? 'user' : message['role']
    if (role !== 'user' && role !== 'assistant') refuse(`${where}.role: ${shown(role)}`)
    const blocks = blocksOf(message['content'], where)
    const last = turns.at(-1)
    if (last?.[0] === role) last[1].push(...blocks)
    else turns.push([role, [...blocks]])
  })
  return turns
}

/** A turn that goes on after a result begins as its model began it. */
function checkThinking(body: Fields, turns: ReturnType<typeof turnsOf>): boolean {
  const { type, budget_tokens: budget } = fieldsOf(body['thinking'])
  const wants = String(body['model']).startsWith('budget') ? 'enabled' : 'adaptive'
  const goesOn = turns.at(-1)?.[1].some((block) => block['type'] === 'tool_result')
  const last = turns.at(-2)?.[1] ?? []
  const isThought = last.some((block) => block['type'] === 'thinking')
  if (type === undefined || type === 'disabled')
    return goesOn && isThought
      ? refuse('When thinking is disabled, a final `assistant` message cannot contain `thinking`')
      : false
  if (type !== wants) refuse(`thinking.type: ${shown(type)} is not supported by this model`)
  if (wants === 'adaptive') return true
  if (!(Number(budget) >= 1024 && Number(budget) < Number(body['max_tokens'])))
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`')
  if (body['temperature'] !== undefined && body['temperature'] !== 1)
    refuse('`temperature` may only be set to 1 when thinking is enabled')
  if (goesOn && last[0]?.['type'] !== 'thinking')
    refuse(`messages: Expected \`thinking\`, but found \`${shown(last[0]?.['type'])}\``)
  return true
}

export const messagesWire: Wire = {
  read(body, memory) {
    onlyMembers(body, members, 'body')
    if (!(Number(body['max_tokens']) > 0)) refuse('max_tokens: Field required')
    const read = emptyRead()
    const turns = turnsOf(each(body['messages']), String(body['model']).startsWith('adaptive'))
    if (turns[0]?.[0] !== 'user') refuse('messages: first message must use the "user" role')
    if (turns.at(-1)?.[0] !== 'user')
      refuse('This model does not support assistant message prefill.')
    let open: readonly string[] = []
    turns.forEach(([role, blocks], at) => {
      if (role === 'user') readUser(blocks, open, read, `messages.${at}.content`)
      open = role === 'user' ? [] : readAssistant(blocks, memory, `messages.${at}.content`)
    })
    read.tools.push(...each(body['tools']).map((tool) => String(tool['name'])))
    const called = turns.some(([, blocks]) => blocks.some((block) => block['type'] === 'tool_use'))
    if (called && read.tools.length === 0)
      refuse('Requests which include `tool_use` must define tools')
    if (new Set(read.tools).size < read.tools.length) refuse('tools: Tool names must be unique.')
    return { ...read, stream: body['stream'] === true, thinks: checkThinking(body, turns) }
  },

  answer({ model, at, thought, text, call, counted }, { stream, thinks }, memory) {
    const signature = `sig+${model}/${at}==`
    if (thinks) memory.seals.set(signature, thought)
    const id = `toolu_01${model}${at}`
    const usage = {
      input_tokens: counted.input - counted.cached - counted.written - counted.writtenLong,
      cache_read_input_tokens: counted.cached,
      cache_creation_input_tokens: counted.written + counted.writtenLong,
      cache_creation: {
        ephemeral_5m_input_tokens: counted.written,
        ephemeral_1h_input_tokens: counted.writtenLong,
      },
      service_tier: 'standard',
    }
    const output = {
      output_tokens: counted.output,
      output_tokens_details: { thinking_tokens: counted.thought },
    }
    const stop = { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null }
    const envelope = {
      id: `msg_01${at}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-of-the-vendor',
    }
    if (!stream)
      return Response.json({
        ...envelope,
        content: [
          ...(thinks ? [{ type: 'thinking', thinking: thought, signature }] : []),
          { type: 'text', text },
          ...(call === null ? [] : [{ type: 'tool_use', id, name: call.name, input: call.input }]),
        ],
        ...stop,
        usage: { ...usage, ...output },
      })
    const begun = { ...envelope, content: [], stop_reason: null, stop_sequence: null }
    const before = thinks ? 1 : 0
    return streamReply([
      messageEvent({
        type: 'message_start',
        message: { ...begun, usage: { ...usage, output_tokens: 1 } },
      }),
      messageEvent({ type: 'ping' }),
      ...(thinks ? thinkingBlock(0, thought, signature) : []),
      ...textBlock(before, ...words(text)),
      ...(call === null
        ? []
        : toolBlock(before + 1, id, call.name, ...halves(JSON.stringify(call.input)))),
      messageEvent({ type: 'message_delta', delta: stop, usage: output }),
      messageEvent({ type: 'message_stop' }),
    ])
  },

  failure: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
}
