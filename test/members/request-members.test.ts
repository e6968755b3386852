import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chatMembers, type SaidMembers } from '../../src/gateway/formats/chat/members'
import { completionsMembers } from '../../src/gateway/formats/completions/members'
import { messagesMembers } from '../../src/gateway/formats/messages/members'
import { ruleOf, type RequestMembers } from '../../src/gateway/formats/request-members'
import { saidBy } from '../../src/gateway/formats/said-members'
import { responsesMembers } from '../../src/gateway/formats/responses/members'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { membersOf } from './official-members'
import { memberSamples, type MemberSample } from './samples'
import { geminiReply } from '../support/google-stand-in'
import { message, responseUsage } from '../support/responses-stand-in'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'
import type { Storage } from '../../src/business/data/storage'

/*
 * Every member that clients of a format can send, to every vendor's format, by both ways out: it arrives, it is left
 * out on purpose, as the tables say, or the call is refused and names it.
 */

/** The formats of clients: a plain request, its path, and its table. */
const clients: Readonly<Record<string, readonly [string, Fields, RequestMembers]>> = {
  chat: ['/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }, chatMembers],
  completions: ['/completions', { prompt: 'hi' }, completionsMembers],
  responses: ['/responses', { input: 'hi' }, responsesMembers],
  messages: [
    '/messages',
    { max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] },
    messagesMembers,
  ],
}

/** Vendors by their kind, and by their dialect where there are several. */
const vendors = [
  ['openai', 'openai'],
  ['responses', 'openai'],
  ['azure', 'azure'],
  ['deepseek', 'deepseek'],
  ['mistral', 'mistral'],
  ['openrouter', 'openrouter'],
  ['zhipu', 'zhipu'],
  ['generic', 'generic'],
  ['anthropic', null],
  ['google', null],
] as const
type VendorFormat = (typeof vendors)[number][0]

const transports = ['own', 'fetch'] as const

/** Left out where a vendor lacks it, though it is listed as translated: wishes that agents send to every model. */
const randomness = new Set(['temperature', 'top_p'])

/** Left out where a vendor lacks it: an answer is the same without. */
const lossless = new Set([
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  // Of searches, where a vendor of this format runs none.
  'max_tool_calls',
])

/** Formats of vendors' own, by the vendors above. */
const ownFormats: Readonly<Partial<Record<VendorFormat, SaidMembers>>> = {
  anthropic: saidBy.messages,
  google: saidBy.gemini,
  responses: saidBy.responses,
}

/** Where vendors of the chat format get these, `test/vendors/cache-marks.test.ts` says. */
const cacheHints = new Set(['cache_control', 'prompt_cache_options', 'prompt_cache_retention'])

/** Members that the plain request has already, or that are tried by tests of their own. */
const elsewhere = new Set(['model', 'messages', 'input', 'prompt', 'stream'])

let vendor: StandIn
let chapar: TestGateway

const anthropicReply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 2 },
}

const modelOf = (name: string, transport: string) => `${name}-${transport}`

async function prepare(storage: Storage, url: string): Promise<void> {
  for (const [name, dialect] of vendors)
    for (const transport of transports) {
      const id = modelOf(name, transport)
      await addHubVendor({
        kind: dialect === null ? name : 'openai',
        name: id,
        url,
        dialect: dialect ?? 'generic',
        transport,
        tools: { web_search: '0.01' },
        models: {
          [id]: name === 'responses' ? { chat: 'responses', reasoning: true } : { reasoning: true },
        },
      })(storage)
    }
}

