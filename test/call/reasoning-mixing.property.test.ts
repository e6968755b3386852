import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { addModel, openTestGateway, type TestGateway } from '../support/gateway'
import { roundsOf } from '../support/campaigns'
import {
  accounts,
  families,
  openThinkingVendors,
  type ThinkingVendors,
} from '../support/thinking-vendors'

const kinds = {
  kimi: { kind: 'openai', dialect: 'moonshot', traits: {} },
  gpt: { kind: 'openai', dialect: 'openai', traits: { chat: 'responses' } },
  claude: { kind: 'anthropic', dialect: 'generic', traits: { thinking: 'adaptive' } },
  gemini: { kind: 'google', dialect: 'generic', traits: { thinking: 'level' } },
} as const

let vendors: ThinkingVendors
let chapar: TestGateway
beforeAll(async () => {
  vendors = openThinkingVendors()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const account of accounts) {
        const family = families.find((each) => account.startsWith(each)) ?? 'kimi'
        const { kind, dialect } = kinds[family]
        await storage.catalogue.saveVendor({
          name: account,
          kind,
          dialect,
          baseUrl: vendors.urlOf(account),
          credential: `key of ${account}`,
          timeoutMs: 10_000,
          transport: 'own',
          active: true,
          source: 'command',
        })
      }
      for (const family of families)
        await addModel(storage, family, [`${family}-a`, `${family}-b`], kinds[family].traits)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendors.close()
})

const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]

/** How client libraries write an answer into the history: from its text and its calls, anew. */
const writers: readonly ((text: string, calls: readonly Fields[]) => object)[] = [
  // openai-python, a message as a dictionary.
  (text, calls) => ({
    content: text,
    refusal: null,
    role: 'assistant',
    annotations: [],
    audio: null,
    function_call: null,
    tool_calls: calls,
  }),
  // LangChain: arguments are parsed, and written by Python.
  (text, calls) => ({
    role: 'assistant',
    tool_calls: calls.map((call) => ({
      type: 'function',
      id: call['id'],
      function: inPython(call),
    })),
    content: text === '' ? null : text,
  }),
  // The AI SDK: arguments are parsed, and written by JavaScript.
  (text, calls) => ({
    role: 'assistant',
    content: text,
    tool_calls: calls.map((call) => ({
      id: call['id'],
      type: 'function',
      function: inJavaScript(call),
    })),
  }),
  // LiteLLM, and frameworks that write content in parts.
  (text, calls) => ({
    content: text === '' ? '' : [{ type: 'text', text }],
    role: 'assistant',
    function_call: null,
    tool_calls: calls.map(({ index: _, ...call }) => ({ ...call, provider_specific_fields: null })),
  }),
]

