import { fieldsOf, isFields, listOf, type Fields } from '../../src/gateway/json/fields'
import {
  messagesStream,
  thinkingBlock,
  textBlock,
  toolBlock,
  wholeMessage,
} from './anthropic-stand-in'
import { chunk, openStandIn, streamReply, usage } from './stand-in'

/*
 * Vendors that one conversation goes to in turn. Each thinks aloud in its own way before it calls a tool, and reads
 * what was thought before in its own place.
 */

/** Where a vendor sends its thought, and where it reads those of earlier turns. */
interface Ways {
  readonly kind: 'openai' | 'anthropic'
  readonly dialect: string
  readonly tells:
    'reasoning_content' | 'reasoning' | 'details' | 'part' | 'signature' | 'block' | null
  /**
   * Of whom: of all that the client or the gateway knows, of itself and what a client of its format tells, of itself
   * alone, of none.
   */
  readonly reads: 'all' | 'sent' | 'own' | null
}

const chat = (dialect: string, tells: Ways['tells'], reads: Ways['reads']): Ways => ({
  kind: 'openai',
  dialect,
  tells,
  reads,
})

export const changing = {
  deepseek: chat('deepseek', 'reasoning_content', 'all'),
  zhipu: chat('zhipu', 'reasoning_content', 'all'),
  relay: chat('generic', 'reasoning_content', 'sent'),
  server: chat('generic', 'reasoning', 'sent'),
  ollama: chat('ollama', 'reasoning', 'all'),
  router: chat('openrouter', 'details', 'all'),
  groq: chat('groq', 'reasoning', 'own'),
  mistral: chat('mistral', 'part', 'own'),
  google: chat('generic', 'signature', 'sent'),
  azure: chat('azure', null, null),
  claude: { kind: 'anthropic', dialect: 'generic', tells: 'block', reads: 'own' },
} as const satisfies Record<string, Ways>
export type VendorName = keyof typeof changing
export const vendorNames = Object.keys(changing) as VendorName[]

/** What a turn is answered with. */
interface Said {
  readonly text: string
  readonly thought: string
  readonly callId: string
}

/** Thoughts of one earlier turn with a call, as its vendor reads them. */
type Thoughts = readonly string[]

const textsIn = (value: unknown): Thoughts =>
  typeof value === 'string' && value !== '' ? [value] : []

/** Everything thought that a message has, wherever it stands. */
function thoughtsIn(message: Fields): Thoughts {
  const { reasoning_content: content, reasoning, reasoning_details: details } = message
  const parts = listOf(message['content']).filter(isFields)
  const thinking = parts.filter(({ type }) => type === 'thinking')
  const signed = listOf(message['tool_calls']).map(
    (call) => fieldsOf(fieldsOf(fieldsOf(call)['extra_content'])['google'])['thought_signature'],
  )
  return [
    ...textsIn(content),
    ...textsIn(reasoning),
    ...listOf(details).flatMap((each) => textsIn(fieldsOf(each)['text'])),
    ...thinking.flatMap(({ thinking: said }) =>
      typeof said === 'string'
        ? [said]
        : listOf(said).flatMap((each) => textsIn(fieldsOf(each)['text'])),
    ),
    ...signed.flatMap(textsIn),
  ]
}

/** Members of the assistant's messages that a vendor with a closed schema refuses. */
const refusedBy: Readonly<Partial<Record<VendorName, RegExp>>> = {
  groq: /"reasoning_content"|"extra_content"|"reasoning_details"/,
  mistral: /"reasoning_content"|"reasoning"|"extra_content"|"reasoning_details"/,
  azure: /"reasoning|"extra_content"|"thinking"/,
  deepseek: /"extra_content"|"reasoning_details"/,
}

function answerOf(name: VendorName, { text, thought, callId }: Said, stream: boolean): Response {
  const { tells } = changing[name]
  const google = { google: { thought_signature: thought } }
  const call = {
    id: name === 'mistral' ? `m${callId.replace(/\W/g, '').padStart(8, '0').slice(-8)}` : callId,
    type: 'function',
    function: { name: 'f', arguments: '{}' },
    ...(tells === 'signature' ? { extra_content: google } : {}),
  }
  if (tells === 'block') {
    const id = callId.replace(/\W/g, '_')
    return stream
      ? streamReply(
          messagesStream(
            [
              ...thinkingBlock(0, thought, 'sig'),
              ...textBlock(1, text),
              ...toolBlock(2, id, 'f', '{}'),
            ],
            'tool_use',
          ),
        )
      : wholeMessage(
          [
            { type: 'thinking', thinking: thought, signature: 'sig' },
            { type: 'text', text },
            { type: 'tool_use', id, name: 'f', input: {} },
          ],
          'tool_use',
        )
  }
  const detail = { type: 'reasoning.text', index: 0, text: thought }
  const part = { type: 'thinking', thinking: [{ type: 'text', text: thought }] }
  const thinks =
    tells === 'details'
      ? { reasoning_details: [detail] }
      : tells === 'part'
        ? { content: [part] }
        : tells === 'signature' || tells === null
          ? {}
          : { [tells]: thought }
  if (!stream) {
    const said =
      tells === 'part' ? { content: [part, { type: 'text', text }] } : { content: text, ...thinks }
    const message = { role: 'assistant', ...said, tool_calls: [call] }
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage })
  }
  return streamReply([
    chunk({ role: 'assistant', ...thinks }),
    chunk({ content: text }),
    chunk({ tool_calls: [{ index: 0, ...call }] }),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ])
}

export function openChangingVendors() {
  let next: Said = { text: '', thought: '', callId: '' }
  let seen: Fields = {}
  const standIn = openStandIn((request) => {
    const name = vendorNames.find((each) => request.path.startsWith(`/v1/${each}/`)) ?? 'relay'
    seen = request.body
    const assistants = listOf(seen['messages']).filter(
      (each) => fieldsOf(each)['role'] === 'assistant',
    )
    if (refusedBy[name]?.test(JSON.stringify(assistants)) === true)
      return Response.json({ error: { message: 'unknown member' } }, { status: 400 })
    return answerOf(name, next, seen['stream'] === true)
  })
  return {
    urlOf: (name: VendorName) => `${standIn.url}/${name}`,
    says: (said: Said) => void (next = said),
    /** Thoughts of each turn that called tools, of the last request. */
    thoughts: (): readonly Thoughts[] =>
      listOf(seen['messages'])
        .map(fieldsOf)
        .filter(
          ({ role, content, tool_calls: calls }) =>
            role === 'assistant' &&
            (listOf(calls).length > 0 ||
              listOf(content).some((each) => fieldsOf(each)['type'] === 'tool_use')),
        )
        .map(thoughtsIn),
    text: () => JSON.stringify(seen),
    close: () => standIn.close(),
  }
}
