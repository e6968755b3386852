import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import {
  functionCall,
  message,
  reasoningItem,
  response,
  responseStream,
} from '../support/responses-stand-in'
import { streamReply } from '../support/stand-in'
import {
  each,
  emptyRead,
  onlyMembers,
  pictureIn,
  refuse,
  shown,
  type Memory,
  type Read,
  type Wire,
} from './wire'

/*
 * Responses as OpenAI takes them, nothing kept (openai/openai-openapi, `CreateResponse`, and its errors as reported in
 * its community, November 2026).
 */

const idPrefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  reasoning: 'rs',
}

function checkId({ type = 'message', id }: Fields, where: string): void {
  const prefix = idPrefixes[String(type)]
  if (id === undefined || id === null || prefix === undefined) return
  if (typeof id !== 'string' || !id.startsWith(prefix) || id.length > 64)
    refuse(`Invalid '${where}.id': '${shown(id)}'. Expected an ID that begins with '${prefix}'.`)
}

function readParts(content: unknown, isUser: boolean, into: Read, texts: string[], where: string) {
  if (typeof content === 'string') return void texts.push(content)
  const text = isUser ? 'input_text' : 'output_text'
  for (const part of each(content))
    if (part['type'] === text) texts.push(String(part['text']))
    else if (isUser && part['type'] === 'input_image')
      into.pictures.push(pictureIn(part['image_url'], where))
    else if (isUser || part['type'] !== 'refusal')
      refuse(`Invalid value: '${shown(part['type'])}' at '${where}.content'.`)
}

function readMessage(item: Fields, into: Read, where: string): void {
  onlyMembers(item, 'type role content id status phase', where)
  const { role, content } = item
  if (!['user', 'assistant', 'system', 'developer'].includes(String(role))) refuse(`${where}.role`)
  const texts: string[] = []
  readParts(content, role !== 'assistant', into, texts, where)
  if (role === 'user') into.said.push(...texts)
}

function readReasoning(item: Fields, next: Fields | undefined, memory: Memory, where: string) {
  onlyMembers(item, 'type id summary content encrypted_content status', where)
  const { id, summary, encrypted_content: seal } = item
  if (!Array.isArray(summary)) refuse(`Missing required parameter: '${where}.summary'.`)
  if (typeof seal !== 'string')
    refuse(
      `Item with id '${shown(id)}' not found. Items are not persisted when \`store\` is set to false.`,
    )
  if (!memory.seals.has(seal))
    refuse(`The encrypted content ${seal.slice(0, 12)} could not be verified.`)
  const { type = 'message', role } = next ?? {}
  const follows = type === 'message' ? role === 'assistant' : type !== 'function_call_output'
  if (next === undefined || !follows)
    refuse(
      `Item '${shown(id)}' of type 'reasoning' was provided without its required following item.`,
    )
}

function readCall(item: Fields, before: Fields | undefined, memory: Memory, where: string): string {
  onlyMembers(item, 'type id call_id name arguments status namespace', where)
  const { id, call_id: callId, name, arguments: args } = item
  if (typeof callId !== 'string' || callId.length > 64) refuse(`Invalid '${where}.call_id'`)
  if (!/^[a-zA-Z0-9_-]+$/.test(String(name))) refuse(`Invalid '${where}.name'`)
  if (typeof args !== 'string') refuse(`Invalid type for '${where}.arguments'`)
  const seal = memory.followers.get(String(id))
  if (
    seal !== undefined &&
    before?.['type'] === 'reasoning' &&
    before['encrypted_content'] !== seal
  )
    refuse(
      `Item '${shown(id)}' of type 'function_call' was provided without its required 'reasoning' item`,
    )
  return callId
}

function readOutput(item: Fields, into: Read, where: string): void {
  onlyMembers(item, 'type id call_id output status', where)
  const texts: string[] = []
  readParts(item['output'], true, into, texts, where)
  into.results.push(texts.join(''))
}

function readItems(items: readonly Fields[], memory: Memory, into: Read): void {
  const open = new Set<string>()
  items.forEach((given, at) => {
    const where = `input[${at}]`
    // Codex (0.171.0, as measured) marks its items for this vendor.
    const { internal_chat_message_metadata_passthrough: _, ...item } = given
    checkId(item, where)
    const { type = 'message', call_id: id } = item
    if (type === 'message') readMessage(item, into, where)
    else if (type === 'reasoning') readReasoning(item, items[at + 1], memory, where)
    else if (type === 'function_call') open.add(readCall(item, items[at - 1], memory, where))
    else if (type === 'function_call_output') {
      if (!open.delete(String(id)))
        refuse(`No tool call found for function call output with call_id ${shown(id)}.`)
      readOutput(item, into, where)
    } else refuse(`Invalid value: '${shown(type)}' at '${where}.type'.`)
  })
  const [left] = open
  if (left !== undefined) refuse(`No tool output found for function call ${shown(left)}.`)
}

export const responsesWire: Wire = {
  read(body, memory) {
    if (body['store'] !== false) refuse('Nothing may be kept: store must be false')
    const read = emptyRead()
    const { input } = body
    if (typeof input === 'string') read.said.push(input)
    else readItems(each(input), memory, read)
    for (const { type, name } of each(body['tools']))
      if (type === 'function') read.tools.push(String(name))
    const { effort } = fieldsOf(body['reasoning'])
    const thinks = typeof effort === 'string' && effort !== 'none'
    return { ...read, stream: body['stream'] === true, thinks }
  },

  answer({ model, at, thought, text, call, counted }, { stream }, memory) {
    const seal = `gAAAA${model}${at}==`
    memory.seals.set(seal, thought)
    const made = call && functionCall(`call_${model}${at}`, call.name, JSON.stringify(call.input))
    const output = [
      { ...reasoningItem(seal, thought), id: `rs_${at}` },
      { ...message(text), id: `msg_${at}` },
      ...(made === null ? [] : [{ ...made, id: `fc_${at}` }]),
    ]
    memory.followers.set(`fc_${at}`, seal)
    const rest = {
      id: `resp_vendor${at}`,
      usage: {
        input_tokens: counted.input,
        input_tokens_details: { cached_tokens: counted.cached },
        output_tokens: counted.output,
        output_tokens_details: { reasoning_tokens: counted.thought },
        total_tokens: counted.input + counted.output,
      },
    }
    return stream
      ? streamReply(responseStream(output, rest))
      : Response.json(response(output, rest))
  },

  failure: (said) => ({
    error: { message: said, type: 'invalid_request_error', param: null, code: null },
  }),
}
