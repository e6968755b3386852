import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { collectChat } from '../../src/gateway/formats/chat/collect-stream'
import { collectMessage } from '../../src/gateway/formats/messages/collect-stream'
import { collectResponse } from '../../src/gateway/formats/responses/collect-stream'
import { eventsIn } from '../../src/gateway/formats/stream-collector'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import {
  changing,
  openChangingVendors,
  vendorNames,
  type VendorName,
} from '../support/changing-vendors'
import { addModel, openTestGateway, type TestGateway } from '../support/gateway'

let vendors: ReturnType<typeof openChangingVendors>
let chapar: TestGateway
beforeAll(async () => {
  vendors = openChangingVendors()
  chapar = await openTestGateway({
    usd: '100',
    async prepare(storage) {
      for (const name of vendorNames) {
        const { kind, dialect } = changing[name]
        await storage.catalogue.saveVendor({
          name,
          kind,
          dialect,
          baseUrl: vendors.urlOf(name),
          credential: 'sk-1',
          timeoutMs: 10_000,
          transport: 'own',
          active: true,
          source: 'command',
        })
        await addModel(storage, name, [name], kind === 'anthropic' ? { thinking: 'adaptive' } : {})
      }
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendors.close()
})

const schema = { type: 'object', properties: {} }

/** How a client of one format asks, and goes on from an answer. */
interface Client {
  readonly path: string
  readonly collect: typeof collectChat
  ask(history: readonly Fields[]): Fields
  /** What an answer adds to the history, and the result of its call. */
  goOn(answer: Fields): readonly Fields[]
  /** It sends back what was thought. */
  readonly keeps: boolean
}

const chatTools = [{ type: 'function', function: { name: 'f', parameters: schema } }]
const messageOf = (answer: Fields) => fieldsOf(fieldsOf(listOf(answer['choices'])[0])['message'])
const resultsOf = (message: Fields) =>
  listOf(message['tool_calls']).map((call) => ({
    role: 'tool',
    tool_call_id: fieldsOf(call)['id'],
    content: 'done',
  }))

const clients: Readonly<Record<string, Client>> = {
  'chat that forgets what was thought': {
    path: '/chat/completions',
    collect: collectChat,
    keeps: false,
    ask: (messages) => ({ messages, tools: chatTools }),
    goOn(answer) {
      const { content, tool_calls: calls } = messageOf(answer)
      const bare = listOf(calls).map((call) => {
        const { extra_content: _, ...rest } = fieldsOf(call)
        return rest
      })
      return [{ role: 'assistant', content, tool_calls: bare }, ...resultsOf(messageOf(answer))]
    },
  },
  'chat that keeps its messages whole': {
    path: '/chat/completions',
    collect: collectChat,
    keeps: true,
    ask: (messages) => ({ messages, tools: chatTools }),
    goOn: (answer) => [messageOf(answer), ...resultsOf(messageOf(answer))],
  },
  Messages: {
    path: '/messages',
    collect: collectMessage,
    keeps: true,
    ask: (messages) => ({
      messages,
      max_tokens: 1000,
      tools: [{ name: 'f', input_schema: schema }],
    }),
    goOn({ content }) {
      const calls = listOf(content)
        .map(fieldsOf)
        .filter(({ type }) => type === 'tool_use')
      const results = calls.map(({ id }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: 'done',
      }))
      return [
        { role: 'assistant', content },
        { role: 'user', content: results },
      ]
    },
  },
  Responses: {
    path: '/responses',
    collect: collectResponse,
    keeps: true,
    ask: (input) => ({ input, tools: [{ type: 'function', name: 'f', parameters: schema }] }),
    goOn({ output }) {
      const items = listOf(output).map(fieldsOf)
      const calls = items.filter(({ type }) => type === 'function_call')
      return [
        ...items,
        ...calls.map(({ call_id: id }) => ({
          type: 'function_call_output',
          call_id: id,
          output: 'done',
        })),
      ]
    },
  },
}

/** Each vendor is met with thoughts of its own and of others before it. */
const order: readonly VendorName[] = [
  ...([
    'deepseek',
    'google',
    'groq',
    'mistral',
    'claude',
    'router',
    'relay',
    'server',
    'azure',
  ] as const),
  ...(['ollama', 'zhipu', 'groq', 'google', 'mistral', 'claude', 'router', 'deepseek'] as const),
  ...(['azure', 'server', 'relay', 'ollama', 'zhipu'] as const),
]

interface Conversation {
  readonly name: string
  readonly history: Fields[]
  readonly turns: { readonly by: VendorName; readonly thought: string }[]
}

async function takeTurn(client: Client, one: Conversation, by: VendorName, stream: boolean) {
  const at = one.turns.length
  const thought = `${one.name} thinks ${at}.`
  vendors.says({ text: `Turn ${at}.`, thought, callId: `functions.f:${at}` })
  const response = await fetch(chapar.url + client.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ model: by, stream, ...client.ask(one.history) }),
  })
  const text = await response.text()
  expect([by, at, response.status, response.ok ? '' : text]).toEqual([by, at, 200, ''])
  const collected = client.collect()
  if (stream) for (const event of eventsIn(text)) collected.add(event)
  const answer = stream ? collected.whole(false) : fieldsOf(JSON.parse(text))
  one.history.push(...client.goOn(answer))
  one.turns.push({ by, thought })
}

/** What a vendor must read of earlier turns. */
function expected(client: Client, { turns }: Conversation, by: VendorName): (string | null)[] {
  const { reads } = changing[by]
  return turns.slice(0, -1).map(({ by: other, thought }) => {
    const { tells } = changing[other]
    if (reads === null || tells === null) return null
    if (other === by) return thought
    // A signature and signed parts are nothing that another could read.
    const isText = tells !== 'signature' && (tells !== 'details' || reads === 'sent')
    const isRead = reads === 'all' || (reads === 'sent' && client.path === '/chat/completions')
    return isRead && client.keeps && isText ? thought : null
  })
}

describe.each(Object.entries(clients))('a conversation from a client of %s', (_, client) => {
  test.each([false, true])(
    'keeps its thoughts over vendors that change, streamed: %p',
    async (stream) => {
      const all = ['Ada', 'Bab'].map((who): Conversation => {
        const name = `${who} ${client.path} ${client.keeps} ${stream}`
        return { name, history: [{ role: 'user', content: `I am ${name}` }], turns: [] }
      })
      for (const by of order)
        for (const one of all) {
          await takeTurn(client, one, by, stream)
          const read = vendors.thoughts().map((thoughts) => [...new Set(thoughts)])
          // Signatures that a client kept itself are passed on: a relay may lead to Google.
          const own = read.map((thoughts, at) =>
            thoughts.filter(
              () =>
                changing[one.turns[at]?.by ?? by].tells !== 'signature' || one.turns[at]?.by === by,
            ),
          )
          expect([by, own]).toEqual([
            by,
            expected(client, one, by).map((thought) => (thought === null ? [] : [thought])),
          ])
          const others = all.filter((each) => each !== one)
          for (const { name } of others) expect(vendors.text()).not.toContain(name)
        }
    },
  )
})