function inPython(call: Fields): object {
  const { name, arguments: args } = fieldsOf(call['function'])
  const members = Object.entries(fieldsOf(JSON.parse(String(args))))
  const text = members.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`).join(', ')
  return { name, arguments: `{${text}}` }
}

function inJavaScript(call: Fields): object {
  const { name, arguments: args } = fieldsOf(call['function'])
  return { name, arguments: JSON.stringify(JSON.parse(String(args)), null, 0) }
}

type Model = (typeof families)[number]

interface Conversation {
  readonly model: Model
  readonly user: string | null
  readonly write: (typeof writers)[number]
  messages: object[]
  /** Account that answered each turn with calls, as far as nothing before it was changed. */
  answeredBy: string[]
}

const texts = ['', 'Let me see.'] as const
const inputs = ['{}', '{"b": [1, 2.5], "a": "سلام"}'] as const
const questions = ['hello', 'tell me'] as const

const conversation = fc.record({
  model: fc.constantFrom(...families),
  user: fc.constantFrom(null, 'ali', 'sara'),
  system: fc.constantFrom(null, 'be kind', 'be brief'),
  question: fc.constantFrom(...questions),
  write: fc.constantFrom(...writers),
})

interface Asked {
  readonly do: 'ask'
  readonly who: number
  readonly text: string
  readonly input: string
  readonly stream: boolean
  readonly result: string
}
interface Changed {
  readonly do: 'edit' | 'drop'
  readonly who: number
  readonly which: number
}
interface Again {
  readonly do: 'again'
  readonly who: number
}
interface Failed {
  readonly do: 'fail'
  readonly account: string
}
interface Forgot {
  readonly do: 'forget'
  readonly account: string
}
type Step = Asked | Changed | Again | Failed | Forgot

const who = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      who,
      text: fc.constantFrom(...texts),
      input: fc.constantFrom(...inputs),
      stream: fc.boolean(),
      result: fc.constantFrom('1', '2'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('edit', 'drop'), who, which: fc.nat() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('fail', 'forget'),
      account: fc.constantFrom(...accounts),
    }),
  },
)

async function play(one: Conversation, asked: Asked, key: string) {
  const { model, user, messages } = one
  vendors.next({ text: asked.text, args: asked.input }, user ?? '')
  const body = { model, messages, tools, stream: asked.stream, ...(user === null ? {} : { user }) }
  const response = await chapar.post(body, { authorization: `Bearer ${key}` })
  const answer = await response.text()
  expect([response.status, response.ok ? '' : answer]).toEqual([200, ''])
  const call = {
    id: 'functions.f:0',
    type: 'function',
    function: { name: 'f', arguments: asked.input },
  }
  const result = { role: 'tool', tool_call_id: 'functions.f:0', content: asked.result }
  return [one.write(asked.text, [call]), result]
}

/** Nothing that the account thought in an unchanged conversation is lost. */
function expectThoughts({ answeredBy }: Conversation): void {
  const { account = '', turns = [] } = vendors.last ?? {}
  const calls = turns.filter((turn) => turn.calls)
  answeredBy.forEach((by, at) => {
    if (by === account) expect([account, at, calls[at]?.thoughts.length]).toEqual([account, at, 1])
  })
}

test('conversations with equal call ids never share reasoning, and each keeps its own', async () => {
  let recalled = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(conversation, { minLength: 4, maxLength: 4 }),
      fc.array(step, { minLength: 4, maxLength: 24 }),
      async (begun, steps) => {
        const { key } = await chapar.customer({ usd: '5' })
        const all = begun.map(({ model, user, system, question, write }): Conversation => {
          const instructions = system === null ? [] : [{ role: 'system', content: system }]
          const messages = [...instructions, { role: 'user', content: question }]
          return { model, user, write, messages, answeredBy: [] }
        })
        let forgot = false
        for (const each of steps) {
          if (each.do === 'fail') vendors.fail(each.account)
          else if (each.do === 'forget') {
            forgot = true
            vendors.forget(each.account)
          } else {
            const one = all[each.who]
            if (one === undefined) continue
            if (each.do === 'ask') {
              const said = await play(one, each, key)
              if (!forgot) expectThoughts(one)
              recalled += vendors.last?.turns.flatMap(({ thoughts }) => thoughts).length ?? 0
              one.messages.push(...said)
              one.answeredBy.push(vendors.last?.account ?? '')
            } else if (each.do === 'again') {
              // The last answer is asked for once more.
              if (one.answeredBy.length === 0) continue
              one.messages.splice(-2)
              one.answeredBy.pop()
            } else change(one, each.do, each.which)
          }
          expect(vendors.takeFaults()).toEqual([])
        }
      },
    ),
    { numRuns: roundsOf('reasoning conversations') },
  )
  expect(recalled).toBeGreaterThan(2 * roundsOf('reasoning conversations'))
})

/** A client edits what a user or a tool said, or leaves a turn out. */
function change(one: Conversation, how: 'edit' | 'drop', which: number): void {
  const at = which % one.messages.length
  const message = fieldsOf(one.messages[at])
  one.answeredBy = one.answeredBy.map(() => '')
  if (how === 'edit') {
    if (message['role'] !== 'assistant')
      one.messages[at] = { ...message, content: `${String(message['content'])} (edited)` }
  } else if (listOf(message['tool_calls']).length > 0 && one.messages.length > 4) {
    one.messages.splice(at, 2)
    one.answeredBy.pop()
  }
}

describe('a harness of vendors that think', () => {
  test('sees a thought of another conversation', async () => {
    const own = openThinkingVendors()
    const said = (thought: string) => ({
      messages: [
        { role: 'user', content: 'other' },
        { role: 'assistant', content: '', reasoning_content: thought, tool_calls: [] },
      ],
    })
    const send = (body: object) =>
      fetch(own.urlOf('kimi-a'), { method: 'POST', body: JSON.stringify(body) })
    await send({ messages: [{ role: 'user', content: 'one' }] })
    await send(said('thought 0'))
    expect(own.takeFaults()).toHaveLength(1)
    await own.close()
  })
})