beforeAll(async () => {
  vendor = openStandIn(({ path }) => {
    if (path.endsWith('/messages')) return Response.json(anthropicReply)
    if (path.endsWith('/responses')) {
      const head = { id: 'resp_1', object: 'response', status: 'completed', model: 'm' }
      return Response.json({ ...head, output: [message('Hello')], usage: responseUsage })
    }
    if (path.includes(':generateContent'))
      return Response.json(geminiReply([{ text: 'Hello' }], 'STOP'))
    return wholeReply('Hello')
  })
  chapar = await openTestGateway({
    usd: '1000',
    prepare: (storage) => prepare(storage, vendor.url),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** What became of a request: the vendor's body, or the refusal. */
type Fate =
  | { readonly kind: 'sent'; readonly body: Fields }
  | { readonly kind: 'refused'; readonly param: unknown }
  | { readonly kind: 'failed'; readonly status: number; readonly text: string }

async function send(path: string, body: Fields): Promise<Fate> {
  const before = vendor.seen.length
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const seen = vendor.seen.slice(before)
  if (answer.status === 200 && seen.length > 0) return { kind: 'sent', body: seen[0]?.body ?? {} }
  const { error } = fieldsOf(JSON.parse(text))
  if (answer.status >= 400 && answer.status < 500 && seen.length === 0)
    return { kind: 'refused', param: fieldsOf(error)['param'] }
  return { kind: 'failed', status: answer.status, text }
}

/** Whether a member may be left out of what goes to a vendor. */
function mayBeLeftOut(table: RequestMembers, name: string, to: VendorFormat): boolean {
  const rule = ruleOf(table, name)
  if (
    rule?.fate === 'omitted' ||
    rule?.fate === 'own-hint' ||
    randomness.has(name) ||
    lossless.has(name)
  )
    return true
  if (ownFormats[to] === undefined && cacheHints.has(name)) return true
  return ownFormats[to]?.hints.has(rule?.as ?? name) === true
}

const withMember = (plain: Fields, name: string, { value, beside = {} }: MemberSample): Fields => ({
  ...plain,
  ...beside,
  [name]: value,
})

describe.each(Object.entries(clients))('a client of %s', (client, [path, plain, table]) => {
  const samples = memberSamples[client] ?? {}

  test('has a sample of every member', () => {
    const missing = Object.keys(table).filter((name) => !elsewhere.has(name) && !(name in samples))
    expect(missing).toEqual([])
  })

  describe.each(vendors.map(([name]) => name))('to %s', (to) => {
    test.each(transports)('by %s: each member arrives, or is refused by its name', async (by) => {
      const model = modelOf(to, by)
      const wrong: unknown[] = []
      for (const [name, all] of Object.entries(samples))
        for (const sample of [all].flat()) {
          const bare = await send(path, { model, ...plain, ...sample.beside })
          const fate = await send(path, { model, ...withMember(plain, name, sample) })
          if (fate.kind === 'refused') {
            const [first] = String(fate.param).split(/[.[]/)
            // What stands beside it may be what cannot be had.
            const named = [name, ...Object.keys(sample.beside ?? {})]
            if (!named.includes(first ?? '')) wrong.push([name, sample.value, fate])
            continue
          }
          if (fate.kind === 'failed' || bare.kind !== 'sent') {
            wrong.push([name, sample.value, fate, bare])
            continue
          }
          const sent = JSON.stringify(fate.body)
          const isSame = Bun.deepEquals(fate.body, bare.body)
          if (isSame ? !mayBeLeftOut(table, name, to) : !sample.means.test(sent))
            wrong.push([name, sample.value, isSame ? 'left out' : sent])
        }
      expect(wrong).toEqual([])
    })
  })
})

test('members that are published nowhere are left out of a translation, and the answer names them', async () => {
  const send = (path: string, model: string, body: Fields) =>
    fetch(chapar.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...body }),
    })
  const said = { role: 'user', content: 'hi', internal_note: 1 }
  const input = [said, { role: 'assistant', content: 'Hm' }, said]
  const odd = { input, of_tomorrow: true, 'bad\nname': 1 }
  for (const model of ['generic-own', 'anthropic-own', 'google-own']) {
    const answer = await send('/responses', model, odd)
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([
      200,
      'of_tomorrow, input[].internal_note',
    ])
    expect(JSON.stringify(vendor.seen.at(-1)?.body)).not.toContain('internal_note')
  }
  const passed = await send('/responses', 'openai-own', odd)
  expect(passed.headers.get('x-ignored-fields')).toBeNull()
  expect(JSON.stringify(vendor.seen.at(-1)?.body)).toContain('internal_note')
})

test('whatever is counted asks no vendor and is never refused', async () => {
  const files = ['resources/messages/messages', 'resources/beta/messages/messages']
  const members = files.flatMap((file) =>
    membersOf(`@anthropic-ai/sdk/${file}`, 'MessageCountTokensParams'),
  )
  const names = [...new Set(members)].filter((name) => !elsewhere.has(name) && name !== 'betas')
  expect(names.length).toBeGreaterThan(10)
  const [path, plain] = clients['messages'] ?? ['', {}]
  const count = vendor.seen.length
  for (const name of names) {
    const [sample] = [memberSamples['messages']?.[name] ?? []].flat()
    const answer = await fetch(`${chapar.url}${path}/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${chapar.key}` },
      body: JSON.stringify({ model: 'anthropic-own', ...plain, [name]: sample?.value }),
    })
    expect([name, answer.status]).toEqual([name, 200])
  }
  expect(vendor.seen).toHaveLength(count)
})
